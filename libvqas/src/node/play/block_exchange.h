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

/// Samples of one block or more, and when and how each block came.
struct HeardBlocks {
  std::vector<float> samples;
  std::vector<BlockTime> times;
  std::vector<std::string> warnings = {};  ///< Line::take_warning()
};

/// Blocks from a line for somebody who may take his time over one, such as a scorer. On a line in real time a thread of
/// its own keeps the line going meanwhile; on a line of virtual time the line waits, so that a run does not depend on
/// the machine. next() and play() are for one thread.
class BlockExchange {
 public:
  BlockExchange(Line& line, const std::atomic<bool>& cancelled);
  /// Ends the thread.
  ~BlockExchange();
  BlockExchange(const BlockExchange&) = delete;
  BlockExchange& operator=(const BlockExchange&) = delete;

  /// What was heard since the last call, one block or more. Fails as Line::exchange() does.
  Result<HeardBlocks> next();
  /// Plays these after what is still to be played.
  void play(std::vector<float> samples);
  /// Nothing is left to be played.
  bool silent();
  /// Whether what is heard is wanted (Round::hears) while nothing is played, and while something is. Both true until
  /// this is called.
  void hear(bool silent, bool playing);

 private:
  Result<HeardBlocks> exchange();
  void run();

  Line& line_;
  const std::atomic<bool>& cancelled_;
  const bool threaded_;
  std::mutex mutex_;
  std::condition_variable heard_;
  // Guarded by mutex_.
  HeardBlocks waiting_;
  std::vector<float> outgoing_;
  std::optional<Error> fault_;
  bool stopping_ = false;
  bool hears_silent_ = true, hears_playing_ = true;

  std::thread thread_;
};

}  // namespace vqas
