#include "node/play/block_exchange.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <vector>

namespace vqas {
namespace {

// A line in real time that passes a block only when the test says so, and records which input is wanted.
class GatedLine : public Line {
 public:
  LineDescription description() const override { return {"gated:", false, {}}; }
  Result<BlockTime> exchange(std::span<const float>, std::span<float> heard, Round round) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return passed_.size() < allowed_ || interrupted_; });
    if (interrupted_) return Error{ErrorCode::cancelled, "interrupted"};
    std::ranges::fill(heard, 0.0F);
    passed_.push_back(round.hears);
    changed_.notify_all();
    return BlockTime{.index = passed_.size() - 1};
  }
  void interrupt() override {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    changed_.notify_all();
  }
  // Whether the input was wanted in each of these many more blocks.
  std::vector<bool> pass(std::size_t blocks) {
    std::unique_lock lock(mutex_);
    const auto before = static_cast<std::ptrdiff_t>(passed_.size());
    allowed_ += blocks;
    changed_.notify_all();
    changed_.wait(lock, [this] { return passed_.size() == allowed_; });
    return {passed_.begin() + before, passed_.end()};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> passed_;
  std::size_t allowed_ = 0;
  bool interrupted_ = false;
};

TEST(BlockExchange, WhileTheReaderIsBehindTheLineInputIsWanted) {
  GatedLine line;
  const std::atomic<bool> cancelled = false;
  BlockExchange exchange(line, cancelled);
  const auto read_all = [&exchange](std::size_t blocks) {
    while (blocks > 0) {
      const auto heard = exchange.next();
      ASSERT_TRUE(heard);
      blocks -= heard->times.size();
    }
    exchange.hear(false, false);
  };
  line.pass(1);
  read_all(1);
  // The block whose wish was chosen before the reader had read.
  line.pass(1);
  read_all(1);
  const std::vector<bool> wanted = line.pass(BlockExchange::kBehind + 20);
  EXPECT_FALSE(wanted[1]) << "nothing is wanted of what follows at once";
  EXPECT_TRUE(wanted.back()) << "a transmission may have begun that the reader has not seen";
  read_all(wanted.size());
  line.pass(1);
  read_all(1);
  EXPECT_FALSE(line.pass(2).back()) << "the reader has caught up";
}

}  // namespace
}  // namespace vqas
