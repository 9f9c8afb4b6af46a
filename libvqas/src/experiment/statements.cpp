#include "experiment/statements.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace vqas::experiment {
namespace {

// A smaller loss is not heard: the half-width that the report wanted for a mean.
constexpr double kAppreciable = 0.1;
// A drop that a listener cannot miss.
constexpr double kPlain = 0.5;
// Below this, quality is poor: ITU-T P.800.
constexpr double kPoor = 2;
// Above this share of packets not played, a sentence that was not found counts as lost on the line.
constexpr double kLostPackets = 0.2;

Verdict verdict(bool agrees) {
  return agrees ? Verdict::agrees : Verdict::differs;
}

Statement nothing(const char* text) {
  return {text, Verdict::cannot_be_compared, "too few transmissions were scored"};
}

Chosen at(double x) {
  return [x](const ExperimentPoint& point) { return std::fabs(point.x - x) < 1e-9; };
}

Chosen of_series(const std::string& series) {
  return [series](const ExperimentPoint& point) { return point.series == series; };
}

std::set<std::string> series_of(const Points& points) {
  std::set<std::string> names;
  for (const ExperimentPoint& point : points) names.insert(point.series);
  return names;
}

Points only(const Points& points, const Chosen& chosen) {
  Points some;
  std::copy_if(points.begin(), points.end(), std::back_inserter(some), chosen);
  return some;
}

// The lowest score of some transmissions, in words.
std::string lowest(const Points& points) {
  std::optional<double> least;
  bool all = true;
  for (const ExperimentPoint& point : points) {
    all = all && point.mos_lqo;
    if (point.mos_lqo) least = std::min(least.value_or(*point.mos_lqo), *point.mos_lqo);
  }
  if (!least) return "none (no transmission was scored)";
  return fmt::format("{:.3f}{}", *least, all ? "" : " (and some have no score)");
}

}  // namespace

std::optional<double> mean_score(const Points& points, const Chosen& chosen) {
  double sum = 0;
  std::size_t count = 0;
  std::size_t sent = 0;
  for (const ExperimentPoint& point : points) {
    if (!chosen(point)) continue;
    ++sent;
    if (!point.mos_lqo) continue;
    sum += *point.mos_lqo;
    ++count;
  }
  if (count == 0 || static_cast<double>(count) < kScoredShare * static_cast<double>(sent)) return std::nullopt;
  return sum / static_cast<double>(count);
}

// x is -log10 BER, or kNoErrors.
std::vector<Statement> check_ber_sweep(const Points& points) {
  std::vector<Statement> statements;
  std::vector<std::optional<double>> mean(10);
  for (int x = 1; x <= 9; ++x) mean[static_cast<std::size_t>(x)] = mean_score(points, at(x));
  const auto clean = mean_score(points, at(kNoErrors));
  constexpr const char* kQuiet = "No appreciable degradation at bit error ratios of 1e-9 to 1e-7";
  if (clean && mean[9] && mean[8] && mean[7]) {
    const double lost = *clean - std::min({*mean[7], *mean[8], *mean[9]});
    statements.push_back({kQuiet, verdict(lost <= kAppreciable),
                          fmt::format("at most {:.3f} MOS lost against {:.3f} without errors", lost, *clean)});
  } else {
    statements.push_back(nothing(kQuiet));
  }
  constexpr const char* kRange =
      "The useful range is 1e-6 to 1e-3: nothing is heard below it, the fall lies within, and at its end quality is "
      "poor";
  if (clean && mean[6] && mean[3]) {
    const double before = *clean - *mean[6];
    const double within = *mean[6] - *mean[3];
    statements.push_back({kRange, verdict(before <= 2 * kAppreciable && within >= kPlain && *mean[3] <= kPoor),
                          fmt::format("{:.3f} MOS lost at 1e-6, a further {:.3f} at 1e-3, where {:.3f} is left", before,
                                      within, *mean[3])});
  } else {
    statements.push_back(nothing(kRange));
  }
  constexpr const char* kMonotone = "Quality falls steadily between 1e-6 and 1e-3";
  if (mean[6] && mean[5] && mean[4] && mean[3]) {
    const bool falls = *mean[6] >= *mean[5] - kAppreciable / 2 && *mean[5] > *mean[4] && *mean[4] > *mean[3];
    statements.push_back({kMonotone, verdict(falls),
                          fmt::format("{:.3f}, {:.3f}, {:.3f}, {:.3f}", *mean[6], *mean[5], *mean[4], *mean[3])});
  } else {
    statements.push_back(nothing(kMonotone));
  }
  const auto offset_at = [&points](double x) -> std::optional<double> {
    const auto m6 = mean_score(points, [x](const auto& p) { return std::fabs(p.x - x) < 1e-9 && p.stimulus == "M6"; });
    const auto f1 = mean_score(points, [x](const auto& p) { return std::fabs(p.x - x) < 1e-9 && p.stimulus == "F1"; });
    if (!m6 || !f1) return std::nullopt;
    return *m6 - *f1;
  };
  std::string offsets;
  for (int x = 6; x >= 3; --x) {
    if (const auto offset = offset_at(x))
      offsets += fmt::format("{}{:+.3f} at 1e-{}", offsets.empty() ? "" : ", ", *offset, x);
  }
  statements.push_back({"Both talkers fall along one trend, M6 about 0.5 above F1 (shown, not checked: other voices)",
                        Verdict::cannot_be_compared, "M6 less F1: " + offsets});
  return statements;
}

// x is the step, from 1; the label holds its ratio.
std::vector<Statement> check_wander(const Points& points) {
  if (points.empty()) return {nothing("Every sentence of the wander is scored")};
  std::vector<Statement> statements;
  const auto scored = std::count_if(points.begin(), points.end(), [](const auto& p) { return p.mos_lqo.has_value(); });
  statements.push_back({"Every sentence of the wander is scored",
                        verdict(static_cast<std::size_t>(scored) == points.size()),
                        fmt::format("{} of {}", scored, points.size())});
  // Compares the worst quarter of an hour and its neighbours with the last hour of the record.
  const auto worst = mean_score(points, [](const auto& p) { return p.x >= 8 && p.x <= 10; });
  const auto calm = mean_score(points, [](const auto& p) { return p.x >= 21; });
  constexpr const char* kDegrades = "The wander degrades the voice";
  if (worst && calm) {
    statements.push_back({kDegrades, verdict(*calm - *worst > kPlain),
                          fmt::format("mean {:.3f} in steps 8 to 10, {:.3f} in steps 21 to 24", *worst, *calm)});
  } else {
    statements.push_back(nothing(kDegrades));
  }
  return statements;
}

std::vector<Statement> check_thunderstorm(const Points& points) {
  constexpr std::size_t kSteps = 24;
  constexpr std::size_t kLostSteps = 3;
  std::vector<Statement> statements;
  for (const std::string& series : series_of(points)) {
    const Points run = only(points, of_series(series));
    std::string gaps;
    std::string unscored;
    std::size_t scored = 0;
    bool same_gaps = run.size() == kSteps;
    for (const ExperimentPoint& point : run) {
      const auto step = static_cast<int>(std::lround(point.x));
      const bool lost_there = step == 2 || step == 8 || step == 21;
      if (point.released) gaps += fmt::format("{}{}", gaps.empty() ? "" : ", ", step);
      same_gaps = same_gaps && point.released == lost_there;
      if (lost_there) continue;
      if (point.mos_lqo) {
        ++scored;
      } else {
        unscored += fmt::format("{}{}", unscored.empty() ? ", not at " : ", ", step);
      }
    }
    statements.push_back({series + ": the 21 steps of the storm that keep the call are scored",
                          verdict(scored == kSteps - kLostSteps), fmt::format("{} scored{}", scored, unscored)});
    // The limit of release was chosen so that these steps lose the call. So their loss is no evidence; the loss of
    // others is.
    statements.push_back(
        {series + ": steps 2, 8 and 21 of the storm lose the call",
         same_gaps ? Verdict::cannot_be_compared : Verdict::differs,
         fmt::format("released at {}; our release limit was derived from these steps", gaps.empty() ? "none" : gaps)});
  }
  if (statements.empty()) {
    statements.push_back(nothing("The 21 steps of the storm that keep the call are scored"));
    statements.push_back(nothing("Steps 2, 8 and 21 of the storm lose the call"));
  }
  return statements;
}

std::vector<Statement> check_bursts(const Points& points) {
  constexpr const char* kRecovers = "The voice recovers within 1 s after a burst (terrestrial)";
  std::vector<Statement> statements;
  const bool all_measured =
      std::all_of(points.begin(), points.end(), [](const ExperimentPoint& p) { return p.recovery_s.has_value(); });
  if (points.empty() || !all_measured) {
    statements.push_back({kRecovers, Verdict::cannot_be_compared, "some bursts did not hit the speech"});
  } else {
    double worst = 0;
    for (const ExperimentPoint& point : points) worst = std::max(worst, *point.recovery_s);
    // Nothing after the decoder of our line remembers a burst: that the voice recovers is no evidence.
    statements.push_back({kRecovers, worst < 1 ? Verdict::cannot_be_compared : Verdict::differs,
                          fmt::format("slowest {:.2f} s; our line has no memory of a burst", worst)});
  }
  statements.push_back({"Desktop conferencing over the satellite took 1 s (background 1e-6) or 5 s (1e-5) to recover",
                        Verdict::cannot_be_compared, "G.711 alone has no frame alignment to recover"});
  return statements;
}

// x is the bit, 1 the sign, 8 the last of the step.
std::vector<Statement> check_bit_significance(const Points& points) {
  std::map<int, double> means;
  for (int bit = 1; bit <= 8; ++bit) {
    if (const auto mean = mean_score(points, at(bit))) means[bit] = *mean;
  }
  constexpr const char* kText =
      "The bits of a G.711 code matter by their place: a sign or segment bit hurts most, the last step bit "
      "least (our statement; the report has none)";
  if (means.size() < 8) return {nothing(kText)};
  const auto by_mean = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto worst = std::min_element(means.begin(), means.end(), by_mean);
  const auto best = std::max_element(means.begin(), means.end(), by_mean);
  return {{kText, verdict(worst->first <= 4 && best->first == 8),
           fmt::format("bit {} hurts most ({:.3f}), bit {} hurts least ({:.3f})", worst->first, worst->second,
                       best->first, best->second)}};
}

// Series are "no bottleneck", "fifo, alone", "fair, files", "reservation, video"…; x is the wanted video's rate in
// kbit/s.
std::vector<Statement> check_voip_satellite(const Points& points) {
  constexpr const char* kProtected = "Fair queueing and reservation protect the voice";
  constexpr const char* kRuined = "FIFO ruins the voice when the video grows";
  constexpr const char* kVideo = "Fair queueing does not protect the video from another one; reservation does";
  const auto is = [](const char* scheduling, double least_rate = 0) {
    return [scheduling, least_rate](const ExperimentPoint& p) {
      return p.series.starts_with(scheduling) && p.x >= least_rate;
    };
  };
  const auto alone = mean_score(points, is(kNoBottleneck));
  const Points fair = only(points, is("fair"));
  const Points reserved = only(points, is("reservation"));
  const Points crowded = only(points, is("fifo", 512));
  const Points roomy = only(points, [](const auto& p) { return p.series == "fifo, alone" && p.x <= 128; });
  if (!alone || fair.empty() || reserved.empty() || crowded.empty() || roomy.empty()) {
    return {nothing(kProtected), nothing(kRuined), nothing(kVideo)};
  }
  const auto is_good = [&](const ExperimentPoint& p) { return p.mos_lqo && *p.mos_lqo > *alone - kPlain; };
  const auto is_ruined = [&](const ExperimentPoint& p) { return p.mos_lqo && *p.mos_lqo < *alone - 2 * kPlain; };
  // Neither a score nor heavy packet loss: the cause is unknown.
  const auto is_lost = [](const ExperimentPoint& p) { return !p.mos_lqo && p.packet_loss > kLostPackets; };
  const auto is_unknown = [&](const ExperimentPoint& p) { return !p.mos_lqo && !is_lost(p); };
  std::vector<Statement> statements;
  statements.push_back(
      {kProtected, verdict(std::ranges::all_of(fair, is_good) && std::ranges::all_of(reserved, is_good)),
       fmt::format("lowest score {} under fair queueing, {} under reservation, {:.3f} without a bottleneck",
                   lowest(fair), lowest(reserved), *alone)});
  const bool cannot_tell = std::ranges::any_of(crowded, is_unknown) || std::ranges::any_of(roomy, is_unknown);
  const bool ruins = std::ranges::all_of(roomy, is_good) &&
                     std::ranges::all_of(crowded, [&](const auto& p) { return is_ruined(p) || is_lost(p); });
  statements.push_back(
      {kRuined, cannot_tell ? Verdict::cannot_be_compared : verdict(ruins),
       fmt::format("under FIFO alone beside 128 kbit/s of video the lowest score is {}, beside 512 {}; "
                   "{:.3f} without a bottleneck",
                   lowest(roomy), lowest(crowded), *alone)});
  const auto video_loss = [&](const std::string& series) {
    double most = -1;
    for (const ExperimentPoint& p : only(points, of_series(series))) {
      if (p.x <= 256 && p.x >= 256) most = std::max(most, p.video_loss);
    }
    return most;
  };
  const double fair_loss = video_loss("fair, video");
  const double reserved_loss = video_loss("reservation, video");
  if (fair_loss < 0 || reserved_loss < 0) {
    statements.push_back(nothing(kVideo));
  } else {
    statements.push_back({kVideo, verdict(fair_loss > 0.05 && reserved_loss < 0.01),
                          fmt::format("of 256 kbit/s, {:.1f} % lost under fair queueing, {:.1f} % with reservation",
                                      100 * fair_loss, 100 * reserved_loss)});
  }
  return statements;
}

namespace {

// Means of one channel's stimuli, both directions.
std::map<std::string, double> stimulus_means(const Points& points, const std::string& channel) {
  std::map<std::string, double> means;
  for (const ExperimentPoint& point : points) {
    if (point.label != channel || means.contains(point.stimulus)) continue;
    const auto mean = mean_score(points, [&](const ExperimentPoint& other) {
      return other.label == channel && other.stimulus == point.stimulus;
    });
    if (mean) means[point.stimulus] = *mean;
  }
  return means;
}

// Half-width of the mean difference of paired stimuli, at about 99 %: 3 standard errors.
struct Difference {
  double mean = 0, half_width = 0;
  std::size_t count = 0;
};
Difference difference(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  std::vector<double> differences;
  for (const auto& [stimulus, mean] : a) {
    if (const auto other = b.find(stimulus); other != b.end()) differences.push_back(mean - other->second);
  }
  Difference result;
  result.count = differences.size();
  if (differences.size() < 2) return result;
  const auto n = static_cast<double>(differences.size());
  for (const double one : differences) result.mean += one / n;
  double squares = 0;
  for (const double one : differences) squares += (one - result.mean) * (one - result.mean);
  result.half_width = 3 * std::sqrt(squares / (n - 1) / n);
  return result;
}

Statement check_range(const Points& points, const char* channel, double published) {
  const std::string text =
      fmt::format("Scores of the sentences over {} range over {:.4g} MOS (within a factor of two)", channel, published);
  const auto means = stimulus_means(points, channel);
  if (means.size() < 6) return nothing(text.c_str());
  const auto by_mean = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [low, high] = std::minmax_element(means.begin(), means.end(), by_mean);
  const double range = high->second - low->second;
  return {text, verdict(range >= published / 2 && range <= published * 2),
          fmt::format("{:.3f}, from {} to {}", range, low->first, high->first)};
}

}  // namespace

// The label is the channel.
std::vector<Statement> check_characterize(const Points& points) {
  std::vector<Statement> statements;
  constexpr const char* kSame = "The satellite is as good as local ISDN, within the interval";
  const Difference satellite =
      difference(stimulus_means(points, "satellite-isdn"), stimulus_means(points, "local-isdn"));
  if (satellite.count < 2) {
    statements.push_back(nothing(kSame));
  } else {
    // Widely scattered scores would agree with anything.
    const bool can_tell = satellite.half_width <= kAppreciable;
    statements.push_back(
        {kSame, can_tell ? verdict(std::fabs(satellite.mean) <= kAppreciable) : Verdict::cannot_be_compared,
         fmt::format("{:+.3f} ± {:.3f} MOS, allowed ± {:.3f}", satellite.mean, satellite.half_width, kAppreciable)});
  }
  statements.push_back(check_range(points, "satellite-isdn", 0.456));
  statements.push_back(check_range(points, "terrestrial-isdn", 0.5625));
  constexpr const char* kBand = "The long-distance line is distinguished by its loss of bandwidth";
  double lost = 1e9;
  double others = -1e9;
  for (const ExperimentPoint& point : points) {
    if (!point.band_loss_db) continue;
    if (point.label == "long-distance") {
      lost = std::min(lost, *point.band_loss_db);
    } else {
      others = std::max(others, *point.band_loss_db);
    }
  }
  if (lost == 1e9 || others == -1e9) {
    statements.push_back(nothing(kBand));
  } else {
    statements.push_back({kBand, verdict(lost > others + 3),
                          fmt::format("at least {:.1f} dB there, at most {:.1f} dB elsewhere", lost, others)});
  }
  return statements;
}

std::optional<CubicTrend> cubic_trend(const Points& points, const std::string& series) {
  const Points sent = only(points, [&series](const auto& p) { return p.series == series; });
  std::set<double> places;
  for (const ExperimentPoint& point : sent) places.insert(point.x);
  std::erase_if(places,
                [&sent](double x) { return !mean_score(sent, [x](const auto& p) { return p.x == x; }).has_value(); });
  if (places.size() < 4) return std::nullopt;
  const Points run = only(sent, [&places](const auto& p) { return p.mos_lqo && places.contains(p.x); });
  const auto count = static_cast<Eigen::Index>(run.size());
  Eigen::MatrixXd powers(count, 4);
  Eigen::VectorXd scores(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const ExperimentPoint& point = run[static_cast<std::size_t>(i)];
    for (Eigen::Index power = 0; power < 4; ++power) powers(i, power) = std::pow(point.x, power);
    scores(i) = *point.mos_lqo;
  }
  const Eigen::VectorXd fitted = powers.colPivHouseholderQr().solve(scores);
  const double residual = (powers * fitted - scores).norm() / std::sqrt(static_cast<double>(count));
  return CubicTrend{series, {fitted.data(), fitted.data() + 4}, residual};
}

}  // namespace vqas::experiment
