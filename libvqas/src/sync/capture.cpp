#include "vqas/sync/capture.h"

#include "sync/capture_engine.h"

namespace vqas {

struct CaptureReceiver::Engine : sync::CaptureEngine {
  using sync::CaptureEngine::CaptureEngine;
};

CaptureReceiver::CaptureReceiver(End sender, const TransmissionOptions& options, int rate_hz)
    : engine_(std::make_unique<Engine>(sender, options, rate_hz)) {}
CaptureReceiver::~CaptureReceiver() = default;
CaptureReceiver::CaptureReceiver(CaptureReceiver&&) noexcept = default;
CaptureReceiver& CaptureReceiver::operator=(CaptureReceiver&&) noexcept = default;

void CaptureReceiver::expect(const std::vector<Expectation>& expectations) {
  engine_->expect(expectations);
}
bool CaptureReceiver::idle() const {
  return engine_->idle();
}
std::optional<AwaitedMark> CaptureReceiver::awaited() const {
  return engine_->awaited();
}
std::vector<Capture> CaptureReceiver::push(std::span<const float> block) {
  return engine_->push(block);
}
std::vector<Capture> CaptureReceiver::abandon() {
  return engine_->abandon();
}
std::vector<Capture> CaptureReceiver::end_at(std::uint64_t position) {
  return engine_->end_at(static_cast<std::int64_t>(position));
}

}  // namespace vqas
