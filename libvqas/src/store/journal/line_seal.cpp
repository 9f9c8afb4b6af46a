#include "store/journal/line_seal.h"

#include <algorithm>

#include "vqas/corpus/digest.h"

namespace vqas::store {
namespace {

constexpr std::size_t kDigits = 16;
constexpr std::string_view kAfter = R"("after":")";
constexpr std::string_view kDigest = R"(","digest":")";
constexpr std::string_view kEnd = R"("})";

std::string digest_of(std::string_view text) {
  return sha256_hex(text).substr(0, kDigits);
}

}  // namespace

std::string seal(const std::string& object, const std::string& after) {
  std::string line = object.substr(0, object.rfind('}'));
  if (line.size() > 1) line += ',';
  line += kAfter;
  line += after;
  const std::string digest = digest_of(line);
  return line.append(kDigest).append(digest).append(kEnd);
}

SealedLine unseal(std::string_view line) {
  SealedLine result;
  result.object = line;
  result.digest = result.computed = digest_of(line);
  const std::size_t tail = kDigest.size() + kDigits + kEnd.size();
  if (line.size() < tail || !line.ends_with(kEnd)) return result;
  const std::string_view before = line.substr(0, line.size() - tail);
  const std::string_view digest = line.substr(before.size() + kDigest.size(), kDigits);
  if (line.substr(before.size(), kDigest.size()) != kDigest) return result;
  const std::size_t at = before.rfind(kAfter);
  if (at == std::string_view::npos) return result;
  result.sealed = true;
  result.object = before.substr(0, at > 0 && before[at - 1] == ',' ? at - 1 : at);
  result.object += '}';
  result.after = before.substr(at + kAfter.size());
  result.digest = digest;
  result.computed = digest_of(before);
  result.intact = digest == result.computed && (result.after.empty() || is_hex_digest(result.after, kDigits));
  return result;
}

SealChain::Fault SealChain::next(const SealedLine& line) {
  Fault fault = Fault::none;
  if (line.sealed && !line.intact) {
    fault = Fault::changed;
  } else if (!line.sealed && sealed_) {
    fault = Fault::unsealed;
  } else if (line.sealed) {
    const bool follows = first_ || !sealed_ ? line.after.empty() : line.after == last_ || line.after == last_computed_;
    // If the line before is damaged itself, its digest may be damaged too.
    if (!follows && !doubted_) fault = Fault::behind_a_gap;
  }
  doubted_ = fault == Fault::changed || fault == Fault::unsealed;
  sealed_ = sealed_ || line.sealed;
  first_ = false;
  last_ = sealed_ ? line.digest : std::string();
  last_computed_ = line.computed;
  return fault;
}

}  // namespace vqas::store
