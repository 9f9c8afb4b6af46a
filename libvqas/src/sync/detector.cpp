#include "vqas/sync/detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numbers>

#include "sync/energy_pattern.h"
#include "sync/limiter.h"
#include "sync/mark_demodulator.h"
#include "sync/matched_filter.h"
#include "sync/preamble_fit.h"
#include "sync/symbol_shaping.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

using sync::MatchedFilter;

// Normalised correlation above which a peak is a mark, and above which it is examined: a leading mark with a correct
// checksum needs no more (values that speech reaches: libvqas/doc/record/marks.md).
constexpr double kThreshold = 0.45;
constexpr float kLookedAt = 0.36F;
// A mark has one peak: the highest within half a code on either side.
constexpr std::int64_t kSeparation = sync::kHopLength / 2;
// Samples kept on both sides of a mark for symbol pulses and clock offsets.
constexpr std::int64_t kMargin = 64;
// An echo comes within half a second of its mark (the longest on a line without echo control, ITU-T G.131) and is
// weaker. A mark of the same kind that follows so soon and is 8 dB weaker is taken for an echo.
constexpr double kEchoTime = 0.65 * kLineRateHz;
constexpr double kEchoGain = 0.4;
// Least correlation of the energy pattern for a mark without phase (values that other sounds reach:
// libvqas/doc/record/marks.md). A place within kCoarseReach of a better one, or of a mark found by its phase, is not a
// mark.
constexpr double kLeastCorrelation = 0.5;
constexpr std::int64_t kCoarseReach = 1800;
constexpr std::size_t kChunk = 1024;
constexpr std::int64_t kKept = sync::kLeadingLength + 2 * MatchedFilter::kBlock;

struct Candidate {
  MarkKind kind = MarkKind::leading;
  std::int64_t at = 0;  // of the hop code, to 4 samples
  float score = -1;

  bool active() const { return score >= 0; }
  std::int64_t mark_start() const { return kind == MarkKind::leading ? at - sync::kHopStart : at; }
  std::int64_t needs() const {
    return at + sync::kHopLength + (kind == MarkKind::leading ? sync::kHopStart : 0) + kMargin;
  }
};

struct LastFound {
  double position = -1e18;  // of the hop code
  double amplitude = 0;
  double before = -1e18;  // the previous one
};

}  // namespace

struct MarkDetector::Engine {
  explicit Engine(End end)
      : sender(end),
        fitters{sync::PreambleFitter(sync::HopCode(end, MarkKind::leading)),
                sync::PreambleFitter(sync::HopCode(end, MarkKind::trailing))},
        filter(end),
        pattern(end),
        demodulator(end),
        history(static_cast<std::size_t>(kKept), 0.0F) {
    history.reserve(static_cast<std::size_t>(kKept) * 3);
    pending.reserve(16);
  }

  std::int64_t history_end() const { return history_start + static_cast<std::int64_t>(history.size()); }

  // Samples from..to of the stream; the history covers every mark that is still undecided.
  std::span<const float> window(std::int64_t from, std::int64_t to) const {
    from = std::max(from, history_start);
    return std::span(history).subspan(static_cast<std::size_t>(from - history_start),
                                      static_cast<std::size_t>(to - from));
  }

  void scan() {
    filter.run(window(scan_start, scan_start + static_cast<std::int64_t>(MatchedFilter::kBlock)));
    const std::int64_t first = scan_start + static_cast<std::int64_t>(MatchedFilter::kGuard);
    for (const MarkKind kind : {MarkKind::leading, MarkKind::trailing}) {
      Candidate& best = tracked[static_cast<std::size_t>(kind)];
      std::int64_t at = first;
      for (const float score : filter.scores(kind)) {
        if (best.active() && at > best.at + kSeparation) {
          pending.push_back(best);
          best = Candidate{};
        }
        if (score >= kLookedAt * kLookedAt && score > best.score) best = {kind, at, score};
        at += static_cast<std::int64_t>(MatchedFilter::kDecimation);
      }
    }
    scan_start += static_cast<std::int64_t>(MatchedFilter::kHop);
  }

  // No hop code that is still undecided lies before this position.
  std::int64_t certain_until() const {
    std::int64_t until = scan_start + static_cast<std::int64_t>(MatchedFilter::kGuard);
    for (const Candidate& candidate : tracked) {
      if (candidate.active()) until = std::min(until, candidate.at);
    }
    return until;
  }

  void finish() {
    std::sort(pending.begin(), pending.end(), [](const Candidate& a, const Candidate& b) { return a.at < b.at; });
    std::size_t done = 0;
    while (done < pending.size() && pending[done].needs() <= history_end() && pending[done].at < certain_until()) {
      examine(pending[done++]);
    }
    pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(done));
  }

  // Of the energy-pattern places within kCoarseReach of each other, keeps the best.
  void take_places() {
    for (const sync::PatternPlace& place : places) {
      const auto near = [&](std::int64_t at) { return std::abs(at - place.at) < kCoarseReach; };
      if (!coarse.empty() && near(coarse.back().at)) {
        if (place.correlation > coarse.back().correlation) coarse.back() = place;
      } else {
        coarse.push_back(place);
      }
    }
    places.clear();
  }

  // Every hop code before this position was either reported or rejected.
  std::int64_t phase_certain_until() const {
    std::int64_t until = certain_until();
    for (const Candidate& candidate : pending) until = std::min(until, candidate.at);
    return until;
  }

  void finish_coarse() {
    const std::int64_t looked_until = history_end() - sync::EnergyPattern::kSpan - sync::EnergyPattern::kHop;
    while (!coarse.empty()) {
      const sync::PatternPlace& place = coarse.front();
      const std::int64_t reach = place.at + kCoarseReach;
      if (looked_until < reach || phase_certain_until() < reach) return;
      examine_coarse(place);
      coarse.pop_front();
    }
  }

  void examine_coarse(const sync::PatternPlace& place) {
    const auto at = static_cast<double>(place.at);
    for (const LastFound& one : last) {
      if (std::abs(one.position - at) < kCoarseReach || std::abs(one.before - at) < kCoarseReach) return;
    }
    LastFound& same = last[static_cast<std::size_t>(place.kind)];
    const auto echo_of = [&](double earlier) { return at > earlier && at - earlier < kEchoTime; };
    if (echo_of(same.position) || echo_of(same.before)) return;
    FoundMark mark;
    mark.kind = place.kind;
    mark.sender = sender;
    mark.coarse = true;
    mark.confidence = std::min(1.0, place.correlation);
    mark.position = place.kind == MarkKind::leading ? at - sync::kHopStart : at;
    if (at > same.position) same = {at, 0, same.position};
    keep(mark);
  }

  // Marks are reported in the order of their positions.
  void keep(const FoundMark& mark) {
    const auto after = std::upper_bound(kept.begin(), kept.end(), mark.position,
                                        [](double position, const FoundMark& one) { return position < one.position; });
    kept.insert(after, mark);
  }

  void release(std::vector<FoundMark>& found) {
    const double until = coarse.empty() ? 1e18 : static_cast<double>(coarse.front().at - sync::kHopStart);
    const auto end =
        std::find_if(kept.begin(), kept.end(), [&](const FoundMark& mark) { return mark.position > until; });
    found.insert(found.end(), kept.begin(), end);
    kept.erase(kept.begin(), end);
  }

  void examine(const Candidate& candidate) {
    const std::int64_t from = std::max(candidate.mark_start() - kMargin, history_start);
    const std::span<const float> samples = window(from, candidate.needs());
    const auto kind = static_cast<std::size_t>(candidate.kind);
    const sync::PreambleFit fit = fitters[kind].fit(samples, candidate.at - from);
    const double hop = static_cast<double>(from) + fit.position;
    const double amplitude = std::abs(fit.gain);
    if (hop - last[kind].position < kEchoTime && amplitude < kEchoGain * last[kind].amplitude) return;

    FoundMark mark;
    mark.kind = candidate.kind;
    mark.sender = sender;
    mark.confidence = std::min(1.0, std::sqrt(double{candidate.score}));
    mark.position = candidate.kind == MarkKind::leading ? hop - sync::kHopStart : hop;
    mark.level_dbov = amplitude_to_db(amplitude / std::numbers::sqrt2);
    if (candidate.kind == MarkKind::leading) mark.data = demodulator.read(samples, fit);
    if (mark.confidence < kThreshold && !mark.data) return;
    last[kind] = {hop, amplitude, last[kind].position};
    keep(mark);
    // The energy of a mark found by phase is not a second mark.
    std::erase_if(coarse, [&](const sync::PatternPlace& place) {
      return std::abs(static_cast<double>(place.at) - hop) < kCoarseReach;
    });
  }

  void trim() {
    if (static_cast<std::int64_t>(history.size()) < 2 * kKept) return;
    const std::int64_t surplus = static_cast<std::int64_t>(history.size()) - kKept;
    history.erase(history.begin(), history.begin() + surplus);
    history_start += surplus;
  }

  End sender;
  std::array<sync::PreambleFitter, 2> fitters;
  sync::Limiter limiter;
  MatchedFilter filter;
  sync::EnergyPattern pattern;
  sync::MarkDemodulator demodulator;
  std::vector<float> history;  // limited samples; silence before the stream's start
  std::int64_t history_start = -kKept;
  std::int64_t scan_start = -static_cast<std::int64_t>(MatchedFilter::kGuard);
  std::uint64_t taken = 0;
  std::array<Candidate, 2> tracked{};
  std::vector<Candidate> pending;
  std::array<LastFound, 2> last{};
  std::vector<sync::PatternPlace> places;  // of the last block
  std::deque<sync::PatternPlace> coarse;   // not yet decided
  std::vector<FoundMark> kept;             // until an earlier mark is impossible
};

MarkDetector::MarkDetector(End sender) : engine_(std::make_unique<Engine>(sender)) {}
MarkDetector::~MarkDetector() = default;
MarkDetector::MarkDetector(MarkDetector&&) noexcept = default;
MarkDetector& MarkDetector::operator=(MarkDetector&&) noexcept = default;

std::vector<FoundMark> MarkDetector::push(std::span<const float> block) {
  std::vector<FoundMark> found;
  Engine& engine = *engine_;
  while (!block.empty()) {
    const std::size_t count = std::min(block.size(), kChunk);
    const std::int64_t before = engine.history_end();
    engine.limiter.push(block.first(count), engine.history);
    engine.pattern.push(engine.window(before, engine.history_end()), kLeastCorrelation, engine.places);
    engine.taken += count;
    block = block.subspan(count);
    while (engine.history_end() - engine.scan_start >= static_cast<std::int64_t>(MatchedFilter::kBlock)) engine.scan();
    engine.take_places();
    engine.finish();
    engine.finish_coarse();
    engine.release(found);
    engine.trim();
  }
  return found;
}

std::uint64_t MarkDetector::position() const {
  return engine_->taken;
}

std::size_t MarkDetector::latency() {
  return 5632;
}

}  // namespace vqas
