#include "vqas/relay/live_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vqas/channel/geometric_gaps.h"

namespace vqas {
namespace {

constexpr double kLossStep = 0.01;
constexpr double kMostLoss = 0.9;

// Errors that are a single random ratio, or none. Nothing for other kinds, which have no ratio to step.
std::optional<double> random_ber(const Profile& profile) {
  if (profile.errors.empty()) return 0;
  const auto* const random = profile.errors.size() == 1 ? std::get_if<RandomRate>(&profile.errors[0]) : nullptr;
  return random == nullptr ? std::nullopt : std::optional(random->ber);
}

// From no errors, a step up goes to where errors begin to be heard.
double stepped(double ber, double factor) {
  const double ratio = ber > 0 ? ber * factor : (factor > 1 ? 1e-6 : 0);
  return ratio < kLowestBer * 0.99 ? 0 : std::min(ratio, kHighestBer);
}

}  // namespace

std::string LiveKeys::help() {
  return "+ - BER tenfold, a tenth; 0 no errors or loss; e one wrong bit; l 1 % more loss; d direction; q quit";
}

std::vector<End> LiveKeys::sides() const {
  return target_.from ? std::vector<End>{*target_.from} : live_.directions();
}

std::string LiveKeys::with_direction(const std::string& done) const {
  if (live_.directions().size() == 1) return done;
  return fmt::format("{}, {}", done, target_.from ? direction_words(*target_.from) : "both directions");
}

std::string LiveKeys::set(const std::string& json, const std::string& done) {
  const Status status = live_.set(target_, json);
  return status ? with_direction(done) : status.error().message;
}

std::string LiveKeys::step_ber(double factor) {
  std::vector<double> ratios;
  for (const End from : sides()) {
    const auto ber = random_ber(live_.conditions(from).profile);
    if (!ber)
      return fmt::format("{} has the errors of its profile, which are no single ratio; 0 removes them",
                         direction_words(from));
    ratios.push_back(stepped(*ber, factor));
  }
  const bool alike = std::all_of(ratios.begin(), ratios.end(), [&](double one) { return one == ratios.front(); });
  if (alike) return set(fmt::format("{{\"ber\": {:.17g}}}", ratios.front()), fmt::format("BER {:.3g}", ratios.front()));
  std::string said = "BER";
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const End from = sides()[i];
    const Status done = live_.set({target_.call, from}, fmt::format("{{\"ber\": {:.17g}}}", ratios[i]));
    if (!done) return done.error().message;
    said += fmt::format("{} {:.3g} {}", i == 0 ? "" : ",", ratios[i], direction_words(from));
  }
  return said;
}

std::string LiveKeys::lose_more() {
  for (const End from : sides()) {
    const auto& packets = live_.conditions(from).profile.packets;
    if (packets && packets->loss == LossKind::pattern) {
      return fmt::format("{} loses packets by a pattern, which has no loss ratio; 0 removes it", direction_words(from));
    }
  }
  for (const End from : sides()) {
    const auto& packets = live_.conditions(from).profile.packets;
    const double loss = std::min((packets ? packets->loss_ratio : 0) + kLossStep, kMostLoss);
    const Status done = live_.set({target_.call, from}, fmt::format("{{\"loss\": {:.6g}}}", loss));
    if (!done) return done.error().message;
  }
  return with_direction("1 % more packet loss");
}

std::string LiveKeys::press(char key) {
  switch (key) {
    case 'd':
      if (live_.directions().size() == 1) return "there is only one direction";
      target_.from = !target_.from             ? std::optional(End::a)
                     : *target_.from == End::a ? std::optional(End::b)
                                               : std::nullopt;
      return fmt::format("keys now act on {}", target_.from ? direction_words(*target_.from) : "both directions");
    case '+':
      return step_ber(10);
    case '-':
      return step_ber(0.1);
    case '0':
      if (live_.relayed() == Relayed::sound) return set("{\"ber\": 0}", "no errors");
      return set("{\"ber\": 0, \"loss\": 0}", "no errors, no loss");
    case 'l':
      if (live_.relayed() == Relayed::sound) return "there are no packets to lose";
      return lose_more();
    case 'e': {
      const Status done = live_.inject(target_, 1);
      return done ? with_direction("one wrong bit") : done.error().message;
    }
    default:
      return help();
  }
}

}  // namespace vqas
