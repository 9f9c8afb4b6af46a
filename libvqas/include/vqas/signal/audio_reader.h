#pragma once

#include <filesystem>
#include <memory>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// An open recording of any length that is read piece by piece, so that an hour needs no more memory than a piece. For
/// one thread.
class AudioReader {
 public:
  /// `channel` is counted from 1; 0: the file must be mono. Fails with bad_input as read_audio(), except for faults in
  /// the samples, which read() finds, and when the format cannot be read from the middle. No longer than read_audio()
  /// reads, either.
  static Result<AudioReader> open(const std::filesystem::path& path, int channel = 0);
  AudioReader(AudioReader&&) noexcept;
  AudioReader& operator=(AudioReader&&) noexcept;
  ~AudioReader();

  int rate_hz() const;
  /// By the header.
  double seconds() const;
  /// The piece of `seconds` from `start_s`, both rounded to samples of the file; what lies before the beginning or
  /// behind the end is silence. Fails with bad_input where a sample is missing or not finite.
  Result<Signal> read(double start_s, double seconds);

 private:
  struct File;
  explicit AudioReader(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace vqas
