#include "vqas/channel/bit_errors.h"

namespace vqas {

BitErrorInjector::BitErrorInjector(double ber, std::uint64_t seed, std::uint64_t stream)
    : gaps_(ber, Random(seed, stream)), to_next_error_(gaps_.next()) {}

void BitErrorInjector::invert_due_bits(std::span<std::uint8_t> octets) {
  const std::uint64_t bits = std::uint64_t{8} * octets.size();
  GeometricGaps gaps = gaps_;  // in registers: octets may alias anything, this cannot
  std::uint64_t position = to_next_error_;
  std::uint64_t errors = 0;
  while (position < bits) {
    octets[position / 8] ^= static_cast<std::uint8_t>(0x80U >> (position % 8));
    ++errors;
    position += 1 + gaps.next();
  }
  gaps_ = gaps;
  to_next_error_ = position - bits;
  errors_ += errors;
}

}  // namespace vqas
