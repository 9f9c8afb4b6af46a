// Measures between two nodes until the mean of each stimulus is known well enough. Here line and nodes are simulated,
// by the vqas command; a plan with `kind = "nodes"` and two addresses commands nodes that run elsewhere.
#include <QCoreApplication>
#include <cstdio>
#include <string>

#include "vqas/campaign/campaign.h"
#include "vqas/signal/audio_file.h"

namespace {

constexpr const char* kPlan = R"([campaign]
name = "example"
[line]
kind = "sim:"
ber = 1e-4
[stimuli]
stimuli = ["M1", "F2"]
[precision]
half_width_mos = 0.3
confidence_percent = 95
cap_count = 20
)";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: measure_two_nodes VQAS CORPUS_FOLDER RESULTS_FOLDER\n");
    return 2;
  }
  QCoreApplication application(argc, argv);
  const std::filesystem::path folder = argv[3];
  // A plan in a file, as for the command; CampaignPlan can be filled directly, too.
  const std::filesystem::path file = folder.string() + ".toml";
  if (const auto written = vqas::write_file_atomically(file, kPlan); !written) {
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 7;
  }
  const auto plan = vqas::open_plan(file);
  if (!plan) {
    std::fprintf(stderr, "%s\n", plan.error().message.c_str());
    return 3;
  }

  vqas::CampaignOptions options;
  options.folder = folder;
  options.program = argv[1];
  options.corpus = argv[2];
  vqas::CampaignEvents events;
  events.run_begins = [](const vqas::CampaignRun&) {
    vqas::RunEvents of_run;
    of_run.measured = [](const vqas::DirectionRun& direction, const vqas::StimulusRun& stimulus) {
      const vqas::Measurement& last = stimulus.measurements.back();
      std::printf("%s to %s, %s: ", vqas::name_of(direction.from), vqas::name_of(direction.to()),
                  stimulus.stimulus.c_str());
      if (last.mos_lqo)
        std::printf("%.2f\n", *last.mos_lqo);
      else
        std::printf("%s\n", last.reason.c_str());
    };
    of_run.finished = [](const vqas::EndOfRun& end) {
      for (const vqas::DirectionRun& direction : end.results.directions) {
        for (const vqas::StimulusRun& stimulus : direction.stimuli) {
          const vqas::Interval& mean = stimulus.interval;
          std::printf("%s to %s, %s: mean %.2f ± %.2f of %zu, stopped because of %s\n", vqas::name_of(direction.from),
                      vqas::name_of(direction.to()), stimulus.stimulus.c_str(), mean.mean, mean.half_width, mean.n,
                      std::string(to_string(stimulus.stopped_because)).c_str());
        }
      }
    };
    return of_run;
  };
  events.failed = [](const vqas::Error& error) { std::fprintf(stderr, "%s\n", error.message.c_str()); };
  events.finished = [](const vqas::EndOfCampaign& end) {
    std::printf("report: %s\n", end.page.string().c_str());
    QCoreApplication::exit(vqas::was_measured(end.verdict) ? 0 : 1);
  };
  const auto campaign = vqas::Campaign::open(*plan, options, events);
  if (!campaign) {
    std::fprintf(stderr, "%s\n", campaign.error().message.c_str());
    return 3;
  }
  (*campaign)->start();
  return QCoreApplication::exec();
}
