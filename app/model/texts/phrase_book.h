#pragma once

#include <span>

namespace vqas::app {

/// English texts of the libraries with placeholders from %1 to %9, in the translator's context "Phrase".
std::span<const char* const> phrase_book();

}  // namespace vqas::app
