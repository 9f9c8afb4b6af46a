#pragma once

#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// What a recording holds that libsndfile cannot open, by its first bytes: "a WAV file with G.722 (format 0x028F)", "an
/// MP4 file". Empty where they do not tell, or where libsndfile should read it. Re-entrant.
std::string unread_kind(const std::filesystem::path& path);

/// The error for a recording that libsndfile has not opened: what it holds, with the command that converts it, or else
/// `fault`, libsndfile's own words.
Error cannot_open(const std::filesystem::path& path, const std::string& fault);

}  // namespace vqas
