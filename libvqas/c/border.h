#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string_view>

#include "vqas/score/mode.h"
#include "vqas/vqas.h"

namespace vqas::c {

/// Text of the last failure. It has a fixed size, so that a failure to allocate memory can be told, too.
class Message {
 public:
  void set(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), sizeof text_ - 1);
    std::memcpy(text_, text.data(), length);
    text_[length] = '\0';
  }
  const char* text() const noexcept { return text_; }
  /// Into a caller's buffer, cut to its size.
  void copy_to(char* to, std::size_t size) const noexcept {
    if (to == nullptr || size == 0) return;
    const std::size_t length = std::min(std::strlen(text_), size - 1);
    std::memcpy(to, text_, length);
    to[length] = '\0';
  }

 private:
  char text_[512] = "";
};

/// Calls `work`, which gives a vqas_status. No exception passes.
template <typename Work>
vqas_status guarded(Message& message, Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    message.set(vqas_status_text(VQAS_NO_MEMORY));
    return VQAS_NO_MEMORY;
  } catch (const std::exception& fault) {
    message.set(fault.what());
    return VQAS_INTERNAL;
  } catch (...) {
    message.set(vqas_status_text(VQAS_INTERNAL));
    return VQAS_INTERNAL;
  }
}

inline vqas_status invalid(Message& message, std::string_view text) noexcept {
  message.set(text);
  return VQAS_INVALID;
}

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

inline double or_nan(const std::optional<double>& value) {
  return value.value_or(kUndefined);
}

/// Whether a caller's structure is as large as this one, or larger. No version before 0.1 had smaller structures, so a
/// smaller size is an error of the caller.
template <typename Struct>
bool is_known_size(std::size_t size) {
  return size >= sizeof(Struct);
}

/// Whether a caller gave a handle, and a structure of a known size for what it asks of it.
template <typename Handle, typename Struct>
bool is_usable(const Handle* handle, const Struct* to, std::size_t size) {
  return handle != nullptr && to != nullptr && is_known_size<Struct>(size);
}

/// Writes as much as the caller has room for; members that this library does not know become 0.
template <typename Struct>
void write(const Struct& value, Struct* to, std::size_t size) {
  std::memset(to, 0, size);
  std::memcpy(to, &value, std::min(size, sizeof(Struct)));
}

/// The caller's options, or the defaults without any; nothing if their size is too small or they ask for what this
/// library does not know.
template <typename Struct>
std::optional<Struct> options_or(const Struct& defaults, const Struct* given, std::size_t size) {
  if (given == nullptr) return defaults;
  if (!is_known_size<Struct>(size)) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  if (std::any_of(bytes + sizeof(Struct), bytes + size, [](unsigned char byte) { return byte != 0; })) {
    return std::nullopt;
  }
  return *given;
}

inline constexpr std::string_view kBadOptions = "the options have a wrong size, or ask for what this version lacks";

/// What the _init functions of all options do.
template <typename Struct>
vqas_status init(const Struct& defaults, Struct* options, std::size_t size) noexcept {
  if (options == nullptr || !is_known_size<Struct>(size)) return VQAS_INVALID;
  write(defaults, options, size);
  return VQAS_OK;
}

/// Written so that NaN is out of range.
inline bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

/// Nothing for another value than those of vqas_mode.
inline std::optional<ScoreMode> score_mode(vqas_mode mode) {
  if (mode == VQAS_NARROWBAND) return ScoreMode::narrowband;
  if (mode == VQAS_WIDEBAND) return ScoreMode::wideband;
  return std::nullopt;
}

inline bool is_end(vqas_end end) {
  return end == VQAS_END_A || end == VQAS_END_B;
}

}  // namespace vqas::c
