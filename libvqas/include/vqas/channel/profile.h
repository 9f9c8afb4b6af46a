#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/error_pattern.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/packet_conditions.h"
#include "vqas/channel/varying_errors.h"
#include "vqas/signal/result.h"

namespace vqas {

// The kinds of bit errors that a leg of a line can have. Ratios are 0 or 1e-12..0.5 and count the bits that the
// profile's mask selects; times count from the line's start.

/// Independent errors of a fixed ratio.
struct RandomRate {
  double ber = 0;
  bool operator==(const RandomRate&) const = default;
};

/// An exact number of errors at random places among the first `span_s` seconds.
struct ExactCount {
  std::uint64_t errors = 0;  ///< 0..1e7, at most the bits of the span
  double span_s = 1;         ///< 0.01..86400
  bool operator==(const ExactCount&) const = default;
};

/// Bursts of another ratio on a background; the line starts with a gap.
struct Bursts {
  double background_ber = 0;
  double burst_ber = 0;
  double burst_s = 1;    ///< 0.001..86400
  double gap_s = 10;     ///< from the end of a burst to the start of the next; 0.001..86400
  bool periodic = true;  ///< otherwise lengths and gaps are geometric with these means
  bool operator==(const Bursts&) const = default;
};

/// Single errors at given times.
struct ErrorsAt {
  std::vector<double> at_s;  ///< rising, 0..86400, at most 100000
  bool operator==(const ErrorsAt&) const = default;
};

/// A recorded pattern played back.
struct PatternReplay {
  std::filesystem::path file;
  bool loop = true;
  std::shared_ptr<const ErrorPattern> pattern;  ///< content of the file
  bool operator==(const PatternReplay& other) const { return file == other.file && loop == other.loop; }
};

/// A step or, with two different ratios, a ramp that is linear in the logarithm.
struct BerStep {
  double duration_s = 1;  ///< 0.001..86400
  double from_ber = 0;
  double to_ber = 0;  ///< if either is 0, from_ber applies
  bool operator==(const BerStep&) const = default;
};

/// A ratio that varies with time.
struct VaryingRate {
  std::vector<BerStep> steps;  ///< 1..10000
  bool loop = false;           ///< otherwise no errors after the last step
  bool operator==(const VaryingRate&) const = default;
};

using ErrorKind = std::variant<RandomRate, ExactCount, Bursts, GilbertElliott, ErrorsAt, PatternReplay, VaryingRate>;

/// When a network releases a call, and how the call is re-established (NTIA Report 98-354, section 2). It is released
/// after `after_s` whole seconds in a row that each had this bit error ratio or more. Only ones arrive for `restore_s`.
/// Then the call is restored at `restored_ber`, and returns to the line's own errors as soon as these have stayed below
/// the ratio for `after_s`. Off unless a profile enables it.
struct LinkRelease {
  double ber = 1e-3;           ///< 1e-6..0.5
  int after_s = 5;             ///< 1..3600, whole
  int restore_s = 10;          ///< 1..3600, whole
  double restored_ber = 1e-9;  ///< 0 or 1e-12..0.5
  bool operator==(const LinkRelease&) const = default;
};
/// "terrestrial": 1e-3 for 5 s; "local-switch" and "satellite": 1e-2 for 2 s; otherwise nothing. The last two are
/// inferred from the report's storms, which lost the call at 4e-2 and above and held it at 3e-3 to 5e-3.
std::optional<LinkRelease> release_of_network(std::string_view network);

/// What the line carries while it is interrupted.
enum class Fill : std::uint8_t {
  idle,   ///< the law's code for silence
  ones,   ///< octets FF
  zeros,  ///< octets 00
  hold,   ///< the last octet, stuck
};
/// A drop-out or stuck octets, once or repeatedly.
struct Interruption {
  Fill fill = Fill::idle;
  double start_s = 0;     ///< 0..86400
  double duration_s = 1;  ///< 0.000125..86400
  double every_s = 0;     ///< from start to start, longer than the duration; 0: once
  bool operator==(const Interruption&) const = default;
};

/// A jump of the stream: octets are repeated or skipped. Also a step of the delay by one octet each.
struct Slip {
  double at_s = 0;     ///< 0..86400
  int octets = 1;      ///< -80000..80000, not 0; positive: repeated (delay grows), negative: skipped
  double every_s = 0;  ///< 0: once; otherwise repeated with alternating sign, so that the mean delay stays
  bool operator==(const Slip&) const = default;
};

/// Which bands a line passes.
enum class Band : std::uint8_t {
  full,           ///< 0..4000 Hz
  g712,           ///< 300..3400 Hz
  long_distance,  ///< 300..2600 Hz: the top of the talker's band is missing (NTIA Report 98-354, section 2.4)
};

/// Analogue parts before the encoder, in this order, and the echo after the decoder.
struct AnalogueParts {
  bool agc = false;              ///< automatic gain control
  double agc_target_dbov = -26;  ///< target speech level, -50..-6; the gain stays within ±agc_range_db
  double agc_range_db = 15;      ///< 0..40
  double hum_hz = 50;            ///< 40..70
  double hum_dbm0 = -std::numeric_limits<double>::infinity();     ///< -90..0, or -infinity: none
  double clip_dbov = std::numeric_limits<double>::infinity();     ///< peaks above are clipped, -40..0; infinity: none
  double echo_loss_db = std::numeric_limits<double>::infinity();  ///< of one echo, 0..80; infinity: none
  double echo_delay_s = 0.05;                                     ///< after the speech itself, 0.001..2
  bool operator==(const AnalogueParts&) const = default;
};

/// All effects of one direction of a line on speech: a value, read from TOML (profile_text.h), found by name
/// (profile_library.h), applied by LineDirection, its digital part alone by OctetChannel.
struct Profile {
  std::string name;     ///< letters, digits, '-', '.', '_'; may be empty
  std::string summary;  ///< one sentence; may be empty

  /// Law, delay, gain, noise, clocks and phase. `line.ber` and `line.band_limit` are not used: see `errors` and `band`.
  /// The delay is mouth to ear and includes the latency of all parts.
  LineConditions line;
  Band band = Band::g712;
  AnalogueParts analogue;

  std::vector<ErrorKind> errors;  ///< the legs of the line, 0..4, in series: their errors add
  BitMask error_mask = kAllBits;  ///< the bits of each octet that errors can affect, not 0
  std::optional<LinkRelease> release;
  std::vector<Interruption> interruptions;  ///< at most 64; where two overlap, the earlier in the list applies
  std::vector<Slip> slips;                  ///< slips and steps of the delay, at most 64

  std::optional<PacketConditions> packets;

  bool operator==(const Profile&) const = default;
};

/// The profile of plain conditions: random errors of `conditions.ber`, and the band according to `band_limit`.
Profile profile_of(const LineConditions& conditions);

/// Fails with bad_input, naming key, value and range.
Status validate(const Profile& profile);

/// The latency of a profile's own parts, in seconds: the smallest possible delay.
double shortest_delay_s(const Profile& profile);

/// The most octets by which the slips of a profile can advance the stream, which must be buffered beforehand.
std::uint64_t slip_reserve_octets(const std::vector<Slip>& slips);

/// The error process of all legs together, with all randomness from `seed` and `stream`; one leg of a fixed ratio
/// equals RandomErrors(ber, seed, stream). `profile` must have passed validate().
std::unique_ptr<ErrorProcess> make_errors(const Profile& profile, std::uint64_t seed, std::uint64_t stream);

}  // namespace vqas
