#include "signal/sound_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

#include "signal/promised_length.h"
#include "signal/sound_kind.h"

namespace vqas {
namespace {

constexpr std::string_view kWav = "RIFF";

}  // namespace

/// The bytes of a recording, read from one place on.
class SoundFile::Place {
 public:
  explicit Place(std::unique_ptr<SoundBytes> bytes) : bytes_(std::move(bytes)) {}
  int fault() const { return bytes_->fault(); }
  void forget_head() { bytes_->forget_head(); }
  sf_count_t size() const { return static_cast<sf_count_t>(bytes_->size()); }
  sf_count_t tell() const { return at_; }
  sf_count_t seek(sf_count_t offset, int whence) {
    const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? at_ : size();
    if (from + offset < 0) return -1;
    at_ = from + offset;
    return at_;
  }
  sf_count_t read(char* to, sf_count_t count) {
    // Nothing is asked for behind the end, which libsndfile does once in every file.
    const sf_count_t wanted = std::min(count, size() - at_);
    if (wanted <= 0) return 0;
    const std::size_t got = bytes_->read_at(static_cast<std::uint64_t>(at_), to, static_cast<std::size_t>(wanted));
    at_ += static_cast<sf_count_t>(got);
    return static_cast<sf_count_t>(got);
  }
  static SF_VIRTUAL_IO calls() {
    SF_VIRTUAL_IO calls{};
    calls.get_filelen = [](void* user) { return static_cast<Place*>(user)->size(); };
    calls.tell = [](void* user) { return static_cast<Place*>(user)->tell(); };
    calls.seek = [](sf_count_t offset, int whence, void* user) {
      return static_cast<Place*>(user)->seek(offset, whence);
    };
    calls.read = [](void* to, sf_count_t count, void* user) {
      return static_cast<Place*>(user)->read(static_cast<char*>(to), count);
    };
    return calls;
  }

 private:
  std::unique_ptr<SoundBytes> bytes_;
  sf_count_t at_ = 0;
};

void SoundFile::Delete::operator()(Place* place) const {
  delete place;
}

Result<SoundFile> SoundFile::open(const std::filesystem::path& path) {
  auto bytes = SoundBytes::open(path);
  if (!bytes) return bytes.error();
  if (const Status whole = check_promised_length(path, **bytes); !whole) return whole.error();
  SoundFile file;
  // WAV alone: what begins with a tag libsndfile reads rightly by the path only, and what has no header it knows by the
  // name.
  std::array<char, kWav.size()> start{};
  const std::size_t there = (*bytes)->read_at(0, start.data(), start.size());
  if (std::string_view(start.data(), there) == kWav) {
    file.place_.reset(new Place(*std::move(bytes)));
    SF_VIRTUAL_IO calls = Place::calls();
    file.handle_.reset(sf_open_virtual(&calls, SFM_READ, &file.info_, file.place_.get()));
    if (file.handle_) {
      file.place_->forget_head();
      return file;
    }
    file.place_.reset();
  }
  file.info_ = {};
  file.handle_.reset(sf_open(path.c_str(), SFM_READ, &file.info_));
  if (!file.handle_) return cannot_open(path, sf_strerror(nullptr));
  return file;
}

std::string SoundFile::fault() const {
  if (sf_error(handle()) != SF_ERR_NO_ERROR) return sf_strerror(handle());
  // libsndfile does not hear of what has failed beneath it. These are the words it has for that.
  if (!place_ || place_->fault() == 0) return "";
  return fmt::format("System error : {}.", std::generic_category().message(place_->fault()));
}

}  // namespace vqas
