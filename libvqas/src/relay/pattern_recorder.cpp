#include "relay/pattern_recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace vqas {
namespace {

constexpr std::chrono::milliseconds kPause{100};
constexpr std::size_t kMostStreams = 1000;
constexpr std::size_t kMostLosses = 1'000'000;
constexpr std::size_t kFillOctets = 4096;

}  // namespace

Result<std::unique_ptr<PatternRecorder>> PatternRecorder::create(const std::filesystem::path& file,
                                                                 PatternNotes notes) {
  const auto format = pattern_format(file);
  if (!format) return format.error();
  notes.format = *format;
  // A call cannot be repeated, so an earlier recording is never overwritten. Devices may be written to.
  std::error_code fault;
  const bool is_device = std::filesystem::exists(file, fault) && !std::filesystem::is_regular_file(file, fault);
  const int flags = O_WRONLY | O_CLOEXEC | (is_device ? 0 : O_CREAT | O_EXCL);
  Descriptor descriptor(::open(file.c_str(), flags, 0644));
  const int why = errno;
  if ((!descriptor && why == EEXIST) || (!is_device && std::filesystem::exists(notes_file(file), fault))) {
    if (descriptor) std::filesystem::remove(file, fault);
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: it or its notes exist, perhaps from an earlier call; give another name", file.string())};
  }
  if (!descriptor) {
    return Error{ErrorCode::io, fmt::format("{}: {}; give a file in a folder that can be written to", file.string(),
                                            system_error_text(why))};
  }
  return std::unique_ptr<PatternRecorder>(new PatternRecorder(file, std::move(notes), std::move(descriptor)));
}

PatternRecorder::PatternRecorder(std::filesystem::path file, PatternNotes notes, Descriptor descriptor)
    : file_(std::move(file)),
      descriptor_(std::move(descriptor)),
      notes_(std::move(notes)),
      writer_([this] { run(); }) {}

PatternRecorder::~PatternRecorder() {
  [[maybe_unused]] const Status finished = finish();
}

void PatternRecorder::stream_begins(std::uint64_t at_octet, std::uint32_t ssrc, std::uint32_t timestamp) {
  tell({at_octet, 0, ssrc, timestamp, Kind::stream}, {});
}

void PatternRecorder::passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) {
  tell({at_octet, inverted.size(), 0, 0, Kind::passed}, inverted);
}

void PatternRecorder::lost(std::uint64_t at_octet, std::uint64_t octets) {
  tell({at_octet, octets, 0, 0, Kind::lost}, {});
}

void PatternRecorder::tell(const Told& told, std::span<const std::uint8_t> inverted) {
  if (ring_.write_available() < sizeof told + inverted.size()) {
    unrecorded_ += told.octets;
    return;
  }
  std::array<std::uint8_t, sizeof told> head{};
  std::memcpy(head.data(), &told, sizeof told);
  ring_.push(head.data(), head.size());
  ring_.push(inverted.data(), inverted.size());
}

Status PatternRecorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  if (writer_.joinable()) writer_.join();
  return failure_;
}

void PatternRecorder::discard() {
  [[maybe_unused]] const Status finished = finish();
  std::error_code fault;
  std::filesystem::remove(file_, fault);
  std::filesystem::remove(notes_file(file_), fault);
}

void PatternRecorder::run() {
  bool last = false;
  while (!last) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kPause, [this] { return ending_; });
      last = ending_;
    }
    const bool has_begun = write_told();
    notes_.unrecorded_octets = unrecorded_;
    if (has_begun || last) write_notes();
  }
  if (notes_.unrecorded_octets > 0) {
    fail(fmt::format("the disk was too slow, {} octets are not recorded", notes_.unrecorded_octets));
  }
}

bool PatternRecorder::write_told() {
  std::array<std::uint8_t, kFillOctets> some{};
  bool has_begun = false;
  while (const std::size_t count = ring_.pop(some.data(), some.size())) {
    taken_.insert(taken_.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    std::span<const std::uint8_t> rest = taken_;
    while (rest.size() >= sizeof(Told)) {
      Told told;
      std::memcpy(&told, rest.data(), sizeof told);
      const std::size_t inverted = told.kind == Kind::passed ? told.octets : 0;
      if (rest.size() < sizeof told + inverted) break;
      write(told, rest.subspan(sizeof told, inverted));
      has_begun = has_begun || told.kind == Kind::stream;
      rest = rest.subspan(sizeof told + inverted);
    }
    taken_.erase(taken_.begin(), taken_.end() - static_cast<std::ptrdiff_t>(rest.size()));
  }
  return has_begun;
}

void PatternRecorder::write(const Told& told, std::span<const std::uint8_t> inverted) {
  switch (told.kind) {
    case Kind::stream:
      if (notes_.streams.size() < kMostStreams) notes_.streams.push_back({told.at_octet, told.ssrc, told.timestamp});
      break;
    case Kind::passed:
      if (failure_) put(told.at_octet, inverted);
      break;
    case Kind::lost:
      if (notes_.losses.size() < kMostLosses) notes_.losses.push_back({told.at_octet, told.octets});
      if (failure_) put_right_until(told.at_octet + told.octets);
      break;
  }
}

bool PatternRecorder::put(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) {
  if (!put_right_until(at_octet)) return false;
  if (notes_.format == PatternFormat::bits) {
    if (!put_raw(at_octet, inverted)) return false;
  } else {
    words_.clear();
    append_g192_words(inverted, words_);
    if (!put_raw(at_octet * kG192BytesPerOctet, words_)) return false;
  }
  notes_.octets = std::max(notes_.octets, at_octet + inverted.size());
  return true;
}

bool PatternRecorder::put_right_until(std::uint64_t octet) {
  static constexpr std::array<std::uint8_t, kFillOctets> kRight{};
  while (notes_.octets < octet) {
    if (!put(notes_.octets, std::span(kRight).first(std::min<std::uint64_t>(kFillOctets, octet - notes_.octets)))) {
      return false;
    }
  }
  return true;
}

bool PatternRecorder::put_raw(std::uint64_t at_byte, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(descriptor_.number(), bytes.data(), bytes.size(), static_cast<off_t>(at_byte));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      fail(system_error_text(errno));
      return false;
    }
    at_byte += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

void PatternRecorder::write_notes() {
  const std::string name = notes_file(file_).string();
  std::ofstream file(name + ".part", std::ios::binary | std::ios::trunc);
  file << notes_text(notes_);
  file.close();
  std::error_code fault;
  if (file) std::filesystem::rename(name + ".part", name, fault);
  if (!file || fault) fail("its notes cannot be written");
}

void PatternRecorder::fail(const std::string& why) {
  if (!failure_) return;
  failure_ =
      Error{ErrorCode::io, fmt::format("{}: {}; the pattern ends at octet {}", file_.string(), why, notes_.octets)};
}

}  // namespace vqas
