#include "score/align/best_path.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

constexpr float kNever = -1e30F;  // not tuned: below any sum

int hops_of(int delay, int hop) {
  return static_cast<int>(std::floor(static_cast<double>(delay) / hop));
}

}  // namespace

void BestPath::begin(std::span<const float> evidence, std::span<const int> delays, const PathCosts& costs) {
  costs_ = costs;
  count_ = delays.size();
  width_ = (count_ + kLanes - 1) / kLanes * kLanes;
  frames_ = static_cast<int>(evidence.size() / count_);
  const std::size_t cells = row_of(frames_);
  for (auto* rows : {&received_, &lost_, &behind_}) rows->resize(cells);
  behind_by_.resize(cells);
  for (auto* row : {&evidence_row_, &best_}) row->assign(width_, 0.0F);
  path_.resize(static_cast<std::size_t>(frames_));
  fate_.resize(path_.size());
  place_.resize(count_);
  for (std::size_t c = 0; c < count_; ++c)
    place_[c] = hops_of(delays[c], costs.hop) - hops_of(delays.front(), costs.hop);
  const int places = frames_ + place_.back();
  used_.assign(static_cast<std::size_t>(places), {kNever, 0, -1});
  passed_.assign(count_, {kNever, 0, -1});
  near_cost_.assign(count_ * width_, -kNever);
  near_.clear();
  for (std::size_t first = 0; first < count_; first += kLanes) {
    const std::size_t end = std::min(count_, first + kLanes);
    const auto begin = std::lower_bound(delays.begin(), delays.end(), delays[first] - costs.near_by);
    const auto behind = std::upper_bound(begin, delays.end(), delays[end - 1] + costs.near_by);
    near_.push_back(
        {static_cast<std::size_t>(begin - delays.begin()), static_cast<std::size_t>(behind - delays.begin())});
    for (std::size_t k = near_.back().first; k < near_.back().end; ++k) {
      for (std::size_t c = first; c < end; ++c) {
        const int by = std::abs(delays[c] - delays[k]);
        if (k != c && by <= costs.near_by)
          near_cost_[k * width_ + c] = static_cast<float>(by <= costs.small_by ? costs.small_step : costs.near_step);
      }
    }
  }
}

// What is skipped costs as much as what is lost, so that no step is taken for that. After this frame's places the best
// of all that lies in front of where each delay lands in the next one: frames overlap by a half, so the place of the
// last one is not yet used up.
void BestPath::use(int j) {
  const double in_front = best_so_far_ + costs_.lost * j;
  const float* received_row = received_.data() + row_of(j);
  const float* lost_row = lost_.data() + row_of(j);
  float* behind_row = behind_.data() + row_of(j);
  int* behind_by = behind_by_.data() + row_of(j);
  Used now{kNever, 0, -1};  // the best that this frame has added
  std::size_t added = 0;
  for (std::size_t c = 0; c < count_; ++c) {
    for (; added < count_ && place_[added] <= place_[c] + 1; ++added) {
      const bool is_lost = lost_row[added] > received_row[added];
      const double total = (is_lost ? lost_row[added] : received_row[added]) + in_front;
      const int place = j + place_[added];
      Used& used = used_[static_cast<std::size_t>(place)];
      if (total <= used.total) continue;
      used = {total, place, state_of(j, static_cast<int>(added), is_lost)};
      if (used.is_better_than(now)) now = used;
    }
    Used& passed = passed_[c];
    const int next = j + 1 + place_[c];
    const auto landing = static_cast<std::size_t>(next);
    if (landing < used_.size() && used_[landing].total > passed.total) passed = used_[landing];
    if (now.is_better_than(passed)) passed = now;
    behind_row[c] = static_cast<float>(passed.total - in_front - costs_.step);
    behind_by[c] = passed.by;
  }
  std::fill(behind_row + count_, behind_row + width_, kNever);
}

void BestPath::frame(int j, std::span<const float> evidence) {
  const std::size_t before = row_of(j - 1);
  std::copy_n(evidence.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(j) * count_), count_,
              evidence_row_.begin());
  const PathFrame from{received_.data() + before, lost_.data() + before, behind_.data() + before,
                       near_cost_.data(),         near_.data(),          evidence_row_.data()};
  const PathFrame::Losses losses{static_cast<float>(costs_.begin_loss), static_cast<float>(costs_.lost),
                                 static_cast<float>(costs_.end_loss)};
  path_frame(from, losses, best_, received_.data() + row_of(j), lost_.data() + row_of(j));
}

void BestPath::tell_row_against_best(int j) {
  best_so_far_ += tell_against_best({received_.data() + row_of(j), width_}, {lost_.data() + row_of(j), width_});
}

// The first of those that are the best: to stay comes before any step, a step near by before one from anywhere.
BestPath::Origin BestPath::origin_of(int j, int c) const {
  const float* received = received_.data() + row_of(j - 1);
  const float* lost = lost_.data() + row_of(j - 1);
  float value = received[c];
  Origin from{j - 1, c, false};
  const auto take = [&](float other, const Origin& origin) {
    if (other <= value) return;
    value = other;
    from = origin;
  };
  take(lost[c] - static_cast<float>(costs_.end_loss), {j - 1, c, true});
  const auto take_near = [&](int k) {
    const float cost = near_cost_[static_cast<std::size_t>(k) * width_ + static_cast<std::size_t>(c)];
    take(std::max(received[k], lost[k]) - cost, {j - 1, k, lost[k] > received[k]});
  };
  for (int k = c - 1; k >= 0; --k) take_near(k);
  for (int k = c + 1; k < static_cast<int>(count_); ++k) take_near(k);
  const std::size_t here = row_of(j - 1) + static_cast<std::size_t>(c);
  const int by = behind_by_[here];
  const auto count = static_cast<int>(count_);
  if (by >= 0) take(behind_[here], {by / 2 / count, by / 2 % count, by % 2 != 0});
  return from;
}

bool BestPath::was_lost_before(int j, int c) const {
  if (j == 0) return true;
  const std::size_t before = row_of(j - 1) + static_cast<std::size_t>(c);
  return lost_[before] - static_cast<float>(costs_.lost) >= received_[before] - static_cast<float>(costs_.begin_loss);
}

// What the step back leaves out is gone, in the middle; what else lies between is lost on either side of it.
void BestPath::skip(const Origin& from, int j, int c) {
  const int between = j - 1 - from.frame;
  const int gone = std::clamp(place_[from.delay] - place_[c], 0, between);
  const int first = from.frame + 1 + (between - gone) / 2;
  lay({first, first + gone, from.delay, c}, from.frame + 1, j, Fate::lost);
}

void BestPath::lay(const Step& step, int first, int end, Fate beside) {
  const int middle = step.first + (step.end - step.first) / 2;
  for (int k = first; k < end; ++k) {
    path_[k] = k < middle ? step.before : step.behind;
    fate_[k] = k >= step.first && k < step.end ? Fate::skipped : beside;
  }
}

void BestPath::trace_back() {
  int j = frames_ - 1;
  const float* received = received_.data() + row_of(j);
  const float* lost_row = lost_.data() + row_of(j);
  for (std::size_t k = 0; k < count_; ++k) best_[k] = std::max(received[k], lost_row[k]);
  auto c = static_cast<int>(std::max_element(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(count_)) -
                            best_.begin());
  bool lost = lost_row[c] > received[c];
  while (j >= 0) {
    path_[j] = c;
    fate_[j] = lost ? Fate::lost : Fate::received;
    if (lost) {
      lost = was_lost_before(j, c);
      --j;
      continue;
    }
    if (j == 0) break;
    const Origin from = origin_of(j, c);
    skip(from, j, c);
    j = from.frame;
    c = from.delay;
    lost = from.lost;
  }
}

int BestPath::room(const Step& step, int by, std::span<const float> evidence, const Pauses& pauses) const {
  const auto is_pause = [&](int frame) { return pauses.weight[static_cast<std::size_t>(frame)] < pauses.below; };
  const auto nats = [&](int frame, int delay) {
    return evidence[static_cast<std::size_t>(frame) * count_ + static_cast<std::size_t>(delay)];
  };
  const int loses = by > 0 ? step.behind : step.before;
  const int gains = by > 0 ? step.before : step.behind;
  const auto is_of_loser = [&](int frame) {
    return frame >= 0 && frame < frames_ && fate_[frame] == Fate::received && path_[frame] == loses;
  };
  double lost = 0;
  for (int moved = 0;; ++moved) {
    const int leaves = by > 0 ? step.end + moved : step.first - 1 - moved;
    const int comes = by > 0 ? step.first + moved : step.end - 1 - moved;
    if (!is_of_loser(leaves) || !is_of_loser(leaves + by) || !is_pause(leaves) || !is_pause(comes)) return moved;
    lost += nats(leaves, loses) - nats(comes, gains);
    if (lost > costs_.small_step) return moved;
  }
}

void BestPath::settle(std::span<const float> evidence, const Pauses& pauses) {
  for (int first = 1; first < frames_; ++first) {
    int end = first;
    while (end < frames_ && fate_[end] == Fate::skipped) ++end;
    if (end == frames_) return;
    const Step step{first, end, path_[first - 1], path_[end]};
    first = end;
    const bool is_received = fate_[step.first - 1] == Fate::received && fate_[end] == Fate::received;
    if (!is_received || step.before == step.behind) continue;
    const int later = room(step, 1, evidence, pauses);
    const int move = (later - room(step, -1, evidence, pauses)) / 2;
    lay({step.first + move, end + move, step.before, step.behind}, step.first + std::min(0, move),
        end + std::max(0, move), Fate::received);
    first = end + later;
  }
}

void BestPath::run(std::span<const float> evidence, std::span<const int> delays, const PathCosts& costs) {
  begin(evidence, delays, costs);
  if (frames_ == 0) return;
  // What fills up a row is never the best.
  std::fill_n(received_.begin(), width_, kNever);
  std::fill_n(lost_.begin(), width_, kNever);
  std::copy_n(evidence.begin(), count_, received_.begin());
  std::fill_n(lost_.begin(), count_, 0.0F);
  best_so_far_ = 0;
  tell_row_against_best(0);
  for (int j = 1; j < frames_; ++j) {
    use(j - 1);
    frame(j, evidence);
    tell_row_against_best(j);
  }
  trace_back();
}

}  // namespace vqas::scoring
