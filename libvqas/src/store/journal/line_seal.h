#pragma once

#include <string>
#include <string_view>

namespace vqas::store {

/// A line of a journal carries a digest over itself and the digest of the line before it, so that changed lines and
/// missing lines are distinguished. The last two members of its object are `"after"`, the digest of the line before
/// (empty in the first line), and `"digest"`: the first 64 bits of the SHA-256 of everything before it. Protects
/// against accidents, not against someone who recomputes the digests.

/// The line of a JSON object, without a line end.
std::string seal(const std::string& object, const std::string& after);

struct SealedLine {
  bool sealed = false;   ///< carries both members
  bool intact = false;   ///< and its digest matches its text
  std::string object;    ///< without the two members; the whole line if it has none
  std::string after;     ///< as given in the line
  std::string digest;    ///< as given in the line; of a line without one: the digest of its text
  std::string computed;  ///< the correct digest
};
/// Re-entrant.
SealedLine unseal(std::string_view line);

/// Checks the lines of a journal in order.
class SealChain {
 public:
  /// Faults of the next line, apart from its content.
  enum class Fault { none, changed, unsealed, behind_a_gap };
  Fault next(const SealedLine& line);
  /// Whether the last line had a digest.
  bool is_sealed() const { return sealed_; }
  /// The digest that the next written line refers to; empty after lines of an earlier release.
  const std::string& last() const { return last_; }

 private:
  bool first_ = true, sealed_ = false, doubted_ = false;
  std::string last_, last_computed_;
};

}  // namespace vqas::store
