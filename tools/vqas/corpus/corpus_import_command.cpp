#include "corpus/corpus_import_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vqas/corpus/import.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ImportOptions {
  std::vector<std::string> files;
  std::vector<std::string> ids;
  std::vector<std::string> texts;
  std::vector<std::string> talkers;
  std::string licence = "not stated";
  std::string into;
  int channel = 0;
  bool json = false;
};

// The value for the file at `index`: its own, or the common one.
const std::string& value_for(const std::vector<std::string>& values, std::size_t index) {
  return values.size() == 1 ? values.front() : values[index];
}

Status check_counts(const ImportOptions& options) {
  const std::size_t files = options.files.size();
  const auto bad = [&](const char* option, std::size_t count) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is given {} times for {} recordings; give it once per recording, in the same order",
                             option, count, files)};
  };
  if (options.texts.size() != files) return bad("--text", options.texts.size());
  if (!options.ids.empty() && options.ids.size() != files) return bad("--id", options.ids.size());
  if (options.talkers.size() != 1 && options.talkers.size() != files) return bad("--talker", options.talkers.size());
  return success();
}

std::vector<ImportRequest> requests_of(const ImportOptions& options) {
  std::vector<ImportRequest> requests;
  for (std::size_t n = 0; n < options.files.size(); ++n) {
    const std::filesystem::path file = options.files[n];
    requests.push_back({file, options.channel, options.ids.empty() ? file.stem().string() : options.ids[n],
                        value_for(options.talkers, n), options.texts[n], options.licence});
  }
  return requests;
}

Json to_json(const ImportOutcome& outcome) {
  const bool accepted = outcome.refusal == Refusal::none;
  Json json = {{"file", outcome.request.file.string()},
               {"id", outcome.request.id},
               {"accepted", accepted},
               {"refusal", accepted ? Json(nullptr) : Json(name_of(outcome.refusal))},
               {"reason", accepted ? Json(nullptr) : Json(outcome.reason)}};
  if (accepted) {
    json["duration_s"] = outcome.figures.duration_s;
    json["source_rate_hz"] = outcome.figures.source_rate_hz;
    json["source_level_dbov"] = outcome.figures.source_level_dbov;
    json["snr_db"] = outcome.figures.snr_db;
    json["rates_hz"] = outcome.figures.wide ? Json::array({8000, 16000}) : Json::array({8000});
  }
  return json;
}

void show(const ImportOutcome& outcome) {
  if (outcome.refusal != Refusal::none) {
    std::cerr << fmt::format("vqas: refused ({}): {}.\n", name_of(outcome.refusal), outcome.reason);
    return;
  }
  std::cout << fmt::format("{} from {}: {:.2f} s, was {:.1f} dBov, {:.0f} dB above the noise, {}\n", outcome.request.id,
                           outcome.request.file.string(), outcome.figures.duration_s, outcome.figures.source_level_dbov,
                           outcome.figures.snr_db,
                           outcome.figures.wide ? "8 and 16 kHz" : "8 kHz only (nothing above 4 kHz)");
}

int import(const ImportOptions& options) {
  if (const auto counts = check_counts(options); !counts) return report_error(counts.error());
  const auto outcomes = import_recordings(options.into, requests_of(options));
  if (!outcomes) return report_error(outcomes.error());
  std::size_t refused = 0;
  Json list = Json::array();
  for (const ImportOutcome& outcome : *outcomes) {
    refused += outcome.refusal == Refusal::none ? 0 : 1;
    list.push_back(to_json(outcome));
    if (!options.json) show(outcome);
  }
  if (options.json) {
    std::cout << Json{{"folder", options.into}, {"refused", refused}, {"recordings", list}}.dump(
                     2, ' ', false, Json::error_handler_t::replace)
              << "\n";
  }
  return refused == 0 ? kOk : kBadInput;
}

}  // namespace

void add_corpus_import_command(CLI::App& corpus, Action& action) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = corpus.add_subcommand(
      "import", "check, trim and level your own recordings and add them to a corpus; exit code 3 if any is refused");
  command->add_option("FILE", options->files, "recordings in any format that libsndfile reads, 8 kHz or more")
      ->required();
  const auto per_file = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return command->add_option(name, values, help)->allow_extra_args(false);
  };
  per_file("--text", options->texts, "the spoken text, once per recording, in the same order")->required();
  per_file("--id", options->ids, "name of the stimulus, once per recording; default: the file's name");
  per_file("--talker", options->talkers, "name of the talker, once for all or once per recording")->required();
  command->add_option("--licence", options->licence, "terms under which the recordings may be used")
      ->capture_default_str();
  command->add_option("--channel", options->channel, "channel to use, from 1; required if a file is not mono")
      ->check(CLI::Range(1, 64));
  command->add_option("--into", options->into, "corpus folder; created if missing")->required();
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Example: vqas corpus import anna.wav --talker anna --text \"The birch canoe slid.\" --id A1 --into my-corpus");
  command->callback([&action, options] { action = [options] { return import(*options); }; });
}

}  // namespace vqas::cli
