#include "relay/relay_screen.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "vqas/signal/plain_text.h"

namespace vqas::cli {
namespace {

// Errored seconds, and events besides single errors.
std::string digital_words(const ErrorCounters& errors, const LiveEvents& events) {
  std::string text = fmt::format("{}/{}", errors.seconds().errored, errors.seconds().total);
  if (events.call == CallState::released) text += ", released";
  if (events.call == CallState::restored) text += ", restored";
  if (events.releases > 0) text += fmt::format(", released {} times", events.releases);
  if (events.interrupted_octets > 0) text += fmt::format(", {} octets interrupted", events.interrupted_octets);
  if (events.slips > 0) text += fmt::format(", {} slips", events.slips);
  return text;
}

std::string packet_words(const RelayCounters& counters) {
  std::string text;
  if (counters.lost_in_queue > 0) text += fmt::format(", {} lost in the bottleneck", counters.lost_in_queue);
  if (counters.other_packets > 0) text += fmt::format(", {} NOT G.711: no bit errors", counters.other_packets);
  return text;
}

std::string mode_words(const RelayConditions& conditions) {
  return std::string(conditions.bypass ? ", bypass" : "") + (conditions.loopback ? ", loopback" : "");
}

std::string direction_line(const RelayedCallState& call, End from) {
  const RelayedCallState::Direction& direction = call.directions[static_cast<std::size_t>(from)];
  const RelayCounters& counters = direction.counters;
  const RatioInterval ber = counters.errors.ber_interval();
  const std::uint64_t dropped = counters.malformed + counters.oversized + counters.strangers;
  return fmt::format(
      "{:>5} {} {:>9} {:>6} {:>6} {:>6} {:>11} {:>8} {:>9.2e} {:.1e}..{:.1e} {:>6.1f}  {}\n", call.number,
      from == End::a ? "a>b" : "b>a", counters.packets, counters.lost, counters.late, dropped, counters.errors.bits(),
      counters.errors.errors(), ber.ratio, ber.low, ber.high, static_cast<double>(counters.latest_ns) * 1e-6,
      digital_words(counters.errors, counters.events) + packet_words(counters) + mode_words(*direction.conditions));
}

}  // namespace

std::string calls_table(const std::vector<RelayedCallState>& calls, std::size_t most) {
  std::string text =
      " call way   packets   lost   late    bad        bits   errors       BER 95 % interval     latest ms  errored "
      "s\n";
  for (std::size_t i = 0; i < std::min(most, calls.size()); ++i) {
    text += direction_line(calls[i], End::a) + direction_line(calls[i], End::b);
  }
  if (calls.size() > most) text += fmt::format("and {} more calls\n", calls.size() - most);
  return text;
}

std::string sip_line(const SipCounters& counters) {
  std::string text = fmt::format("SIP: {} calls, {} unanswered", counters.calls, counters.calls_unanswered);
  const std::pair<std::uint64_t, const char*> rest[] = {
      {counters.stray_requests, "stray requests"},
      {counters.stray_responses, "stray responses"},
      {counters.no_sip, "not SIP"},
      {counters.refused_descriptions, "session descriptions refused"},
      {counters.refused_for_room, "refused for lack of room"},
      {counters.unanswered, "never answered"},
      {counters.gave_way, "displaced by other callers"},
  };
  for (const auto& [count, words] : rest) {
    if (count > 0) text += fmt::format(", {} {}", count, words);
  }
  return text + "\n";
}

std::string audio_table(const AudioRelayCounters& counters) {
  const RatioInterval ber = counters.errors.ber_interval();
  return fmt::format(
      "    heard s  overflows underflows clock slips flags        bits   errors       BER 95 % interval    errored s\n"
      "{:>11.1f} {:>10} {:>10} {:>11} {:>5} {:>11} {:>8} {:>9.2e} {:.1e}..{:.1e}  {}\n",
      static_cast<double>(counters.errors.place()) / ErrorCounters::kG711BitsPerSecond, counters.overflows,
      counters.underflows, counters.clock_slips, counters.device_flags, counters.errors.bits(),
      counters.errors.errors(), ber.ratio, ber.low, ber.high, digital_words(counters.errors, counters.events));
}

bool RelayScreen::draw(const std::string& table, const std::string& last_line) {
  if (!on_terminal_) return true;
  const std::string text = plain_text(table + last_line, "\n") + "\n";
  if (!output_.offer(erasing() + text)) return false;
  lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return true;
}

void RelayScreen::clear() {
  if (lines_ > 0) output_.tell(erasing());
  lines_ = 0;
}

std::string RelayScreen::erasing() const {
  // ANSI: cursor up that many lines, erase to the end of the screen.
  return lines_ > 0 ? fmt::format("\x1b[{}A\x1b[J", lines_) : std::string();
}

RelayKeys::RelayKeys(LiveControl& live, std::function<void()> quit, std::function<void()> pressed)
    : keys_(live), quit_(std::move(quit)), pressed_(std::move(pressed)), said_("press ? for the keys") {
  if (::isatty(STDIN_FILENO) == 0 || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios keys = before_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &keys);
  notifier_ = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
  QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(), [this] {
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) == 1) {
      press(key);
    } else {
      notifier_->setEnabled(false);
    }
  });
}

RelayKeys::~RelayKeys() {
  if (notifier_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

void RelayKeys::press(char key) {
  if (key == 'q') return quit_();
  said_ = keys_.press(key);
  pressed_();
}

std::string keys_help() {
  return LiveKeys::help();
}

}  // namespace vqas::cli
