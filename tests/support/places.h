#pragma once

namespace vqas::test {

/// The project's folder, and the built `vqas` program. They are functions, compiled in one file, so that a compiler
/// cache serves every other object to any clone, wherever it lies.
const char* source_dir();
const char* vqas_command();

}  // namespace vqas::test
