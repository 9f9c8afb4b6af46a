#pragma once

#include <filesystem>
#include <memory>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// An open recording of any length, read piece by piece: memory use depends on the piece, not on the recording. For one
/// thread.
class AudioReader {
 public:
  /// `channel` is counted from 1; 0: the file must be mono. Fails with bad_input like read_audio(), and when the format
  /// is not seekable. Faults in the samples are found by read(). There is no limit on length beyond that of
  /// read_audio().
  static Result<AudioReader> open(const std::filesystem::path& path, int channel = 0);
  AudioReader(AudioReader&&) noexcept;
  AudioReader& operator=(AudioReader&&) noexcept;
  ~AudioReader();

  /// Duration according to the header.
  double seconds() const;
  /// Of the file.
  int rate_hz() const;
  /// The piece of `seconds` from `start_s`, both rounded to samples of the file. Before the start and after the end of
  /// the file the result is silence. Fails with bad_input where a sample is missing or not finite.
  Result<Signal> read(double start_s, double seconds);

  /// All of it at once, as read_audio() with the same limits and errors. The result has the memory of `space`, whatever
  /// that holds.
  Result<Signal> read_all(Signal space = {});

 private:
  struct File;
  explicit AudioReader(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// Whether a recording can be opened, but not with this `channel` (as of AudioReader::open()): it has several and none
/// is chosen, or fewer. A caller that chooses channels in its own way can then say how. Re-entrant.
bool needs_other_channel(const std::filesystem::path& path, int channel);

}  // namespace vqas
