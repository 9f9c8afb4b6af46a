#pragma once

#include <cstdint>
#include <span>

namespace vqas {

enum class G711Law : std::uint8_t { mu, a };

/// Encodes samples by ITU-T G.711, bit-exact with the g711 of ITU-T G.191 on 16-bit input (CRCs:
/// libvqas/doc/channel.md). Floating-point samples (full scale ±1) are scaled by 32768, rounded to the nearest integer,
/// ties to even, and clipped to 16 bits; NaN is clipped too. `octets` has the length and order of `samples` and holds
/// the codes as on the line, with all inversions of the standard. Real-time safe, re-entrant.
void g711_encode(std::span<const float> samples, std::span<std::uint8_t> octets, G711Law law);
void g711_encode(std::span<const std::int16_t> samples, std::span<std::uint8_t> octets, G711Law law);

/// The reverse, also bit-exact with G.191; the floating-point samples are the 16-bit ones divided by 32768. `samples`
/// has the length of `octets`. Real-time safe, re-entrant.
void g711_decode(std::span<const std::uint8_t> octets, std::span<float> samples, G711Law law);
void g711_decode(std::span<const std::uint8_t> octets, std::span<std::int16_t> samples, G711Law law);

}  // namespace vqas
