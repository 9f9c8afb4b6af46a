#pragma once

#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::app {

/// The vqas command: `option` as it is, else the one beside this program, else that of the same build, else the one in
/// PATH, else empty. Needs a QCoreApplication.
std::filesystem::path find_program(const std::string& option);

/// The corpus folder: `option` as it is, else VQAS_CORPUS, else the one installed with this program, else the one in
/// the source tree. Fails with bad_input. Needs a QCoreApplication.
Result<std::filesystem::path> find_corpus(const std::string& option);

}  // namespace vqas::app
