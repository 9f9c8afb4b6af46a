#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import_checks.h"
#include "speech_edit.h"
#include "stimulus_files.h"
#include "vqas/corpus/import.h"
#include "vqas/signal/clipping.h"
#include "vqas/signal/level.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

using namespace import_checks;

// Speech was cut off if it lies closer than this to an end of the file (in seconds), is louder than this against the
// active level, and exceeds the noise floor: P.56 counts everything 15.9 dB below the active level as pause.
constexpr double kEdgeS = 0.020;
constexpr double kEdgeDb = -15.9;
// Floating-point files may exceed full scale; at 40 dB above it they are not recordings.
constexpr double kHighestAmplitude = 100.0;
constexpr const char* kSilence = "is silent; check the microphone and the chosen channel";

// One recording during the checks. Each step returns true when the next one applies.
class Examiner {
 public:
  Examiner(const Signal& recording, const std::string& id) : recording_(recording), id_(id) {}

  Examination run() {
    if (measurable() && untouched() && loud_enough() && speech() && whole() && clean() && broad() && of_fit_length())
      finish();
    return std::move(out_);
  }

 private:
  bool refuse(Refusal refusal, std::string reason) {
    out_.refusal = refusal;
    out_.reason = std::move(reason);
    return false;
  }

  bool refuse_duration(Refusal refusal, double seconds) {
    return refuse(refusal,
                  fmt::format("makes a stimulus of {:.1f} s, pauses included; {:.0f} to {:.0f} s are needed: {}",
                              seconds, kShortestStimulusS, kLongestStimulusS,
                              refusal == Refusal::too_short ? "give a longer sentence" : "cut it into sentences"));
  }

  bool failed(const Error& error) { return refuse(Refusal::unreadable, error.message); }

  bool measurable() {
    out_.figures.source_rate_hz = recording_.rate_hz;
    if (recording_.rate_hz < kLineRateHz) {
      return refuse(Refusal::rate_too_low, fmt::format("is sampled at {} Hz; give a recording sampled at {} Hz or more",
                                                       recording_.rate_hz, kLineRateHz));
    }
    double peak = 0;
    for (const float sample : recording_.samples) {
      if (!std::isfinite(sample)) {
        return refuse(Refusal::unreadable, "holds a sample that is not a finite number; export it again");
      }
      peak = std::max(peak, std::abs(static_cast<double>(sample)));
    }
    if (peak == 0) return refuse(Refusal::silent, kSilence);
    if (peak > kHighestAmplitude) {
      return refuse(Refusal::unreadable,
                    fmt::format("holds a sample of {:.0g} times full scale; export it again", peak));
    }
    if (recording_.seconds() + speech_edit::kLeadS + speech_edit::kTailS < kShortestStimulusS) {
      return refuse_duration(Refusal::too_short, recording_.seconds() + speech_edit::kLeadS + speech_edit::kTailS);
    }
    return true;
  }

  bool untouched() {
    if (!has_flat_tops(recording_)) return true;
    return refuse(Refusal::clipped, "is clipped: its highest peaks are flat; record it again with less gain");
  }

  bool loud_enough() {
    auto at_rate = resample(
        recording_, recording_.rate_hz >= stimulus_files::kWideRateHz ? stimulus_files::kWideRateHz : kLineRateHz);
    if (!at_rate) return failed(at_rate.error());
    clear_ = speech_edit::without_offset(*std::move(at_rate));
    const auto level = measure_speech_level(clear_.samples, clear_.rate_hz);
    if (!level) return refuse(Refusal::silent, kSilence);
    out_.figures.source_level_dbov = level->active_level_dbov;
    if (level->active_level_dbov >= kLowestLevelDbov) return true;
    return refuse(Refusal::too_quiet,
                  fmt::format("has an active level of {:.0f} dBov; record it at {:.0f} dBov or more",
                              level->active_level_dbov, kLowestLevelDbov));
  }

  bool speech() {
    levels_ = speech_edit::frame_levels_dbov(clear_);
    span_ = speech_edit::find_speech(clear_);
    const double floor = speech_edit::level_quantile(levels_, speech_edit::kFloorShare);
    out_.figures.snr_db = out_.figures.source_level_dbov - floor;
    auto narrow = resample(clear_, kLineRateHz);
    if (!narrow) return failed(narrow.error());
    narrow_ = *std::move(narrow);
    const auto colour = above(narrow_, kColourCornerHz);
    if (!colour) return failed(colour.error());
    if (span_.begin != span_.end && movement_db(levels_) >= kLeastMovementDb &&
        colour_movement_db(*colour, narrow_) >= kLeastColourDb) {
      return true;
    }
    return refuse(Refusal::no_speech,
                  "holds a sound that does not vary as speech does, or speech buried in noise; give a spoken sentence");
  }

  bool clean() {
    if (out_.figures.snr_db >= kLeastSnrDb) return true;
    return refuse(Refusal::noisy,
                  fmt::format("has only {:.0f} dB between speech and noise floor, {:.0f} are needed; record it in a "
                              "quieter room or nearer to the microphone",
                              out_.figures.snr_db, kLeastSnrDb));
  }

  bool broad() {
    const auto upper = above(narrow_, kUpperCornerHz);
    if (!upper) return failed(upper.error());
    if (!holds_speech(*upper, narrow_)) {
      return refuse(Refusal::narrow,
                    fmt::format("holds no speech above {} Hz; give a recording with the whole telephone band (300 to "
                                "3400 Hz), not one from a coded or filtered source",
                                kUpperCornerHz));
    }
    if (clear_.rate_hz < stimulus_files::kWideRateHz) return true;
    const auto wide = above(clear_, kWideCornerHz);
    if (!wide) return failed(wide.error());
    out_.figures.wide = holds_speech(*wide, clear_);
    return true;
  }

  bool whole() {
    const double active = out_.figures.source_level_dbov;
    const double edge = std::max(active + kEdgeDb, active - out_.figures.snr_db + speech_edit::kAboveFloorDb);
    const auto frames = static_cast<std::ptrdiff_t>(std::llround(kEdgeS / speech_edit::kFrameS));
    const auto loud = [&](double level) { return level > edge; };
    if (std::any_of(levels_.begin(), levels_.begin() + frames, loud)) {
      return refuse(Refusal::cut_off, "begins in the middle of the speech; leave a pause of 0.3 s before it");
    }
    if (std::any_of(levels_.end() - frames, levels_.end(), loud)) {
      return refuse(Refusal::cut_off, "ends in the middle of the speech; leave a pause of 0.3 s after it");
    }
    return true;
  }

  bool of_fit_length() {
    out_.figures.duration_s =
        static_cast<double>(span_.end - span_.begin) / clear_.rate_hz + speech_edit::kLeadS + speech_edit::kTailS;
    if (out_.figures.duration_s < kShortestStimulusS)
      return refuse_duration(Refusal::too_short, out_.figures.duration_s);
    if (out_.figures.duration_s > kLongestStimulusS) return refuse_duration(Refusal::too_long, out_.figures.duration_s);
    return true;
  }

  void finish() {
    const double floor = out_.figures.source_level_dbov - out_.figures.snr_db;
    const Signal paused = speech_edit::with_pauses(clear_, span_, std::max(speech_edit::kLeadS, speech_edit::kTailS),
                                                   floor, speech_edit::seed_of(id_ + " pauses"));
    auto master = resample(paused, out_.figures.wide ? stimulus_files::kWideRateHz : kLineRateHz);
    if (!master) {
      failed(master.error());
      return;
    }
    auto levelled = speech_edit::levelled(*std::move(master), speech_edit::seed_of(id_));
    if (!levelled) {
      refuse(Refusal::too_peaky, levelled.error().message);
      return;
    }
    out_.figures.duration_s = levelled->seconds();
    out_.master = *std::move(levelled);
  }

  const Signal& recording_;
  const std::string& id_;
  Signal clear_;   // without offset, at the higher of the rates that its own rate allows
  Signal narrow_;  // the same at 8 kHz
  std::vector<double> levels_;
  speech_edit::Span span_;
  Examination out_;
};

}  // namespace

Examination examine_recording(const Signal& recording, const std::string& id) {
  return Examiner(recording, id).run();
}

}  // namespace vqas
