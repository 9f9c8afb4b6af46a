#include "vqas/relay/relay_desk.h"

#include <fmt/format.h>

#include "node/control_server.h"
#include "relay/relay_json.h"

namespace vqas {
namespace {

// Of the methods of a relay.
constexpr int kProtocolVersion = 1;
// Whoever steers a relay holds no session, and changes conditions as often as it likes.
constexpr ControlLimits kLimits{.messages_per_s = 1000, .messages_at_once = 2000};

std::vector<Side> sides_of(const RelayTarget& target) {
  return target.from ? std::vector<Side>{*target.from} : std::vector<Side>{Side::a, Side::b};
}

Result<RelayTarget> target_from(const Json& params) {
  RelayTarget target;
  if (const auto call = params.find("call"); call != params.end()) {
    if (!call->is_number_unsigned()) return Error{ErrorCode::bad_input, "\"call\" must be a call's number"};
    target.call = call->get<std::uint64_t>();
  }
  if (const auto direction = params.find("direction"); direction != params.end()) {
    const bool from_a = *direction == "a_to_b";
    if (!from_a && *direction != "b_to_a" && *direction != "both") {
      return Error{ErrorCode::bad_input, "\"direction\" must be \"a_to_b\", \"b_to_a\" or \"both\""};
    }
    if (*direction != "both") target.from = from_a ? Side::a : Side::b;
  }
  return target;
}

rpc::Answer answer(const Status& status) {
  if (!status) return rpc::Answer::failed(rpc::kInvalidParams, status.error().message);
  return {Json::object(), {}};
}

}  // namespace

std::vector<std::uint64_t> RelayDesk::calls_of(const RelayTarget& target) const {
  if (target.call) return {*target.call};
  std::vector<std::uint64_t> numbers;
  for (const RelayedCallState& call : relay_.calls()) numbers.push_back(call.number);
  return numbers;
}

Status RelayDesk::set(const RelayTarget& target, const std::string& json) {
  const RelayJson parsed = RelayJson::parse(json, nullptr, false);
  struct Change {
    std::uint64_t call;
    Side from;
    RelayConditions conditions;
  };
  std::vector<Change> changes;
  for (const std::uint64_t number : calls_of(target)) {
    const auto call = relay_.call(number);
    if (!call && target.call) return Error{ErrorCode::bad_input, fmt::format("there is no call {}", number)};
    if (!call) continue;
    for (const Side from : sides_of(target)) {
      const auto changed = changed_conditions(call->directions[static_cast<std::size_t>(from)].conditions, parsed);
      if (!changed) return changed.error();
      changes.push_back({number, from, *changed});
    }
  }
  if (!target.call) {
    CallOptions defaults = defaults_;
    for (const Side from : sides_of(target)) {
      RelayConditions& conditions = defaults.sides[static_cast<std::size_t>(from)].conditions;
      const auto changed = changed_conditions(conditions, parsed);
      if (!changed) return changed.error();
      conditions = *changed;
    }
    defaults_ = defaults;
  }
  for (const Change& change : changes) {
    const Status done = relay_.change(change.call, change.from, change.conditions);
    if (!done && target.call) return done;  // of all calls, one may have ended meanwhile
  }
  return success();
}

Status RelayDesk::inject(const RelayTarget& target, std::uint32_t bits) {
  for (const std::uint64_t number : calls_of(target)) {
    for (const Side from : sides_of(target)) {
      const Status done = relay_.inject(number, from, bits);
      if (!done && target.call) return done;
    }
  }
  return success();
}

struct RelayControl::Engine {
  RelayDesk& desk;
  std::unique_ptr<ControlServer> server;

  explicit Engine(RelayDesk& given) : desk(given) {}

  rpc::Answer call(const std::string& method, const Json& params) const {
    if (method == "relay.hello") return hello();
    if (method == "relay.calls") return calls();
    if (method != "relay.set" && method != "relay.inject") {
      return rpc::Answer::failed(rpc::kUnknownMethod, fmt::format("there is no method \"{}\"", method));
    }
    const auto target = target_from(params);
    if (!target) return rpc::Answer::failed(rpc::kInvalidParams, target.error().message);
    if (method == "relay.set") return answer(desk.set(*target, params.value("conditions", Json()).dump()));
    const Json bits = params.value("bits", Json(1U));
    if (!bits.is_number_unsigned() || bits == 0 || bits > 1'000'000) {
      return rpc::Answer::failed(rpc::kInvalidParams, "\"bits\" must be 1 to 1000000");
    }
    return answer(desk.inject(*target, bits.get<std::uint32_t>()));
  }

  rpc::Answer hello() const {
    Json defaults;
    defaults["a_to_b"] = to_json(desk.defaults().sides[0].conditions);
    defaults["b_to_a"] = to_json(desk.defaults().sides[1].conditions);
    return {{{"protocol", kProtocolVersion},
             {"software_version", VQAS_VERSION},
             {"real_time", desk.relay().real_time()},
             {"new_calls", defaults}},
            {}};
  }

  rpc::Answer calls() const {
    Json list = Json::array();
    for (const RelayedCallState& one : desk.relay().calls()) list.push_back(to_json(one));
    return {{{"calls", list}}, {}};
  }
};

RelayControl::RelayControl(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
RelayControl::~RelayControl() = default;

Result<std::unique_ptr<RelayControl>> RelayControl::listen(const std::string& address, RelayDesk& desk) {
  auto engine = std::make_unique<Engine>(desk);
  engine->server = std::make_unique<ControlServer>(
      ControlServer::Callbacks{[raw = engine.get()](int, const std::string& method, const Json& params) {
                                 return raw->call(method, params);
                               },
                               [](int) {}, [](int) { return false; }},
      kLimits, ControlSecurity{}, "vqas relay");
  if (const Status listening = engine->server->listen(address); !listening) return listening.error();
  return std::unique_ptr<RelayControl>(new RelayControl(std::move(engine)));
}

std::string RelayControl::address() const {
  return engine_->server->address();
}

std::string call_json(const RelayedCallState& call) {
  return to_json(call).dump(-1, ' ', false, RelayJson::error_handler_t::replace);
}

}  // namespace vqas
