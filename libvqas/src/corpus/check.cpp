#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "manifest.h"
#include "recording.h"
#include "speech_edit.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

double peak_dbov(const Signal& signal) {
  double peak = 0;
  for (const float sample : signal.samples) peak = std::max(peak, std::abs(static_cast<double>(sample)));
  return amplitude_to_db(peak);
}

std::string fault_of(double level_dbov, double peak, const Stimulus::File& file) {
  if (std::abs(level_dbov - kNominalSpeechLevelDbov) > kLevelToleranceDb) {
    return fmt::format("its active level is {:.2f} dBov, not {:.1f}; build or import it again", level_dbov,
                       kNominalSpeechLevelDbov);
  }
  if (std::abs(level_dbov - file.active_level_dbov) > kLevelToleranceDb) {
    return fmt::format("its active level is {:.2f} dBov, in the manifest {:.2f}; build or import it again", level_dbov,
                       file.active_level_dbov);
  }
  if (peak > speech_edit::kHighestPeakDbov) {
    return fmt::format("its peak is {:.2f} dBov, above {:.1f}; build or import it again", peak,
                       speech_edit::kHighestPeakDbov);
  }
  return {};
}

FileCheck check_file(const std::filesystem::path& folder, const std::string& id, int rate_hz,
                     const Stimulus::File& file) {
  FileCheck check{id, rate_hz, file.path, std::nullopt, std::nullopt, {}};
  const auto signal = read_recording(folder, file, rate_hz);
  if (!signal) {
    check.fault = signal.error().message;
    return check;
  }
  check.peak_dbov = peak_dbov(*signal);
  const auto level = measure_speech_level(signal->samples, rate_hz);
  if (!level) {
    check.fault = level.error().message;
    return check;
  }
  check.active_level_dbov = level->active_level_dbov;
  const std::string fault = fault_of(level->active_level_dbov, *check.peak_dbov, file);
  if (!fault.empty()) check.fault = fmt::format("{}: {}", (folder / file.path).string(), fault);
  return check;
}

}  // namespace

Result<std::vector<FileCheck>> check_corpus(const std::filesystem::path& folder) {
  const auto stimuli = manifest::read(folder);
  if (!stimuli) return stimuli.error();
  std::vector<FileCheck> checks;
  for (const Stimulus& one : *stimuli) {
    for (const auto& [rate, file] : one.files) checks.push_back(check_file(folder, one.id, rate, file));
  }
  return checks;
}

}  // namespace vqas
