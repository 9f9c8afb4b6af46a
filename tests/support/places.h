#pragma once

namespace vqas::test {

/// The project's folder, and the built `vqas` program. These are functions, compiled in one file, so that a compiler
/// cache serves all other objects to any clone, whatever its path.
const char* source_dir();
const char* vqas_command();

}  // namespace vqas::test
