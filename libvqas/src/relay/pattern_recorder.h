#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "line/socket.h"
#include "relay/pattern_sink.h"
#include "vqas/relay/pattern_file.h"

namespace vqas {

/// Writes an error pattern, on a thread of its own: what the relay's thread tells it is copied under a lock that the
/// writer holds for the time of a swap. Whatever was written before a failure of the disk stays; the rest is dropped
/// and the failure told by finish().
class PatternRecorder final : public PatternSink {
 public:
  /// Makes the file, never over one that is there; its name tells the format (pattern_format()). Of `notes`, seed and
  /// stream are taken. Fails with bad_input or io and the name.
  static Result<std::unique_ptr<PatternRecorder>> create(const std::filesystem::path& file, PatternNotes notes);
  ~PatternRecorder() override;
  PatternRecorder(const PatternRecorder&) = delete;
  PatternRecorder& operator=(const PatternRecorder&) = delete;

  void stream_begins(std::uint64_t at_octet, std::uint32_t ssrc, std::uint32_t timestamp) override;
  void passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) override;
  void lost(std::uint64_t at_octet, std::uint64_t octets) override;

  /// Writes everything told before, and the notes. Nothing more is taken. Gives the first failure of all.
  Status finish();
  /// Ends it and takes its files away.
  void discard();

 private:
  struct Piece {
    std::uint64_t at_octet;
    std::size_t octets;
  };
  // What was told and is not written yet.
  struct Batch {
    std::vector<Piece> pieces;
    std::vector<std::uint8_t> inverted;
    std::vector<PatternStream> streams;
    std::vector<PatternLoss> losses;
    void clear();
  };

  PatternRecorder(std::filesystem::path file, PatternNotes notes, Descriptor descriptor);
  void run();
  void write(const Batch& batch);
  bool put(std::uint64_t at_octet, std::span<const std::uint8_t> inverted);
  bool put_right_until(std::uint64_t octet);
  bool put_raw(std::uint64_t at_byte, std::span<const std::uint8_t> bytes);
  void write_notes();
  void fail(const std::string& why);

  std::filesystem::path file_;
  Descriptor descriptor_;
  PatternNotes notes_;  // of the writer
  std::vector<std::uint8_t> words_;
  Status failure_ = success();  // of the writer
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  Batch told_;
  std::thread writer_;
};

}  // namespace vqas
