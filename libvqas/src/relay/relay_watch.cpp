#include "vqas/relay/relay_watch.h"

#include <fmt/format.h>

#include <QTimer>
#include <utility>

#include "node/controller/node_client.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr int kPeriodMs = 200;

Json direction_of(std::optional<End> from) {
  if (!from) return "both";
  return *from == End::a ? "a_to_b" : "b_to_a";
}

std::optional<double> number_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<std::uint64_t> count_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? std::optional(found->get<std::uint64_t>())
                                                              : std::nullopt;
}

Result<RelayedWay> way_from(End from, const Json& json) {
  const Json conditions = json.value("conditions", Json()), counters = json.value("counters", Json());
  if (!conditions.is_object() || !counters.is_object())
    return Error{ErrorCode::protocol, "a relay told a direction without conditions or counters"};
  RelayedWay way;
  way.from = from;
  if (const auto name = conditions.find("profile"); name != conditions.end() && name->is_string())
    way.profile = plain_text(name->get<std::string>());
  way.ber = number_in(conditions, "ber");
  way.delay_ms = number_in(conditions, "delay_ms").value_or(0);
  way.bypass = conditions.value("bypass", Json()) == true;
  way.bits = count_in(counters, "bits").value_or(0);
  way.errors = count_in(counters, "errors").value_or(0);
  way.measured_ber = number_in(counters, "ber");
  way.ber_low_95 = number_in(counters, "ber_low_95").value_or(0);
  way.ber_high_95 = number_in(counters, "ber_high_95").value_or(0);
  const Json bursts = counters.value("bursts_by_length", Json::object());
  for (const auto& [length, count] : bursts.items())
    if (length != "1_bit" && count.is_number_unsigned()) way.bursts += count.get<std::uint64_t>();
  way.packets = count_in(counters, "packets");
  way.dropped = count_in(counters, "lost");
  if (way.packets) way.loss = number_in(conditions, "loss");
  return way;
}

Result<RelayedFigures> figures_from(const Json& call) {
  if (!call.is_object()) return Error{ErrorCode::protocol, "a relay told a call that is no object"};
  RelayedFigures figures;
  figures.call = count_in(call, "call").value_or(0);
  figures.age_s = number_in(call, "age_s").value_or(0);
  for (const auto& [from, name] : {std::pair{End::a, "a_to_b"}, std::pair{End::b, "b_to_a"}}) {
    const auto found = call.find(name);
    if (found == call.end()) continue;
    if (!found->is_object()) return Error{ErrorCode::protocol, "a relay told a direction that is no object"};
    auto way = way_from(from, *found);
    if (!way) return way.error();
    figures.ways.push_back(*std::move(way));
  }
  return figures;
}

Json conditions_of(const RelayChange& change) {
  Json conditions = Json::object();
  if (change.profile) conditions["profile"] = *change.profile;
  if (change.ber) conditions["ber"] = *change.ber;
  if (change.delay_ms) conditions["delay_ms"] = *change.delay_ms;
  if (change.loss) conditions["loss"] = *change.loss;
  return conditions;
}

}  // namespace

Result<RelayedFigures> relayed_figures(const std::string& call_json) {
  const auto parsed = parse_json_text(call_json, "a relay's call");
  return parsed ? figures_from(*parsed) : Error{ErrorCode::protocol, parsed.error().message};
}

std::string conditions_json(const RelayChange& change) {
  return conditions_of(change).dump();
}

struct RelayWatch::Engine {
  Engine(const RelayWatchEvents& events, const std::string& address)
      : events_(events), address_(address), client_("the relay at " + address, address) {
    period_.setSingleShot(true);
    QObject::connect(&period_, &QTimer::timeout, &period_, [this] { look(); });
  }

  void start() {
    if (!address_.starts_with("ws://")) {
      return lose(
          fmt::format("\"{}\" is not the address of a relay; write what the relay printed, like "
                      "ws://127.0.0.1:7813",
                      address_));
    }
    client_.open([this] { look(); }, [this](const Error&) { lose(why_lost()); }, [](const auto&, const auto&) {});
  }

  void ask(const char* method, const Json& params) {
    if (!seen_ || lost_) return;
    client_.request(method, params, [this](const Result<Json>& answer) {
      if (!answer && events_.refused) events_.refused(answer.error().message);
      period_.start(0);  // what was changed is seen at once
    });
  }

 private:
  void look() {
    client_.request("relay.calls", Json::object(), [this](const Result<Json>& answer) {
      if (!answer) return lose(why_lost());
      const Json list = answer->value("calls", Json());
      if (!list.is_array()) return lose(why_lost());
      std::vector<RelayedFigures> calls;
      for (const Json& one : list) {
        auto figures = figures_from(one);
        if (!figures) return lose(figures.error().message + "; both sides need the same release of VQAS");
        calls.push_back(*std::move(figures));
      }
      seen_ = true;
      period_.start(kPeriodMs);
      if (events_.seen) events_.seen(std::move(calls));
    });
  }

  std::string why_lost() const {
    if (seen_)
      return fmt::format("the relay at {} does not answer any more; see whether it still runs, and connect again",
                         address_);
    if (client_.was_refused())
      return fmt::format("no relay listens at {}; start one with \"vqas relay … --control {}\"", address_,
                         address_.substr(5));
    return fmt::format("what answers at {} is no VQAS relay, or nothing answers; check the address", address_);
  }

  void lose(const std::string& why) {
    if (std::exchange(lost_, true)) return;
    period_.stop();
    client_.close();
    if (events_.lost) events_.lost(why);
  }

  const RelayWatchEvents& events_;
  const std::string& address_;
  NodeClient client_;
  QTimer period_;
  bool seen_ = false, lost_ = false;
};

RelayWatch::RelayWatch(std::string address, RelayWatchEvents events)
    : address_(std::move(address)), events_(std::move(events)) {}

RelayWatch::~RelayWatch() = default;

void RelayWatch::start() {
  engine_ = std::make_unique<Engine>(events_, address_);
  engine_->start();
}

void RelayWatch::change(const RelayChange& change) {
  if (!engine_) return;
  engine_->ask("relay.set", {{"direction", direction_of(change.from)}, {"conditions", conditions_of(change)}});
}

void RelayWatch::inject(std::optional<End> from, std::uint32_t bits) {
  if (engine_) engine_->ask("relay.inject", {{"direction", direction_of(from)}, {"bits", bits}});
}

}  // namespace vqas
