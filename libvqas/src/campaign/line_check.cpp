#include "vqas/campaign/line_check.h"

#include <QTimer>
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "campaign/transmissions.h"
#include "vqas/corpus/corpus.h"
#include "vqas/node/controller.h"

namespace vqas {
namespace {

// The shortest guard interval, with the mark just before the speech, and one in which every noise gate closes.
constexpr std::array kGuards_s{0.05, 0.6};

// Longer than any line's delay, and short enough to wait for when nothing arrives.
constexpr double kWithin_s = 6;
// This many in a row without a mark are not chance if noise is received instead; with silence, one is enough.
constexpr std::size_t kDeadAfter = 2;

}  // namespace

LineCheck::LineCheck(RunPlan plan, LineCheckEvents events) : plan_(std::move(plan)), events_(std::move(events)) {
  plan_.cap_line_time_s = 0;
  plan_.sampling = {};
  plan_.sampling.first_count = 2;
  plan_.sampling.cap_count = 2;
  plan_.sampling.max_failures = 2;
  plan_.within_s = kWithin_s;
  if (plan_.a_to_b) place_of(End::a);
  if (plan_.b_to_a) place_of(End::b);
}

LineCheck::~LineCheck() = default;

void LineCheck::start() {
  run_next();
}

void LineCheck::cancel() {
  if (controller_) controller_->cancel();
}

void LineCheck::run_next() {
  plan_.guard_s = kGuards_s.at(runs_);
  plan_.seed = runs_ + 1;
  if (events_.on_part) events_.on_part(runs_ + 1, kGuards_s.size(), plan_.guard_s);
  controller_ = std::make_unique<Controller>(plan_);
  QObject::connect(controller_.get(), &Controller::finished, controller_.get(), [this](const QString& error, int code) {
    finished(error.toStdString(), static_cast<ErrorCode>(code));
  });
  QObject::connect(controller_.get(), &Controller::waiting, controller_.get(), [this](const MarkWait& wait) {
    place_of(wait.from).instead = wait.heard;
    if (events_.on_waiting) events_.on_waiting(wait);
  });
  QObject::connect(controller_.get(), &Controller::noticed, controller_.get(), [this](const QString& what) {
    if (events_.on_noticed) events_.on_noticed(what.toStdString());
  });
  QObject::connect(controller_.get(), &Controller::measured, controller_.get(), [this](int direction, int) {
    watch(controller_->results().directions.at(static_cast<std::size_t>(direction)));
  });
  controller_->start();
}

LineCheck::Direction& LineCheck::place_of(End from) {
  const auto place = std::ranges::find(directions_, from, &Direction::from);
  return place != directions_.end() ? *place : directions_.emplace_back(Direction{from, {}});
}

// Stops a direction from which nothing arrives.
void LineCheck::watch(const DirectionRun& run) {
  Direction& direction = place_of(run.from);
  std::size_t in_vain = 0;
  bool silent = false;
  for (const StimulusRun& stimulus : run.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      CheckedTransmission heard;
      heard.measurement = one;
      if (is_joined({heard})) return;
      in_vain += one.outcome == Outcome::not_found ? 1 : 0;
      silent = silent || one.call == 0;
    }
  }
  if (is_joined(direction.checked) || (!silent && in_vain < kDeadAfter) || direction.dead) return;
  direction.dead = true;
  (direction.from == End::a ? plan_.a_to_b : plan_.b_to_a) = false;
  if (std::exchange(breaking_off_, true)) return;
  // Transmissions in progress in the other direction are sent again, so there is no wait for them.
  QTimer::singleShot(0, controller_.get(), [this] {
    controller_->cancel();
    controller_->cancel();
  });
}

void LineCheck::collect() {
  const RunResults& results = controller_->results();
  const auto corpus = Corpus::load(plan_.corpus);
  for (const DirectionRun& direction : results.directions) {
    Direction& place = place_of(direction.from);
    if (!corpus) continue;
    auto checked = transmissions_of(direction, plan_.folder, *corpus, plan_.guard_s);
    // Abandoned transmissions are no evidence.
    std::erase_if(checked, [](const CheckedTransmission& one) { return was_abandoned(one.measurement.outcome); });
    std::ranges::move(checked, std::back_inserter(place.checked));
  }
}

void LineCheck::finished(const std::string& error, ErrorCode code) {
  if (events_.on_part_ended) events_.on_part_ended();
  collect();
  const bool broken_off = std::exchange(breaking_off_, false) && code == ErrorCode::cancelled;
  const bool failed = !error.empty() && !broken_off;
  if (!failed && !broken_off) ++runs_;
  if (!failed && runs_ < kGuards_s.size() && (plan_.a_to_b || plan_.b_to_a)) {
    if (events_.on_found) events_.on_found(result());
    // Not from within the controller, which is destroyed here.
    QTimer::singleShot(0, controller_.get(), [this] {
      controller_.release()->deleteLater();
      run_next();
    });
    return;
  }
  LineCheckResult found = result();
  if (failed) found.error = Error{code, error};
  if (events_.on_finished) events_.on_finished(found);
}

std::vector<CheckFinding> LineCheck::findings_of(const Direction& direction) const {
  const auto back = std::ranges::find(directions_, other_end(direction.from), &Direction::from);
  return check_findings(direction.checked, {.sender_hears = back == directions_.end() || is_joined(back->checked),
                                            .instead = direction.instead,
                                            .from = direction.from});
}

LineCheckResult LineCheck::result() const {
  LineCheckResult result;
  result.passed = true;
  for (const Direction& one : directions_) {
    result.directions.push_back({one.from, one.checked.size(), findings_of(one)});
    result.passed = result.passed && std::ranges::all_of(result.directions.back().findings, &CheckFinding::pass);
  }
  return result;
}

}  // namespace vqas
