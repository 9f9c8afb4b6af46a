#pragma once

#include <string>
#include <string_view>

namespace vqas::store {

/// A line of a journal carries a digest over itself and over the digest of the line before it, so that a line that was
/// changed is told from one that was lost. The last two members of its object are `"after"`, the digest of the line
/// before (empty in the first), and `"digest"`: the first 64 bits of the SHA-256 of all in front of it. Against
/// accidents, not against one who computes them anew.

/// The line of a JSON object, without a line's end.
std::string seal(const std::string& object, const std::string& after);

struct SealedLine {
  bool sealed = false;   ///< carries both members
  bool intact = false;   ///< and its digest is that of its text
  std::string object;    ///< without the two; the line as it is where it has none
  std::string after;     ///< as it says
  std::string digest;    ///< as it says; of a line without one: that of its text
  std::string computed;  ///< what its digest should be
};
/// Re-entrant.
SealedLine unseal(std::string_view line);

/// Follows the lines of a journal.
class SealChain {
 public:
  /// What is wrong with the next line beside what stands in it.
  enum class Fault { none, changed, unsealed, behind_a_gap };
  Fault next(const SealedLine& line);
  /// Whether the last line carried a digest.
  bool is_sealed() const { return sealed_; }
  /// What the line that is written next comes after; empty behind lines of an earlier release.
  const std::string& last() const { return last_; }

 private:
  bool first_ = true, sealed_ = false, doubted_ = false;
  std::string last_, last_computed_;
};

}  // namespace vqas::store
