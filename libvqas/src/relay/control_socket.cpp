#include <fmt/format.h>

#include "node/wire/control_server.h"
#include "relay/relay_json.h"
#include "vqas/relay/live_control.h"

namespace vqas {
namespace {

// For the methods of a relay.
constexpr int kProtocolVersion = 1;
// A client of the relay needs no session, and may change conditions as often as it likes.
constexpr ControlLimits kLimits{.messages_per_s = 1000, .messages_at_once = 2000};

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
    if (*direction != "both") target.from = from_a ? End::a : End::b;
  }
  return target;
}

rpc::Answer answer(const Status& status) {
  if (!status) return rpc::Answer::failed(rpc::kInvalidParams, status.error().message);
  return {Json::object(), {}};
}

}  // namespace

struct ControlSocket::Engine {
  LiveControl& live;
  std::unique_ptr<ControlServer> server;

  explicit Engine(LiveControl& given) : live(given) {}

  rpc::Answer call(const std::string& method, const Json& params) const {
    if (method == "relay.hello") return hello();
    if (method == "relay.calls") return calls();
    if (method != "relay.set" && method != "relay.inject") {
      return rpc::Answer::failed(rpc::kUnknownMethod, fmt::format("there is no method \"{}\"", method));
    }
    const auto target = target_from(params);
    if (!target) return rpc::Answer::failed(rpc::kInvalidParams, target.error().message);
    if (method == "relay.set") return answer(live.set(*target, params.value("conditions", Json()).dump()));
    const Json bits = params.value("bits", Json(1U));
    if (!bits.is_number_unsigned() || bits == 0 || bits > 1'000'000) {
      return rpc::Answer::failed(rpc::kInvalidParams, "\"bits\" must be 1 to 1000000");
    }
    return answer(live.inject(*target, bits.get<std::uint32_t>()));
  }

  rpc::Answer hello() const {
    Json defaults = Json::object();
    for (const End from : live.directions())
      defaults[direction_word(from)] = to_json(live.conditions(from), live.relayed());
    return {{{"protocol", kProtocolVersion},
             {"software_version", VQAS_VERSION},
             {"real_time", live.real_time()},
             {"new_calls", defaults}},
            {}};
  }

  rpc::Answer calls() const {
    Json list = Json::array();
    for (const std::string& call : live.calls_json()) list.push_back(own_json(call));
    Json result = {{"calls", list}};
    if (const std::string sip = live.sip_json(); !sip.empty()) result["sip"] = own_json(sip);
    return {result, {}};
  }
};

ControlSocket::ControlSocket(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
ControlSocket::~ControlSocket() = default;

Result<std::unique_ptr<ControlSocket>> ControlSocket::listen(const std::string& address, LiveControl& live,
                                                             const std::vector<std::string>& allowed_origins) {
  if (const Status lawful = check_origins(allowed_origins); !lawful) return lawful.error();
  ControlSecurity security;
  security.origins = allowed_origins;
  auto engine = std::make_unique<Engine>(live);
  engine->server = std::make_unique<ControlServer>(
      ControlServer::Callbacks{[raw = engine.get()](int, const std::string& method, const Json& params) {
                                 return raw->call(method, params);
                               },
                               [](int) {}, [](int) { return false; }},
      kLimits, security, "vqas relay");
  if (const Status listening = engine->server->listen(address); !listening) return listening.error();
  return std::unique_ptr<ControlSocket>(new ControlSocket(std::move(engine)));
}

std::string ControlSocket::address() const {
  return engine_->server->address();
}

}  // namespace vqas
