#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace vqas {

/// The words that files, messages and options use for the values of an enum: each value and each word once.
template <typename T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

/// The word for `value`; empty if the table lacks it.
template <typename T, std::size_t N>
constexpr std::string_view word_of(const Words<T, N>& words, T value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return {};
}

/// The value that `word` stands for; nothing if the table lacks it.
template <typename T, std::size_t N>
constexpr std::optional<T> value_of(const Words<T, N>& words, std::string_view word) {
  for (const auto& [known, value] : words) {
    if (known == word) return value;
  }
  return std::nullopt;
}

}  // namespace vqas
