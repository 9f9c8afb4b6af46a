#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// Adds `import` below `vqas corpus`.
void add_corpus_import_command(CLI::App& corpus, Action& action);

}  // namespace vqas::cli
