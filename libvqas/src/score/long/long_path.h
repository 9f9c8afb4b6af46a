#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "score/long/envelope_match.h"
#include "score/long/long_envelope.h"

namespace vqas::scoring {

inline constexpr double kWindowS = EnvelopeMatch::kWindow * kEnvelopeStepS;  // not tuned: 2.048

/// Where each window of a long reference lies.
struct LongPlaces {
  std::vector<int> delay;    ///< steps of the envelope, one a window
  std::vector<char> found;   ///< one a window, 1 where it was found there
  std::vector<char> silent;  ///< one a window, 1 where there is nothing to be found
};

/// The likeliest path of a long recording, two seconds at a time, by the envelopes alone (Viterbi). As in a short one
/// what is shared speaks for a place, a step of the delay costs what it is unlikely to be, the order stays, and no
/// place is used twice. Places are proposed near the path so far, within reach of it, and where that explains less than
/// a step costs from all of the recording. Memory is some 50 bytes for each step. For one call of run().
class LongPath {
 public:
  /// `reach` in steps; `is_bounded`: nothing is looked for further away.
  LongPath(std::span<const float> reference, std::span<const float> degraded, int reach, bool is_bounded = false);
  /// Asks `go_on` every ten seconds of the recording; stopped, it has found nothing.
  LongPlaces run(const GoOn& go_on = {});

 private:
  struct Node {
    int window = 0;
    int delay = 0;
    float nats = 0;    // of this window,
    double total = 0;  // and of the best path to here
    int from = -1;     // the node before
  };
  /// The best that ends up to a place of the recording (P. Fenwick, Softw. Pract. Exp. 24(3), 1994).
  class Used {
   public:
    explicit Used(std::size_t places) : best_(places + 1, -1) {}
    void add(std::ptrdiff_t place, int node, const std::vector<Node>& nodes);
    int best_until(std::ptrdiff_t place, const std::vector<Node>& nodes) const;

   private:
    std::vector<int> best_;
  };

  bool find_path(int round, const GoOn& go_on);
  bool is_all_found() const;
  void propose(int window);
  void propose_far(int window, int around);
  void add_nodes(int window, const Used& used);
  void choose_survivors(std::size_t first_node);
  void trace_back();

  EnvelopeMatch match_;
  int windows_ = 0;
  int size_ = 0;  // of the degraded recording, steps
  int reach_ = 0;
  bool is_bounded_ = false;
  double farthest_ = 0;  // cost of a step, nats
  LongPlaces places_;
  std::vector<int> behind_;  // of each window: the delay of what the last path found from it on
  std::vector<EnvelopePlace> proposed_;
  std::vector<int> far_;
  std::vector<Node> nodes_;
  std::vector<int> survivors_;  // nodes of the last window, best first
};

}  // namespace vqas::scoring
