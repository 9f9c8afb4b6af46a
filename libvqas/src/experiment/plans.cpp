#include "experiment/plans.h"

#include <fmt/format.h>

#include <cmath>

#include "experiment/statements.h"
#include "vqas/channel/profile_library.h"

namespace vqas::experiment {
namespace {

constexpr int kRepeats = 5;
// Seconds at a bad ratio before the sentence, so that the network has time to release the call.
constexpr double kReleaseLead_s = 3;
// File transfers over a satellite take seconds to fill a queue.
constexpr double kQueueLead_s = 12;

Profile built_in(const char* name) {
  auto profile = find_profile(name);
  return std::move(profile).value();
}

void add_storm(Plan& plan, const char* channel, const std::vector<double>& bers, double other_leg) {
  for (std::size_t step = 0; step < bers.size(); ++step) {
    Trial trial;
    trial.series = channel;
    trial.label = fmt::format("{}", step + 1);
    trial.x = static_cast<double>(step + 1);
    trial.stimulus = "M6";
    trial.profile = built_in(channel);
    // Each step is a call of its own.
    trial.profile.release = release_of_network("satellite");
    trial.profile.errors = {RandomRate{bers[step]}};
    if (other_leg > 0) trial.profile.errors.emplace_back(RandomRate{other_leg});
    trial.lead_s = kReleaseLead_s;
    plan.trials.push_back(std::move(trial));
  }
}

Plan storm(const char* title, const std::vector<double>& bers, double other_leg) {
  Plan plan;
  plan.title = title;
  plan.horizontal = "step";
  for (std::size_t step = 1; step <= bers.size(); ++step) plan.labels.push_back(fmt::format("{}", step));
  add_storm(plan, "local-isdn", bers, other_leg);
  add_storm(plan, "satellite-isdn", bers, other_leg);
  return plan;
}

}  // namespace

Plan plan_characterize(const std::vector<std::string>& stimuli) {
  Plan plan;
  plan.title = "Six channels compared";
  plan.horizontal = "channel";
  for (const char* channel :
       {"back-to-back", "local-switch", "local-isdn", "terrestrial-isdn", "satellite-isdn", "long-distance"}) {
    plan.labels.emplace_back(channel);
    for (const End sender : {End::a, End::b}) {
      for (const std::string& stimulus : stimuli) {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
          Trial trial;
          trial.series = direction_words(sender);
          trial.label = channel;
          trial.x = static_cast<double>(plan.labels.size());
          trial.stimulus = stimulus;
          trial.profile = built_in(channel);
          trial.sender = sender;
          plan.trials.push_back(std::move(trial));
        }
      }
    }
  }
  return plan;
}

Plan plan_ber_sweep() {
  Plan plan;
  plan.title = "Quality against the bit error ratio";
  plan.horizontal = "bit error ratio";
  plan.labels.emplace_back("0");
  for (int exponent = 9; exponent >= 1; --exponent) plan.labels.push_back(fmt::format("1e-{}", exponent));
  for (const char* stimulus : {"M6", "F1"}) {
    for (const End sender : {End::a, End::b}) {
      const auto add = [&](const std::string& series, const std::string& label, double x, double ber) {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
          Trial trial;
          trial.series = fmt::format("{}, {}", stimulus, series);
          trial.label = label;
          trial.x = x;
          trial.stimulus = stimulus;
          trial.profile = built_in("local-isdn");
          trial.profile.errors = {RandomRate{ber}};
          trial.sender = sender;
          trial.lead_s = kReleaseLead_s;
          plan.trials.push_back(std::move(trial));
        }
      };
      for (int exponent = 9; exponent >= 1; --exponent) {
        add(direction_words(sender), fmt::format("1e-{}", exponent), exponent, std::pow(10, -exponent));
      }
      add("without errors", "0", kNoErrors, 0);
    }
  }
  return plan;
}

Plan plan_wander() {
  return storm("A wandering satellite", wander_uplink_bers(), kWanderDownlinkBer);
}

Plan plan_thunderstorm() {
  return storm("A thunderstorm over one earth station", thunderstorm_bers(), 0);
}

Plan plan_bit_significance() {
  constexpr const char* kNames[] = {"sign",   "segment 1", "segment 2", "segment 3",
                                    "step 1", "step 2",    "step 3",    "step 4"};
  Plan plan;
  plan.title = "Which bit of a G.711 code hurts most";
  plan.horizontal = "bit with errors of 1e-2";
  for (const char* name : kNames) plan.labels.emplace_back(name);
  for (const char* stimulus : {"M6", "F1"}) {
    for (int bit = 0; bit < 8; ++bit) {
      for (int repeat = 0; repeat < kRepeats; ++repeat) {
        Trial trial;
        trial.series = stimulus;
        trial.label = kNames[bit];
        trial.x = bit + 1;
        trial.stimulus = stimulus;
        trial.profile = built_in("local-isdn");
        trial.profile.release.reset();
        trial.profile.errors = {RandomRate{1e-2}};
        trial.profile.error_mask = static_cast<BitMask>(0x80U >> static_cast<unsigned>(bit));
        plan.trials.push_back(std::move(trial));
      }
    }
  }
  return plan;
}

Plan plan_voip_satellite() {
  struct Background {
    const char* name;
    double video_kbit_s;
    int files;
  };
  constexpr Background kBackgrounds[] = {{"alone", 0, 0}, {"files", 0, 2}, {"video", 256, 0}};
  constexpr std::pair<const char*, Scheduling> kSchedulings[] = {
      {"fifo", Scheduling::fifo}, {"fair", Scheduling::fair}, {"reservation", Scheduling::reservation}};
  Plan plan;
  plan.title = "Voice beside video on a 512 kbit/s satellite link";
  plan.horizontal = "wanted video, kbit/s";
  const auto add = [&](const std::string& series, double rate, const std::optional<Bottleneck>& bottleneck) {
    Trial trial;
    trial.series = series;
    trial.label = plan.labels.back();
    trial.x = rate;
    trial.stimulus = "M6";
    trial.profile = built_in("satellite-isdn");
    trial.profile.release.reset();
    trial.profile.line.delay_s = 0.6;
    trial.profile.packets.emplace();
    trial.profile.packets->buffer_ms = 100;
    trial.profile.packets->bottleneck = bottleneck;
    trial.lead_s = kQueueLead_s;
    plan.trials.push_back(std::move(trial));
  };
  for (const double rate : {128, 256, 384, 512}) {
    plan.labels.push_back(fmt::format("{}", rate));
    for (const auto& [name, scheduling] : kSchedulings) {
      for (const Background& background : kBackgrounds) {
        add(fmt::format("{}, {}", name, background.name), rate,
            Bottleneck{512, scheduling, rate, background.video_kbit_s, background.files, 64});
      }
    }
    add(kNoBottleneck, rate, std::nullopt);
  }
  return plan;
}

}  // namespace vqas::experiment
