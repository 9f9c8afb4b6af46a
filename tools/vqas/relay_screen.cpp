#include "relay_screen.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace vqas::cli {
namespace {

// Errored seconds, and what happened besides single errors.
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

std::string direction_line(const RelayedCallState& call, Side from) {
  const RelayedCallState::Direction& direction = call.directions[static_cast<std::size_t>(from)];
  const RelayCounters& counters = direction.counters;
  const RatioInterval ber = counters.errors.ber_interval();
  const std::uint64_t dropped = counters.malformed + counters.oversized + counters.strangers;
  return fmt::format("{:>5} {} {:>9} {:>6} {:>6} {:>6} {:>11} {:>8} {:>9.2e} {:.1e}..{:.1e} {:>6.1f}  {}\n",
                     call.number, from == Side::a ? "a>b" : "b>a", counters.packets, counters.lost, counters.late,
                     dropped, counters.errors.bits(), counters.errors.errors(), ber.ratio, ber.low, ber.high,
                     static_cast<double>(counters.latest_ns) * 1e-6,
                     digital_words(counters.errors, counters.events) + packet_words(counters));
}

const char* direction_name(const RelayTarget& target) {
  if (!target.from) return "both directions";
  return *target.from == Side::a ? "a to b" : "b to a";
}

// What was done, and where there is a choice, in which direction.
std::string done_words(const std::string& done, const LiveDesk& desk, const RelayTarget& target) {
  return desk.directions().size() == 1 ? done : fmt::format("{}, {}", done, direction_name(target));
}

}  // namespace

std::string calls_table(const std::vector<RelayedCallState>& calls, std::size_t most) {
  std::string text =
      " call way   packets   lost   late    bad        bits   errors       BER 95 % interval     latest ms  errored "
      "s\n";
  for (std::size_t i = 0; i < std::min(most, calls.size()); ++i) {
    text += direction_line(calls[i], Side::a) + direction_line(calls[i], Side::b);
  }
  if (calls.size() > most) text += fmt::format("and {} more calls\n", calls.size() - most);
  return text;
}

std::string audio_table(const AudioRelayCounters& counters) {
  const RatioInterval ber = counters.errors.ber_interval();
  return fmt::format(
      "    heard s  overflows underflows clock slips flags        bits   errors       BER 95 % interval    errored s\n"
      "{:>11.1f} {:>10} {:>10} {:>11} {:>5} {:>11} {:>8} {:>9.2e} {:.1e}..{:.1e}  {}\n",
      static_cast<double>(counters.errors.bits()) / ErrorCounters::kG711BitsPerSecond, counters.overflows,
      counters.underflows, counters.clock_slips, counters.device_flags, counters.errors.bits(),
      counters.errors.errors(), ber.ratio, ber.low, ber.high, digital_words(counters.errors, counters.events));
}

void RelayScreen::draw(const std::string& table, const std::string& last_line) {
  if (!on_terminal_) return;
  clear();
  const std::string text = table + last_line + "\n";
  lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  std::cout << text << std::flush;
}

void RelayScreen::clear() {
  // ANSI: cursor up that many lines, erase to the end of the screen.
  if (lines_ > 0) std::cout << fmt::format("\x1b[{}A\x1b[J", lines_) << std::flush;
  lines_ = 0;
}

RelayKeys::RelayKeys(LiveDesk& desk, std::function<void()> quit, std::function<void()> pressed)
    : desk_(desk), quit_(std::move(quit)), pressed_(std::move(pressed)), said_("press ? for the keys") {
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

double RelayKeys::ber() const {
  const Profile& profile = desk_.conditions(target_.from.value_or(Side::a)).profile;
  const auto* const random = profile.errors.size() == 1 ? std::get_if<RandomRate>(&profile.errors[0]) : nullptr;
  return random == nullptr ? 0 : random->ber;
}

double RelayKeys::loss() const {
  const auto& packets = desk_.conditions(target_.from.value_or(Side::a)).profile.packets;
  return packets ? packets->loss_ratio : 0;
}

void RelayKeys::set(const std::string& json, const std::string& said) {
  const Status done = desk_.set(target_, json);
  said_ = done ? done_words(said, desk_, target_) : done.error().message;
}

void RelayKeys::press(char key) {
  constexpr double kLossStep = 0.01;
  switch (key) {
    case 'd':
      if (desk_.directions().size() == 1) {
        said_ = "there is one direction";
        break;
      }
      target_.from = !target_.from              ? std::optional(Side::a)
                     : *target_.from == Side::a ? std::optional(Side::b)
                                                : std::nullopt;
      said_ = fmt::format("keys are for {} now", direction_name(target_));
      break;
    case '+':
    case '-': {
      // From no errors, + goes where the first of them are heard.
      double ratio = ber() > 0 ? ber() * (key == '+' ? 10 : 0.1) : (key == '+' ? 1e-6 : 0);
      ratio = ratio < kLowestBer * 0.99 ? 0 : std::min(ratio, kHighestBer);
      set(fmt::format("{{\"ber\": {:.6e}}}", ratio), fmt::format("BER {:.3g}", ratio));
      break;
    }
    case '0':
      if (desk_.has_packets()) {
        set("{\"ber\": 0, \"loss\": 0}", "no errors, no loss");
      } else {
        set("{\"ber\": 0}", "no errors");
      }
      break;
    case 'l':
      set(fmt::format("{{\"loss\": {}}}", std::min(loss() + kLossStep, 0.9)), "one packet in a hundred more is lost");
      break;
    case 'e': {
      const Status done = desk_.inject(target_, 1);
      said_ = done ? done_words("one wrong bit", desk_, target_) : done.error().message;
      break;
    }
    case 'q':
      return quit_();
    default:
      said_ = keys_help();
  }
  pressed_();
}

std::string keys_help() {
  return "+ - BER tenfold, a tenth; 0 no errors or loss; e one wrong bit; l 1 % more loss; d direction; q quit";
}

}  // namespace vqas::cli
