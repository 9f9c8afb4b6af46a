#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "vqas/line/line.h"

namespace vqas {

/// Samples of one block or more, with the time and notes of each block.
struct HeardBlocks {
  std::vector<float> samples;
  std::vector<BlockTime> times;
  std::vector<std::string> warnings = {};  ///< Line::take_warning()
};

/// Blocks from a line for a slow reader such as a scorer. On a line in real time a separate thread keeps the line
/// running meanwhile; on a line in virtual time the line waits, so that a run does not depend on the machine. next()
/// and play() are for one thread.
class BlockExchange {
 public:
  BlockExchange(Line& line, const std::atomic<bool>& cancelled);
  /// Ends the thread.
  ~BlockExchange();
  BlockExchange(const BlockExchange&) = delete;
  BlockExchange& operator=(const BlockExchange&) = delete;

  /// Input since the last call, one block or more. Fails as Line::exchange() does.
  Result<HeardBlocks> next();
  /// Plays these after the samples already queued.
  void play(std::vector<float> samples);
  /// Nothing is left to be played.
  bool silent();
  /// Whether input is wanted (Round::hears) while nothing is played, and while something is. Both true until this is
  /// called. It holds for the input that next() has returned: while the reader is more than kBehind blocks behind the
  /// line, input is wanted, because a transmission may have begun.
  void hear(bool silent, bool playing);

  /// 0.2 s, the shortest silence before a transmission (kGap_s).
  static constexpr std::size_t kBehind = 10;

 private:
  Result<HeardBlocks> exchange();
  void run();

  Line& line_;
  const std::atomic<bool>& cancelled_;
  const bool threaded_;
  const std::size_t block_;  // samples
  std::mutex mutex_;
  std::condition_variable heard_;
  // Guarded by mutex_.
  HeardBlocks waiting_;
  std::vector<float> outgoing_;
  std::optional<Error> fault_;
  bool stopping_ = false;
  bool hears_silent_ = true, hears_playing_ = true;
  std::size_t taken_ = 0, given_ = 0, judged_ = 0;  // blocks: from the line, to the reader, at the last hear()

  std::thread thread_;
};

}  // namespace vqas
