#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "vqas/score/stretches.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// From this length of the reference on, in seconds, a pair of files is scored in stretches.
inline constexpr double kLongFromS = 120;

/// Longest recording, in seconds, that a reference shorter than that is searched for in: the search holds all of it,
/// which took 0.27 MB a second.
inline constexpr double kLongestForShortS = 600;

/// By the headers, before anything is read: fails with bad_input where the degraded recording is too long to search for
/// a short reference in. What cannot be opened is left to those who read it.
Status check_lengths(const std::filesystem::path& reference, int reference_channel,
                     const std::filesystem::path& degraded, int degraded_channel);

/// Seconds that the file holds, 0 when it is not readable.
double length_of(const std::filesystem::path& recording, int channel);

/// The pair scored in stretches, read piece by piece.
Result<LongScore> score_long_files(Scorer& scorer, const std::filesystem::path& reference, int reference_channel,
                                   const std::filesystem::path& degraded, int degraded_channel,
                                   const StretchEvents& events = {});

/// The explanations of all stretches as one, made as narrow as a picture is, so that its size does not grow with the
/// length. Cells that nothing is known of are not numbers. Each stretch's spectrogram counts from its own strongest
/// cell.
class LongExplanation {
 public:
  explicit LongExplanation(double seconds);
  /// One stretch; replaces what was known of its time.
  void add(const StretchScore& stretch, const Explanation& explanation);
  Explanation sum(const LongScore& score) const;

 private:
  double column_s_;
  Explanation all_;
  std::map<double, Explanation> parts_;  // by start; without their maps
};

/// As to_text() and to_json_text() for one score.
std::string to_text(const LongScore& score);
std::string to_json_text(const LongScore& score, const std::string& reference, const std::string& degraded);

}  // namespace vqas::cli
