#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vqas::app {

/// Levels of one way of a line, of its last seconds.
struct MeterReading {
  std::optional<double> peak_dbfs;    ///< largest sample of the last second, 0 is full scale; empty: digital silence
  std::optional<double> active_dbm0;  ///< active speech level of the last 10 s (ITU-T P.56); empty: digital silence, or
                                      ///< less than 5 s
};

/// Measures a signal as it comes. For one thread.
class LevelMeter {
 public:
  /// `rate_hz` is 8000 or 16000.
  explicit LevelMeter(int rate_hz = 8000) : rate_hz_(rate_hz) {}
  void add(std::span<const float> samples);
  MeterReading reading() const;

 private:
  std::size_t seconds(int count) const { return static_cast<std::size_t>(count) * static_cast<std::size_t>(rate_hz_); }

  int rate_hz_;
  std::vector<float> kept_;  // the last 10 s
};

/// "peak -6.0 dBFS, speech -19.8 dBm0", "silence"; with what to do where it is overloaded. Pure.
QString meter_words(const MeterReading& reading);

}  // namespace vqas::app
