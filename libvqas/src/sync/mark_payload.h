#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "vqas/sync/mark.h"

namespace vqas::sync {

/// Version of the mark format, 0..15. A mark of another version is not decoded.
inline constexpr std::uint32_t kMarkVersion = 1;
/// Version 4, sender 1, run 24, stimulus 8, sequence 16, corpus digest 16, checksum 16.
inline constexpr int kPayloadBits = 85;
using PayloadBits = std::array<std::uint8_t, kPayloadBits>;

/// The bits of a leading mark, one per element, most significant first. Excess bits of a field are cut off.
PayloadBits pack(const MarkData& data);

/// The reverse; nothing when the checksum fails or the version is another. Re-entrant.
std::optional<MarkData> unpack(const PayloadBits& bits);

}  // namespace vqas::sync
