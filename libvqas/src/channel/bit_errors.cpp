#include "vqas/channel/bit_errors.h"

#include "channel/gap_table.h"

namespace vqas {
namespace {

// From this number of errors on, a table is faster.
constexpr double kManyErrors = 20'000;

struct Inverted {
  std::uint64_t errors;
  std::uint64_t reached;  // the next bad bit
};

template <typename NextGap>
Inverted invert_from(std::uint64_t position, std::span<std::uint8_t> octets, NextGap next_gap) {
  const std::uint64_t bits = std::uint64_t{8} * octets.size();
  std::uint64_t errors = 0;
  while (position < bits) {
    octets[position / 8] ^= static_cast<std::uint8_t>(0x80U >> (position % 8));
    ++errors;
    position += 1 + next_gap();
  }
  return {errors, position};
}

}  // namespace

BitErrorInjector::BitErrorInjector(double ber, std::uint64_t seed, std::uint64_t stream)
    : gaps_(ber, Random(seed, stream)), to_next_error_(gaps_.next()) {}

void BitErrorInjector::invert_due_bits(std::span<std::uint8_t> octets) {
  const std::uint64_t bits = std::uint64_t{8} * octets.size();
  GeometricGaps gaps = gaps_;  // in registers: octets may alias any object, but not this copy
  Inverted done{};
  if (ber() >= GapTable::kLowestBer && ber() * static_cast<double>(bits) >= kManyErrors) {
    const GapTable table(gaps);
    done = invert_from(to_next_error_, octets, [&] { return table.next(gaps); });
  } else {
    done = invert_from(to_next_error_, octets, [&] { return gaps.next(); });
  }
  gaps_ = gaps;
  to_next_error_ = done.reached - bits;
  errors_ += done.errors;
}

}  // namespace vqas
