#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// The corpus folder of a command: from `option`, else from the environment's VQAS_CORPUS, else the one installed
/// beside this program or at the build's install location, else the one in the source tree. Fails with bad_input.
Result<std::filesystem::path> corpus_folder(const std::string& option);

/// Declares the option; `note` is added to its help.
void add_corpus_option(CLI::App& command, std::string& option, const std::string& note = "",
                       const std::string& name = "--corpus");

}  // namespace vqas::cli
