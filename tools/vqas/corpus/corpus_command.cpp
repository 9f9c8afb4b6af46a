#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "corpus/corpus_folder.h"
#include "corpus/corpus_import_command.h"
#include "corpus/flite.h"
#include "terminal/command.h"
#include "vqas/corpus/build.h"
#include "vqas/corpus/corpus.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kManifestFile = "manifest.json";  // libvqas/doc/corpus.md

struct FolderOptions {
  std::string folder;
  bool json = false;
};

void print(const Json& json) {
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

Json to_json(const Stimulus& one) {
  Json files = Json::object();
  for (const auto& [rate, file] : one.files) {
    files[std::to_string(rate)] = {{"path", file.path.generic_string()},
                                   {"sha256", file.sha256},
                                   {"duration_s", file.duration_s},
                                   {"active_level_dbov", file.active_level_dbov}};
  }
  return {{"id", one.id},           {"talker", one.talker}, {"text", one.text},
          {"licence", one.licence}, {"recipe", one.recipe}, {"files", files}};
}

int list_corpus(const FolderOptions& options) {
  const auto folder = corpus_folder(options.folder);
  if (!folder) return report_error(folder.error());
  const auto corpus = Corpus::load(*folder);
  if (!corpus) return report_error(corpus.error());
  if (options.json) {
    Json stimuli = Json::array();
    for (const Stimulus& one : corpus->stimuli()) stimuli.push_back(to_json(one));
    print({{"folder", folder->string()}, {"digest", corpus->digest()}, {"stimuli", stimuli}});
    return kOk;
  }
  std::cout << fmt::format("{:<10} {:<8} {:>6} {:>7}  {:<12} {}\n", "stimulus", "talker", "s", "dBov", "rates (Hz)",
                           "text");
  for (const Stimulus& one : corpus->stimuli()) {
    std::string rates;
    for (const auto& [rate, file] : one.files) rates += (rates.empty() ? "" : " ") + std::to_string(rate);
    const auto& line = one.files.at(kLineRateHz);
    std::cout << fmt::format("{:<10} {:<8} {:>6.2f} {:>7.2f}  {:<12} {}\n", one.id, one.talker, line.duration_s,
                             line.active_level_dbov, rates, one.text);
  }
  std::cout << fmt::format("{} stimuli in {}, digest {}\n", corpus->stimuli().size(), folder->string(),
                           corpus->digest());
  return kOk;
}

Json to_json(const FileCheck& check) {
  Json json = {{"id", check.id}, {"rate_hz", check.rate_hz}, {"path", check.path.generic_string()}};
  json["active_level_dbov"] = check.active_level_dbov ? Json(*check.active_level_dbov) : Json(nullptr);
  json["peak_dbov"] = check.peak_dbov ? Json(*check.peak_dbov) : Json(nullptr);
  json["fault"] = check.fault.empty() ? Json(nullptr) : Json(check.fault);
  return json;
}

int verify_corpus(const FolderOptions& options) {
  const auto folder = corpus_folder(options.folder);
  if (!folder) return report_error(folder.error());
  const auto checks = check_corpus(*folder);
  if (!checks) return report_error(checks.error());
  std::size_t faults = 0;
  Json files = Json::array();
  for (const FileCheck& check : *checks) {
    faults += check.fault.empty() ? 0 : 1;
    files.push_back(to_json(check));
    if (!check.fault.empty()) std::cerr << "vqas: " << check.fault << ".\n";
  }
  const auto corpus = Corpus::load(*folder);
  if (options.json) {
    print({{"folder", folder->string()},
           {"digest", corpus ? Json(corpus->digest()) : Json(nullptr)},
           {"faults", faults},
           {"files", files}});
  } else if (faults == 0 && corpus) {
    std::cout << fmt::format("{} files match the manifest, digest {}\n", checks->size(), corpus->digest());
  } else {
    std::cout << fmt::format("{} of {} files are faulty\n", faults, checks->size());
  }
  return faults == 0 ? kOk : kBadInput;
}

// A folder that is neither a corpus nor empty may hold other people's files.
Status check_free(const std::filesystem::path& folder, bool force) {
  std::error_code fault;
  if (force || !std::filesystem::exists(folder, fault) || std::filesystem::exists(folder / kManifestFile, fault)) {
    return success();
  }
  if (!std::filesystem::is_directory(folder, fault)) {
    return Error{ErrorCode::bad_input, fmt::format("{}: is a file; give a folder", folder.string())};
  }
  if (std::filesystem::is_empty(folder, fault)) return success();
  return Error{ErrorCode::bad_input,
               fmt::format("the folder {} holds other files than a corpus; name another folder, or use --force to "
                           "add the corpus to it",
                           folder.string())};
}

int build(const std::string& folder, bool force) {
  if (const Status free = check_free(folder, force); !free) return report_error(free.error());
  const auto synthesiser = flite_synthesiser();
  if (!synthesiser) return report_error(synthesiser.error());
  const auto corpus = build_corpus(folder, *synthesiser);
  if (!corpus) return report_error(corpus.error());
  std::cout << fmt::format("{} stimuli built in {}, digest {}\n", corpus->stimuli().size(), folder, corpus->digest());
  return kOk;
}

CLI::App* add_folder_command(CLI::App& parent, const std::string& name, const std::string& description,
                             const std::shared_ptr<FolderOptions>& options) {
  CLI::App* command = parent.add_subcommand(name, description);
  add_corpus_option(*command, options->folder, "", "DIR,--corpus");
  command->add_flag("--json", options->json, "print JSON");
  return command;
}

}  // namespace

void add_corpus_command(CLI::App& app, Action& action) {
  CLI::App* corpus = app.add_subcommand("corpus", "list, check, import or build the recorded sentences for a line");
  corpus->require_subcommand(1);
  corpus->footer(
      "Examples:\n  vqas corpus list\n  vqas corpus verify my-corpus --json\n"
      "  vqas corpus import anna.wav --talker anna --text \"The birch canoe slid.\" --id A1 --into my-corpus");

  const auto listing = std::make_shared<FolderOptions>();
  CLI::App* list = add_folder_command(*corpus, "list", "show the stimuli of a corpus", listing);
  list->footer("Example: vqas corpus list my-corpus");
  list->callback([&action, listing] { action = [listing] { return list_corpus(*listing); }; });

  const auto verifying = std::make_shared<FolderOptions>();
  CLI::App* verify = add_folder_command(
      *corpus, "verify", "check digest, level and peak of every recording; exit code 3 on a fault", verifying);
  verify->footer("Example: vqas corpus verify my-corpus --json");
  verify->callback([&action, verifying] { action = [verifying] { return verify_corpus(*verifying); }; });

  const auto folder = std::make_shared<std::string>();
  CLI::App* builder = corpus->add_subcommand("build", "rebuild VQAS's own twelve stimuli (needs flite)");
  builder->add_option("DIR", *folder, "folder to create or update")->required();
  const auto force = std::make_shared<bool>(false);
  builder->add_flag("--force", *force, "build even if the folder holds other files than a corpus");
  builder->footer("Example: vqas corpus build new-corpus");
  builder->callback([&action, folder, force] { action = [folder, force] { return build(*folder, *force); }; });

  add_corpus_import_command(*corpus, action);
}

}  // namespace vqas::cli
