#include "line/file_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "line/line_name.h"
#include "vqas/signal/audio_file.h"

namespace vqas {

Result<FileLineOptions> parse_file_line(const std::string& name) {
  const auto parsed = LineName::parse(name, {"in", "out"});
  if (!parsed) return parsed.error();
  FileLineOptions options{name, parsed->text("in"), parsed->text("out")};
  if (!parsed->body().empty() || (options.in.empty() && options.out.empty())) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the line \"{}\" is not of the form file:?in=RECORDING or file:?out=NEW.wav", name)};
  }
  return options;
}

Result<std::unique_ptr<Line>> FileLine::open(const FileLineOptions& options) {
  Signal heard;
  if (!options.in.empty()) {
    auto read = read_audio(options.in, {.channel = 0, .rate_hz = kLineRateHz});
    if (!read) return read.error();
    heard = std::move(read).value();
  }
  SNDFILE* out = nullptr;
  if (!options.out.empty()) {
    if (std::filesystem::exists(options.out)) {
      return Error{ErrorCode::bad_input, fmt::format("{} exists already; choose another file", options.out.string())};
    }
    SF_INFO info{};
    info.samplerate = kLineRateHz;
    info.channels = 1;
    info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    out = sf_open(options.out.c_str(), SFM_WRITE, &info);
    if (out == nullptr) {
      return Error{ErrorCode::io, fmt::format("{}: {}", options.out.string(), sf_strerror(nullptr))};
    }
    sf_command(out, SFC_SET_CLIPPING, nullptr, SF_TRUE);
  }
  return std::unique_ptr<Line>(new FileLine(options, std::move(heard), out));
}

FileLine::~FileLine() {
  if (out_ != nullptr) sf_close(out_);
}

LineDescription FileLine::description() const {
  LineDescription description;
  description.name = options_.name;
  description.virtual_time = true;
  description.equipment = "files";
  return description;
}

Result<BlockTime> FileLine::exchange(std::span<const float> sent, std::span<float> heard, Round round) {
  assert(sent.size() == kLineBlock && heard.size() == kLineBlock);
  BlockTime time;
  time.index = index_;
  time.time_ns = static_cast<std::int64_t>(index_) * 1'000'000'000 * kLineBlock / kLineRateHz;
  {
    const std::lock_guard lock(mutex_);
    if (interrupted_) {
      interrupted_ = false;
      return Error{ErrorCode::cancelled, options_.name + ": interrupted"};
    }
  }
  if (!round.busy) {
    time.standing = true;
    return time;
  }
  if (!options_.in.empty() && position_ >= heard_.size()) {
    return Error{ErrorCode::line_lost, options_.in.string() + ": the recording has ended"};
  }
  const std::size_t count = std::min(heard.size(), heard_.size() - position_);
  std::copy_n(heard_.samples.begin() + static_cast<std::ptrdiff_t>(position_), count, heard.begin());
  std::fill(heard.begin() + static_cast<std::ptrdiff_t>(count), heard.end(), 0.0F);
  position_ += count;
  if (out_ != nullptr && sf_write_float(out_, sent.data(), kLineBlock) != static_cast<sf_count_t>(kLineBlock)) {
    return Error{ErrorCode::io, fmt::format("{}: {}", options_.out.string(), sf_strerror(out_))};
  }
  ++index_;
  return time;
}

Status FileLine::stand() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return interrupted_; });
  interrupted_ = false;
  return success();
}

void FileLine::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
  }
  changed_.notify_one();
}

}  // namespace vqas
