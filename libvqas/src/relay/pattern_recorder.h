#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "line/socket.h"
#include "relay/pattern_file.h"
#include "relay/pattern_sink.h"

namespace vqas {

/// Writes an error pattern in a thread of its own. The relay's thread passes data through a ring of fixed size, without
/// locks and without allocation. Data is left out and counted while the ring is full because the disk is too slow. What
/// was written before a disk failure stays; the rest is dropped. finish() reports both. For one feeding thread and one
/// that calls finish().
class PatternRecorder final : public PatternSink {
 public:
  /// Octets of the ring: half a minute of one direction.
  static constexpr std::size_t kRing = std::size_t{256} << 10U;

  /// Creates the file, never over an existing one; its name gives the format (pattern_format()). Seed and stream are
  /// taken from `notes`. Fails with bad_input or io and the name.
  static Result<std::unique_ptr<PatternRecorder>> create(const std::filesystem::path& file, PatternNotes notes);
  ~PatternRecorder() override;
  PatternRecorder(const PatternRecorder&) = delete;
  PatternRecorder& operator=(const PatternRecorder&) = delete;

  void stream_begins(std::uint64_t at_octet, std::uint32_t ssrc, std::uint32_t timestamp) override;
  void passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) override;
  void lost(std::uint64_t at_octet, std::uint64_t octets) override;

  /// Writes all data passed so far, and the notes. Accepts no more. Returns the first failure of all.
  Status finish();
  /// Ends recording and removes its files.
  void discard();

 private:
  enum class Kind : std::uint8_t { stream, passed, lost };
  // Precedes the inverted bits in the ring.
  struct Told {
    std::uint64_t at_octet = 0, octets = 0;
    std::uint32_t ssrc = 0, timestamp = 0;  // of a stream
    Kind kind = Kind::passed;
  };

  PatternRecorder(std::filesystem::path file, PatternNotes notes, Descriptor descriptor);
  void tell(const Told& told, std::span<const std::uint8_t> inverted);
  void run();
  // Writes the content of the ring; true if a stream began.
  bool write_told();
  void write(const Told& told, std::span<const std::uint8_t> inverted);
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
  boost::lockfree::spsc_queue<std::uint8_t> ring_{kRing};
  std::atomic<std::uint64_t> unrecorded_{0};  // octets that did not fit in the ring
  std::vector<std::uint8_t> taken_;           // from the ring; its end may be the start of an incomplete record
  std::mutex mutex_;                          // only between writer and finish()
  std::condition_variable wake_;
  bool ending_ = false;
  std::thread writer_;
};

}  // namespace vqas
