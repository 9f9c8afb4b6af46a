#pragma once

#include <sndfile.h>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "vqas/line/line.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Options of "file:?in=FILE&out=FILE"; one of them may be empty.
struct FileLineOptions {
  std::string name;  ///< the whole name
  std::filesystem::path in, out;
};
/// Fails with bad_input.
Result<FileLineOptions> parse_file_line(const std::string& name);

/// A line in two files: sent samples are written to one for a player, received samples come from the other. Runs as
/// fast as it is called; stands still while the node is idle, so that idle time is in neither file.
class FileLine final : public Line {
 public:
  /// Reads one file and creates the other, which must not exist. Fails with bad_input or io.
  static Result<std::unique_ptr<Line>> open(const FileLineOptions& options);
  ~FileLine() override;
  FileLine(const FileLine&) = delete;
  FileLine& operator=(const FileLine&) = delete;

  LineDescription description() const override;
  /// Fails with line_lost when the recording has ended.
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override;
  Status stand() override;
  void interrupt() override;

 private:
  FileLine(const FileLineOptions& options, Signal heard, SNDFILE* out)
      : options_(options), heard_(std::move(heard)), out_(out) {}

  const FileLineOptions options_;
  const Signal heard_;
  SNDFILE* out_;
  std::size_t position_ = 0;
  std::uint64_t index_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool interrupted_ = false;
};

}  // namespace vqas
