#include "vqas/sync/mark.h"

#include <cmath>
#include <numbers>

#include "sync/hop_code.h"
#include "sync/mark_payload.h"
#include "sync/symbol_shaping.h"

namespace vqas {
namespace {

// Marks have -20 dBov: a sine of this amplitude has an rms of 0.1.
constexpr double kAmplitude = 0.1 * std::numbers::sqrt2;
constexpr double kCarrierStep = 2 * std::numbers::pi * sync::kCarrierHz / kLineRateHz;

void add_hop_code(std::vector<float>& mark, std::ptrdiff_t start, const sync::HopCode& code) {
  const auto first = mark.begin() + start;
  for (int n = 0; n < sync::kHopLength; ++n) {
    // The carrier's phase counts from the code's start, in every mark.
    const std::complex<double> value = code.envelope(n) * std::polar(kAmplitude, kCarrierStep * n);
    first[n] += static_cast<float>(value.real());
  }
}

void add_symbols(std::vector<float>& mark, const sync::Symbols& symbols) {
  // A pulse of unit energy each kSymbolLength samples has the mean square 1/kSymbolLength.
  const double scale = kAmplitude * std::sqrt(double{sync::kSymbolLength});
  for (int k = 0; k < sync::kSymbols; ++k) {
    const auto middle = static_cast<std::ptrdiff_t>(sync::symbol_time(k));
    const std::complex<double> symbol = symbols[static_cast<std::size_t>(k)];
    for (std::ptrdiff_t n = -sync::kSymbolReach; n <= sync::kSymbolReach; ++n) {
      const double phase = kCarrierStep * static_cast<double>(middle + n - sync::kHopStart);
      mark[static_cast<std::size_t>(middle + n)] +=
          static_cast<float>((symbol * std::polar(scale * sync::symbol_pulse(static_cast<double>(n)), phase)).real());
    }
  }
}

}  // namespace

std::vector<float> make_leading_mark(const MarkData& data) {
  std::vector<float> mark(sync::kLeadingLength, 0.0F);
  add_hop_code(mark, sync::kHopStart, sync::HopCode(data.sender, MarkKind::leading));
  add_symbols(mark, sync::to_symbols(sync::encode(sync::pack(data)), data.sender));
  return mark;
}

std::vector<float> make_trailing_mark(End sender) {
  std::vector<float> mark(sync::kHopLength, 0.0F);
  add_hop_code(mark, 0, sync::HopCode(sender, MarkKind::trailing));
  return mark;
}

std::size_t leading_mark_length() {
  return sync::kLeadingLength;
}
std::size_t trailing_mark_length() {
  return sync::kHopLength;
}
double mark_centre(MarkKind kind) {
  return (kind == MarkKind::leading ? sync::kHopStart : 0) + sync::kHopLength / 2.0;
}

}  // namespace vqas
