#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/line/open_line.h"
#include "vqas/line/simulator.h"

namespace vqas::test {

/// Long enough for a loaded machine, short enough to report a hang.
inline constexpr std::chrono::seconds kDeadline{20};

/// A simulator on its own thread.
class RunningSimulator {
 public:
  explicit RunningSimulator(const SimulatedLine& line = symmetric_line(LineConditions(), 0, 0, 1),
                            std::chrono::milliseconds patience = std::chrono::seconds(5), std::uint16_t port = 0,
                            std::function<std::int64_t()> clock_ns = {}) {
    auto server = SimulatorServer::listen(line, port, patience);
    EXPECT_TRUE(server);
    server_ = std::move(server).value();
    if (clock_ns) server_->go_by(std::move(clock_ns));
    thread_ = std::thread([this] { EXPECT_TRUE(server_->run()); });
  }
  ~RunningSimulator() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  std::uint16_t port() const { return server_->port(); }
  std::string name(End end) const { return "sim:127.0.0.1:" + std::to_string(port()) + (end == End::a ? "/a" : "/b"); }
  std::unique_ptr<Line> open(End end) const {
    auto line = open_line(name(end), end);
    EXPECT_TRUE(line) << line.error().message;
    return line ? std::move(line).value() : nullptr;
  }

 private:
  std::unique_ptr<SimulatorServer> server_;
  std::thread thread_;
};

/// A clock that is `speed` times as fast as the machine's, from 0.
inline std::function<std::int64_t()> fast_clock(double speed) {
  const auto began = std::chrono::steady_clock::now();
  return [began, speed] {
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - began;
    return static_cast<std::int64_t>(passed.count() * speed);
  };
}

inline Result<BlockTime> exchange_silence(Line& line, Round round) {
  const std::array<float, kLineBlock> sent{};
  std::array<float, kLineBlock> heard{};
  return line.exchange(sent, heard, round);
}

/// The result of an exchange on another thread, which must come before the deadline.
template <typename Future>
auto in_time(Future& future) {
  EXPECT_EQ(future.wait_for(kDeadline), std::future_status::ready) << "it hangs";
  return future.get();
}

}  // namespace vqas::test
