#include "score/long/long_path.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "score/model/model.h"

namespace vqas::scoring {
namespace {

constexpr int kWindow = EnvelopeMatch::kWindow;
constexpr int kFarEvery = EnvelopeMatch::kLongest / kWindow / 2;  // not tuned: windows, half of what is looked for
// not tuned: steps of the delay from window to window, 2
constexpr int kDrift = static_cast<int>(kWindow * kLargestDriftPpm / 1e6) + 1;

}  // namespace

void LongPath::Used::add(std::ptrdiff_t place, int node, const std::vector<Node>& nodes) {
  const auto size = std::ssize(best_);
  for (std::ptrdiff_t n = std::clamp<std::ptrdiff_t>(place, 0, size - 2) + 1; n < size; n += n & -n) {
    int& best = best_[static_cast<std::size_t>(n)];
    if (best < 0 || nodes[node].total > nodes[best].total) best = node;
  }
}

int LongPath::Used::best_until(std::ptrdiff_t place, const std::vector<Node>& nodes) const {
  int found = -1;
  for (std::ptrdiff_t n = std::clamp<std::ptrdiff_t>(place + 1, 0, std::ssize(best_) - 1); n > 0; n -= n & -n) {
    const int best = best_[static_cast<std::size_t>(n)];
    if (best >= 0 && (found < 0 || nodes[best].total > nodes[found].total)) found = best;
  }
  return found;
}

LongPath::LongPath(std::span<const float> reference, std::span<const float> degraded, int reach, bool is_bounded)
    : match_(reference, degraded),
      windows_(static_cast<int>((reference.size() + kWindow - 1) / kWindow)),
      size_(static_cast<int>(degraded.size())),
      reach_(reach),
      is_bounded_(is_bounded),
      farthest_(EnvelopeMatch::cost_of_step(size_ + static_cast<int>(reference.size()))) {
  places_.delay.resize(static_cast<std::size_t>(windows_));
  places_.found.resize(places_.delay.size());
  places_.silent.resize(places_.delay.size());
}

// What a path lost may lie where it found what comes behind; so it is found again, as in a short recording.
LongPlaces LongPath::run(const GoOn& go_on) {
  for (int round = 0; round < AlignmentModel().rounds; ++round) {
    if (!find_path(round, go_on)) {
      std::fill(places_.found.begin(), places_.found.end(), 0);
      break;
    }
    if (is_all_found()) break;
  }
  return std::move(places_);
}

bool LongPath::is_all_found() const {
  for (std::size_t window = 0; window < places_.found.size(); ++window) {
    if (places_.found[window] == 0 && places_.silent[window] == 0) return false;
  }
  return true;
}

bool LongPath::find_path(int round, const GoOn& go_on) {
  nodes_.clear();
  survivors_.clear();
  far_.clear();
  Used used(static_cast<std::size_t>(size_) + 1);
  for (int window = 0; window < windows_; ++window) {
    const double share = (round + (window + 1.0) / windows_) / AlignmentModel().rounds;
    if (go_on && window % kFarEvery == 0 && !go_on(share)) return false;
    propose(window);
    const std::size_t first = nodes_.size();
    add_nodes(window, used);
    for (std::size_t n = first; n < nodes_.size(); ++n) {
      if (nodes_[n].nats > 0) used.add((window + 1) * kWindow + nodes_[n].delay, static_cast<int>(n), nodes_);
    }
    choose_survivors(first);
  }
  trace_back();
  return true;
}

void LongPath::propose(int window) {
  proposed_.clear();
  places_.silent[window] = match_.take(window * kWindow, kWindow) ? 0 : 1;
  if (places_.silent[window] != 0) return;
  const auto propose_near = [&](int delay) { proposed_.push_back(match_.best_near(delay, kDrift)); };
  const int around = survivors_.empty() ? 0 : nodes_[survivors_.front()].delay;
  for (const int node : survivors_) propose_near(nodes_[node].delay);
  proposed_.push_back(match_.best_near(around, reach_));
  if (!behind_.empty()) propose_near(behind_[window]);
  if (!is_bounded_ && window % kFarEvery == 0) {
    propose_far(window, around);
    match_.take(window * kWindow, kWindow);
  }
  for (const int delay : far_) propose_near(delay);
}

// Of more than a window, which is like many places.
void LongPath::propose_far(int window, int around) {
  far_.clear();
  if (!match_.take(window * kWindow, EnvelopeMatch::kLongest)) return;
  const EnvelopePlace within = match_.best_near(around, reach_);
  if (within.nats < farthest_) far_ = match_.best_anywhere(around);
  far_.push_back(within.delay);
}

void LongPath::add_nodes(int window, const Used& used) {
  // A window may be lost at each delay that the path may have here.
  for (const int node : survivors_) proposed_.push_back({nodes_[node].delay, 0});
  std::sort(proposed_.begin(), proposed_.end(), [](const EnvelopePlace& a, const EnvelopePlace& b) {
    return a.delay != b.delay ? a.delay < b.delay : a.nats > b.nats;
  });
  const auto is_same = [](const EnvelopePlace& a, const EnvelopePlace& b) { return a.delay == b.delay; };
  proposed_.erase(std::unique(proposed_.begin(), proposed_.end(), is_same), proposed_.end());
  for (const EnvelopePlace& place : proposed_) {
    Node node{window, place.delay, place.nats, -EnvelopeMatch::cost_of_step(place.delay), -1};
    const auto come_from = [&](int other) {
      const double total = nodes_[other].total - EnvelopeMatch::cost_of_step(place.delay - nodes_[other].delay);
      if (total <= node.total) return;
      node.total = total;
      node.from = other;
    };
    for (const int other : survivors_) {
      if (std::abs(nodes_[other].delay - place.delay) <= kDrift) come_from(other);
    }
    const int other = used.best_until(window * kWindow + place.delay, nodes_);
    if (other >= 0) come_from(other);
    node.total += place.nats;
    nodes_.push_back(node);
  }
}

// By what they have, and by what the windows that have a place ahead may add (P. Hart, N. Nilsson, B. Raphael, IEEE
// Trans. Syst. Sci. Cybern. 4(2), 1968): what jumps to a later repetition will lack at the end what it gains now.
void LongPath::choose_survivors(std::size_t first_node) {
  double best = 0;
  for (std::size_t n = first_node; n < nodes_.size(); ++n) best = std::max(best, nodes_[n].total);
  std::vector<std::pair<double, int>> ranked;
  for (std::size_t n = first_node; n < nodes_.size(); ++n) {
    const int done = nodes_[n].window + 1;
    const int ahead = std::clamp((size_ - nodes_[n].delay) / kWindow - done, 0, windows_ - done);
    ranked.emplace_back(nodes_[n].total + best / done * ahead, static_cast<int>(n));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  survivors_.clear();
  for (const auto& one : ranked) {
    const int node = one.second;
    const auto is_near = [&](int other) { return std::abs(nodes_[other].delay - nodes_[node].delay) <= kDrift; };
    if (std::none_of(survivors_.begin(), survivors_.end(), is_near)) survivors_.push_back(node);
    if (std::ssize(survivors_) == AlignmentModel().candidates) break;
  }
}

void LongPath::trace_back() {
  int best = -1;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].total > (best < 0 ? 0 : nodes_[best].total)) best = static_cast<int>(n);
  }
  std::fill(places_.found.begin(), places_.found.end(), 0);
  behind_.clear();
  if (best < 0) return;
  behind_.assign(places_.delay.size(), nodes_[best].delay);
  for (; best >= 0; best = nodes_[best].from) {
    const Node& node = nodes_[best];
    if (node.nats <= 0) continue;
    places_.delay[node.window] = node.delay;
    places_.found[node.window] = 1;
    std::fill(behind_.begin(), behind_.begin() + node.window + 1, node.delay);
  }
}

}  // namespace vqas::scoring
