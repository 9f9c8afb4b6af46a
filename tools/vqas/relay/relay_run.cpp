#include "relay/relay_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <QTimer>
#include <chrono>
#include <iostream>

#include "terminal/command.h"
#include "vqas/signal/json_text.h"

namespace vqas::cli {
namespace {

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

constexpr int kRedrawMs = 20;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

RelayRun::RelayRun(EventLoop& loop, LiveControl& live, RelayView view, const RelayRunOptions& options)
    : loop_(loop),
      live_(live),
      view_(std::move(view)),
      options_(options),
      on_terminal_(!options.json && ::isatty(STDOUT_FILENO) != 0),
      output_(STDOUT_FILENO),
      screen_(on_terminal_, output_),
      began_ns_(now_ns()) {}

double RelayRun::seconds() const {
  return static_cast<double>(now_ns() - began_ns_) * 1e-9;
}

int RelayRun::serve(Json ready) {
  const auto control = ControlSocket::listen(options_.control, live_, options_.origins);
  if (!control) return report_error(control.error());
  ready["control"] = (*control)->address();
  ready["seed"] = options_.seed;
  ready["real_time"] = live_.real_time();
  output_.tell(line_of(ready));
  for (const End from : live_.directions()) {
    for (const std::string& part : left_out(live_.conditions(from).profile, live_.relayed())) {
      std::cerr << fmt::format("vqas: {}: the profile's \"{}\" does not apply to a live call and is ignored.\n",
                               direction_words(from), part);
    }
  }
  loop_.on_interrupt([] { EventLoop::end(kOk); });
  if (options_.with_parent) loop_.on_input_end([] { EventLoop::end(kOk); });
  std::unique_ptr<RelayKeys> keys;
  QTimer again;
  const auto draw = [&] {
    const double left = options_.duration_s - seconds();
    const bool shown = screen_.draw(
        view_.table(), fmt::format("{:.0f} s{}; {}", seconds(),
                                   options_.duration_s > 0 ? fmt::format(", {:.0f} s left", std::max(0.0, left)) : "",
                                   keys ? keys->said() : ""));
    // The terminal is still busy with earlier output, or is held.
    if (!shown) again.start(kRedrawMs);
  };
  again.setSingleShot(true);
  QObject::connect(&again, &QTimer::timeout, &again, draw);
  if (on_terminal_ && !options_.with_parent) {
    keys = std::make_unique<RelayKeys>(
        live_, [] { EventLoop::end(kOk); }, draw);
  }
  draw();
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
    tick();
    draw();
  });
  timer.start(static_cast<int>(options_.interval_s * 1000));
  if (options_.duration_s > 0) {
    QTimer::singleShot(std::chrono::milliseconds(static_cast<std::int64_t>(options_.duration_s * 1000)), &timer,
                       [] { EventLoop::end(kOk); });
  }
  const int code = loop_.run();
  screen_.clear();
  view_.end_all();
  return exit_code_ != kOk ? exit_code_ : code;
}

void RelayRun::tick() {
  if (!options_.json) return;
  Json calls = Json::array();
  for (const std::string& call : live_.calls_json()) calls.push_back(own_json(call));
  Json line = {{"t_s", seconds()}, {"calls", calls}};
  if (const std::string sip = live_.sip_json(); !sip.empty()) line["sip"] = own_json(sip);
  // A slow reader gets the next counts instead.
  output_.offer(line_of(line));
}

void RelayRun::ended(const std::string& json, const std::string& text, const Status& failure) {
  screen_.clear();
  if (options_.json) {
    output_.tell(line_of({{"t_s", seconds()}, {"ended", own_json(json)}}));
  } else {
    output_.tell(text);
  }
  if (!failure) exit_code_ = report_error(failure.error());
}

}  // namespace vqas::cli
