#include "line/line_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <QTimer>
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "vqas/campaign/transmissions.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

// The shortest one, where the mark stands just before the speech, and one in which every gate has closed again.
constexpr std::array kGuards_s{0.05, 0.6};

// Longer than any line's delay: nobody waits for long where nothing comes.
constexpr double kWithin_s = 6;
// So many in a row without a mark are no bad luck where noise is heard in their place; silence needs one.
constexpr std::size_t kDeadAfter = 2;

// Of what is told to machines, in each unit: below what any finding is known to.
constexpr double kStep = 1e-3;

std::string text_of(const LineFinding& finding) {
  if (!finding.value) return finding.pass ? "    none" : " unknown";
  const double rounded = std::round(*finding.value * 10) / 10;
  if (finding.unit == "dB lost" && rounded < 0) return fmt::format("{:8.1f} dB stronger", -rounded);
  return fmt::format("{:8.1f} {}", rounded == 0 ? 0 : rounded, finding.unit);  // not "-0.0"
}

}  // namespace

LineCheck::LineCheck(RunPlan plan, bool json) : plan_(std::move(plan)), json_(json) {
  plan_.sampling.first_count = 2;
  plan_.sampling.cap_count = 2;
  plan_.sampling.max_failures = 2;
  plan_.within_s = kWithin_s;
  if (plan_.a_to_b) place_of("a", "b");
  if (plan_.b_to_a) place_of("b", "a");
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
  if (::isatty(STDERR_FILENO) == 1) {
    std::cerr << fmt::format("Part {} of {}: {} ms between mark and speech\n", runs_ + 1, kGuards_s.size(),
                             plan_.guard_s * 1e3);
  }
  controller_ = std::make_unique<Controller>(plan_);
  QObject::connect(controller_.get(), &Controller::finished, controller_.get(),
                   [this](const QString& error, int code) { finished(error.toStdString(), code); });
  QObject::connect(controller_.get(), &Controller::waiting, controller_.get(), [this](const MarkWait& wait) {
    place_of(wait.from, wait.to).instead = wait.heard;
    waits_.tell(wait);
  });
  QObject::connect(controller_.get(), &Controller::noticed, controller_.get(), [this](const QString& what) {
    waits_.clear();
    std::cerr << "vqas: " << what.toStdString() << ".\n";
  });
  QObject::connect(controller_.get(), &Controller::measured, controller_.get(), [this](int direction, int) {
    watch(controller_->results().directions.at(static_cast<std::size_t>(direction)));
  });
  controller_->start();
}

LineCheck::Direction& LineCheck::place_of(const std::string& from, const std::string& to) {
  const auto place =
      std::ranges::find_if(directions_, [&](const auto& one) { return one.from == from && one.to == to; });
  return place != directions_.end() ? *place : directions_.emplace_back(Direction{from, to, {}});
}

// Whether it pays to go on with a direction.
void LineCheck::watch(const DirectionRun& run) {
  Direction& direction = place_of(run.from, run.to);
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
  (direction.from == "a" ? plan_.a_to_b : plan_.b_to_a) = false;
  if (std::exchange(breaking_off_, true)) return;
  // What is under way in the other direction is sent again; nothing is waited for.
  QTimer::singleShot(0, controller_.get(), [this] {
    controller_->cancel();
    controller_->cancel();
  });
}

void LineCheck::collect() {
  const RunResults& results = controller_->results();
  const auto corpus = Corpus::load(plan_.corpus);
  for (const DirectionRun& direction : results.directions) {
    Direction& place = place_of(direction.from, direction.to);
    if (!corpus) continue;
    auto checked = transmissions_of(direction, plan_.folder, *corpus, plan_.guard_s);
    // What was broken off says nothing.
    std::erase_if(checked, [](const CheckedTransmission& one) { return was_given_up(one.measurement.outcome); });
    std::ranges::move(checked, std::back_inserter(place.checked));
  }
}

void LineCheck::finished(const std::string& error, int code) {
  waits_.clear();
  collect();
  const bool broken_off = std::exchange(breaking_off_, false) && static_cast<ErrorCode>(code) == ErrorCode::cancelled;
  if (!error.empty() && !broken_off) {
    const int exit_code = report_error({static_cast<ErrorCode>(code), error});
    // What was found before it is of use, where there is any.
    const bool any = std::ranges::any_of(directions_, [](const Direction& one) { return !one.checked.empty(); });
    if (any && static_cast<ErrorCode>(code) != ErrorCode::cancelled) tell();
    return EventLoop::end(exit_code);
  }
  if (!broken_off) ++runs_;
  if (runs_ < kGuards_s.size() && (plan_.a_to_b || plan_.b_to_a)) {
    // Not from within the controller that is to go.
    QTimer::singleShot(0, controller_.get(), [this] {
      controller_.release()->deleteLater();
      run_next();
    });
    return;
  }
  tell();
  EventLoop::end(passed() ? kOk : kNotMeasured);
}

bool LineCheck::passed() const {
  return std::ranges::all_of(
      directions_, [this](const Direction& one) { return std::ranges::all_of(findings_of(one), &LineFinding::pass); });
}

std::vector<LineFinding> LineCheck::findings_of(const Direction& direction) const {
  const auto back = std::ranges::find_if(directions_, [&](const auto& one) { return one.from == direction.to; });
  return line_findings(direction.checked, {.sender_hears = back == directions_.end() || is_joined(back->checked),
                                           .instead = direction.instead,
                                           .from = direction.from,
                                           .to = direction.to});
}

void LineCheck::tell() const {
  Json json{{"passed", passed()}, {"directions", Json::array()}};
  for (const Direction& direction : directions_) {
    Json findings = Json::array();
    if (!json_) std::cout << direction.name() << "\n";
    for (const LineFinding& one : findings_of(direction)) {
      findings.push_back({{"name", one.name},
                          {"value", one.value ? Json(rounded_to(*one.value, kStep)) : Json(nullptr)},
                          {"unit", one.unit},
                          {"pass", one.pass},
                          {"measured", one.made()},
                          {"advice", one.advice.empty() ? Json(nullptr) : Json(one.advice)}});
      if (json_) continue;
      std::cout << fmt::format("  {:4} {:17} {}{}\n",
                               one.pass     ? "ok"
                               : one.made() ? "FAIL"
                                            : "--",
                               one.name, text_of(one), one.advice.empty() ? "" : ": " + one.advice);
    }
    json["directions"].push_back({{"direction", direction.name()}, {"findings", findings}});
  }
  if (json_) std::cout << json.dump(2) << "\n";
  std::cout << std::flush;
}

}  // namespace vqas::cli
