#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vqas {

/// What a simulated line carries speech by.
enum class LineCodec : std::uint8_t {
  g711,     ///< 8 kHz from end to end
  gateway,  ///< ends at 16 kHz, and a gateway that transcodes to G.711: the narrow band alone arrives
  g722,     ///< 16 kHz, G.722 at 64 kbit/s, with bit errors on its octets
  l16,      ///< 16 kHz, 16-bit samples without errors
};
/// "g711", "gateway", "g722", "l16".
std::string_view to_string(LineCodec codec);
std::optional<LineCodec> line_codec_from_string(std::string_view name);
/// For people: "G.722".
std::string_view in_words(LineCodec codec);
/// The rate of the line's ends, 8000 or 16000 Hz.
int rate_hz_of(LineCodec codec);

}  // namespace vqas
