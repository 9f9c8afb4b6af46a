#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// 0 where the corpus cannot be used.
std::size_t count_of_stimuli(const std::filesystem::path& corpus);

/// Fails with bad_input when the corpus has no such stimulus, one is named twice, or the corpus cannot be used. `where`
/// says who named the stimuli.
Status check_stimuli(const std::filesystem::path& corpus, const std::vector<std::string>& stimuli,
                     const std::string& where = "--stimuli");

}  // namespace vqas
