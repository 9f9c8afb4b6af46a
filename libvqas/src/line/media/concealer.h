#pragma once

#include <memory>
#include <span>

namespace vqas {

/// Concealment of lost packets by repeating the pitch, after ITU-T G.711 Appendix I (spandsp), for codecs that have
/// none of their own. Blocks are 20 ms at 8 kHz. For one thread.
class Concealer {
 public:
  Concealer();
  ~Concealer();
  Concealer(const Concealer&) = delete;
  Concealer& operator=(const Concealer&) = delete;

  /// A block that came, rounded to 16 bits. After a loss its beginning is blended with what was made up.
  void heard(std::span<float> block);
  /// Makes up a block that is lost.
  void fill(std::span<float> block);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
