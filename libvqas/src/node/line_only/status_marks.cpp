#include "node/line_only/status_marks.h"

#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "vqas/channel/random.h"

namespace vqas {
namespace {

// A stream of Random(seed, stream, substream) that no other part uses.
constexpr std::uint64_t kLineOrderStream = 0x6C696E65;  // "line"
constexpr unsigned kScored = 1, kEnough = 2, kAllEnough = 4, kFarewell = 8, kFlags = 15;
// No listener sends this flag alone: where no stimulus is wanted, the transmission's own is not wanted either.
constexpr unsigned kBrokenOff = kAllEnough;

}  // namespace

std::size_t stimulus_of(std::uint32_t run_id, std::uint32_t sequence, std::size_t count) {
  const std::size_t number = sequence - 1;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(run_id, kLineOrderStream, number / count);
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[random.next() % left]);
  return order[number % count];
}

std::uint16_t short_digest(const std::string& corpus_digest) {
  return static_cast<std::uint16_t>(std::strtoul(corpus_digest.substr(0, 4).c_str(), nullptr, 16));
}

MarkData sign_mark(const Sign& sign, End sender, std::uint32_t run_id, std::uint16_t sequence, std::uint16_t digest) {
  unsigned flags = (sign.scored ? kScored : 0) | (sign.enough ? kEnough : 0) | (sign.all_enough ? kAllEnough : 0) |
                   (sign.farewell ? kFarewell : 0);
  if (sign.broken_off) flags = kBrokenOff;
  return {sender, run_id, kSignPlace, sequence, static_cast<std::uint16_t>((digest & ~kFlags) | flags)};
}

std::optional<Sign> sign_of(const MarkData& data, std::uint16_t digest) {
  if (data.stimulus != kSignPlace || ((data.corpus_digest ^ digest) & ~kFlags & 0xFFFFU) != 0) return std::nullopt;
  const unsigned flags = data.corpus_digest & kFlags;
  if (flags == kBrokenOff) return Sign{.broken_off = true};
  return Sign{(flags & kScored) != 0, (flags & kEnough) != 0, (flags & kAllEnough) != 0, (flags & kFarewell) != 0};
}

}  // namespace vqas
