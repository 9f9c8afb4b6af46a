#pragma once

#include <cstdint>
#include <memory>

#include "vqas/channel/bit_error_stream.h"

namespace vqas::test {

/// Independent bit errors of a fixed ratio.
inline BitErrorStream random_errors(double ber, std::uint64_t seed, std::uint64_t stream = 0) {
  return BitErrorStream(std::make_unique<RandomErrors>(ber, seed, stream));
}

}  // namespace vqas::test
