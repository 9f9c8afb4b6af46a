#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

/// The 16-bit words of ITU-T G.192, little-endian in files.
namespace vqas::g192 {

inline constexpr std::uint16_t kGoodBit = 0x007F;
inline constexpr std::uint16_t kBadBit = 0x0081;
inline constexpr std::uint16_t kGoodFrame = 0x6B21;
inline constexpr std::uint16_t kLostFrame = 0x6B20;

inline std::uint16_t word_of(char low, char high) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(low) | (static_cast<unsigned char>(high) << 8U));
}

/// Appends a word to the bytes of a file.
template <typename Bytes>
void append_word(std::uint16_t word, Bytes& bytes) {
  bytes.push_back(static_cast<typename Bytes::value_type>(word & 0xFFU));
  bytes.push_back(static_cast<typename Bytes::value_type>(word >> 8U));
}

/// An error about a pattern file.
inline Error fault(const std::filesystem::path& path, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

}  // namespace vqas::g192
