#pragma once

#include <CLI/App.hpp>

namespace vqas::cli {

/// Makes every option of `app` and its commands that takes a number refuse an empty text and what is not finite.
void refuse_what_is_no_number(CLI::App& app);

}  // namespace vqas::cli
