#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "line/socket.h"
#include "line/wire.h"
#include "vqas/line/line.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// One end of a simulated line, by the protocol of SimulatorServer.
class SimLine final : public Line {
 public:
  /// Connects and says hello. Fails with line_lost when there is no answer, or with the simulator's reason when it
  /// refuses.
  static Result<std::unique_ptr<Line>> open(const std::string& name, const std::string& host, std::uint16_t port,
                                            End end);

  LineDescription description() const override { return description_; }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override;
  Status stand() override;
  void interrupt() override;

 private:
  SimLine(LineDescription description, Descriptor socket, WakeUp wake_up)
      : description_(std::move(description)), socket_(std::move(socket)), wake_up_(std::move(wake_up)) {}
  Error lost(const std::string& why);
  enum class Woken { readable, interrupted };
  Result<Woken> wait();
  Status wait_for_answer();
  Result<BlockTime> take_answer(std::span<float> heard);

  LineDescription description_;
  Descriptor socket_;
  WakeUp wake_up_;
  std::atomic<bool> interrupted_ = false;
  std::uint64_t index_ = 0;
};

}  // namespace vqas
