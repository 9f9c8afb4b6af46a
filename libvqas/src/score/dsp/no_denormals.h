#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace vqas::scoring {

/// While it lives, the thread takes numbers below 1e-38 as zero. A processor goes through them a hundred times more
/// slowly, and digital silence behind a filter is made of them. What else the thread had set stays.
class NoDenormals {
 public:
#if defined(__x86_64__)
  NoDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero);
  }
  ~NoDenormals() {
    constexpr unsigned kBits = kFlushToZero | kDenormalsAreZero;
    _mm_setcsr((_mm_getcsr() & ~kBits) | (before_ & kBits));
  }
#else
  NoDenormals() = default;
#endif
  NoDenormals(const NoDenormals&) = delete;
  NoDenormals& operator=(const NoDenormals&) = delete;

#if defined(__x86_64__)
 private:
  // not tuned: bits of the control register (Intel 64 and IA-32 Architectures Software Developer's Manual 1, 10.2.3)
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kDenormalsAreZero = 0x0040;
  unsigned before_;
#endif
};

}  // namespace vqas::scoring
