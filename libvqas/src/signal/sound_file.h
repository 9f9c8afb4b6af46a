#pragma once

#include <sndfile.h>

#include <filesystem>
#include <memory>
#include <string>

#include "signal/sound_bytes.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A recording that libsndfile reads. For one thread.
class SoundFile {
 public:
  /// The file must be a regular one. Fails like InputFile::open(), check_promised_length() and cannot_open().
  static Result<SoundFile> open(const std::filesystem::path& path);

  SoundFile(SoundFile&&) = default;
  // libsndfile would be closed after what it reads is gone.
  SoundFile& operator=(SoundFile&&) = delete;

  SNDFILE* handle() const { return handle_.get(); }
  /// What the header declares.
  const SF_INFO& info() const { return info_; }
  /// What has failed in reading it, in libsndfile's words; empty: nothing.
  std::string fault() const;

 private:
  class Place;
  struct Delete {
    void operator()(Place* place) const;
  };
  SoundFile() = default;

  std::unique_ptr<Place, Delete> place_;  // what libsndfile reads, until it is closed
  std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> handle_{nullptr, sf_close};
  SF_INFO info_{};
};

}  // namespace vqas
