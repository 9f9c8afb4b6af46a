#include "line_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <QTimer>
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "command.h"
#include "event_loop.h"
#include "transmissions.h"
#include "vqas/corpus/corpus.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

// The shortest one, where the mark stands just before the speech, and one in which every gate has closed again.
constexpr std::array kGuards_s{0.05, 0.6};

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
  controller_->start();
}

void LineCheck::collect() {
  const RunResults& results = controller_->results();
  const auto corpus = Corpus::load(plan_.corpus);
  for (const DirectionRun& direction : results.directions) {
    const std::string name = direction.from + " to " + direction.to;
    auto place = std::ranges::find(directions_, name, &Direction::name);
    if (place == directions_.end()) place = directions_.insert(directions_.end(), {name, {}});
    if (!corpus) continue;
    auto checked = transmissions_of(direction, plan_.folder, *corpus, plan_.guard_s);
    std::ranges::move(checked, std::back_inserter(place->checked));
  }
}

void LineCheck::finished(const std::string& error, int code) {
  collect();
  if (!error.empty()) {
    const int exit_code = report_error({static_cast<ErrorCode>(code), error});
    // What was found before it is of use, where there is any.
    const bool any = std::ranges::any_of(directions_, [](const Direction& one) { return !one.checked.empty(); });
    if (any && static_cast<ErrorCode>(code) != ErrorCode::cancelled) tell();
    return EventLoop::end(exit_code);
  }
  if (++runs_ < kGuards_s.size()) {
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
  return std::ranges::all_of(directions_, [](const Direction& one) {
    return std::ranges::all_of(line_findings(one.checked), &LineFinding::pass);
  });
}

void LineCheck::tell() const {
  Json json{{"passed", passed()}, {"directions", Json::array()}};
  for (const Direction& direction : directions_) {
    Json findings = Json::array();
    if (!json_) std::cout << direction.name << "\n";
    for (const LineFinding& one : line_findings(direction.checked)) {
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
    json["directions"].push_back({{"direction", direction.name}, {"findings", findings}});
  }
  if (json_) std::cout << json.dump(2) << "\n";
  std::cout << std::flush;
}

}  // namespace vqas::cli
