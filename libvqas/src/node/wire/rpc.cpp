#include "node/wire/rpc.h"

#include <fmt/format.h>

namespace vqas::rpc {
namespace {

std::string dump(const Json& json) {
  // Invalid UTF-8 is replaced, never thrown as an exception.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string fault_response(const Json& id, const Fault& fault) {
  return dump({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", fault.code}, {"message", fault.message}}}});
}

std::optional<std::string> unlawful(const Json& json) {
  if (json.is_array()) return "batches are not supported; send one request at a time";
  if (!json.is_object()) return "a request must be an object";
  if (json.value("jsonrpc", Json()) != "2.0") return "\"jsonrpc\" must be \"2.0\"";
  const auto method = json.find("method");
  if (method == json.end() || !method->is_string()) return "\"method\" must be a string";
  const auto params = json.find("params");
  if (params != json.end() && !params->is_object()) return "\"params\" must be an object";
  const auto id = json.find("id");
  if (id != json.end() && !id->is_number_integer() && !id->is_string() && !id->is_null()) {
    return "\"id\" must be a whole number or a string";
  }
  return std::nullopt;
}

Json id_of(const Json& json) {
  if (!json.is_object()) return nullptr;
  const auto id = json.find("id");
  return id != json.end() && (id->is_number_integer() || id->is_string()) ? *id : Json(nullptr);
}

}  // namespace

std::string respond(const std::string& message, const Methods& methods) {
  if (message.size() > kLongestMessage) {
    return fault_response(nullptr,
                          {kInvalidRequest, fmt::format("the message is longer than {} bytes", kLongestMessage)});
  }
  const auto parsed = parse_json_text(message, "the message");
  if (!parsed) {
    return fault_response(
        nullptr, {kParseError, fmt::format("the message is not JSON, or nests more than {} brackets", kDeepestJson)});
  }
  const Json& json = *parsed;
  if (const auto why = unlawful(json)) return fault_response(id_of(json), {kInvalidRequest, *why});
  const Answer answer = methods(json["method"].get<std::string>(), json.value("params", Json::object()));
  if (!json.contains("id")) return {};
  if (answer.fault) return fault_response(id_of(json), *answer.fault);
  return dump({{"jsonrpc", "2.0"}, {"id", id_of(json)}, {"result", answer.result}});
}

std::string request(std::uint64_t id, const std::string& method, const Json& params) {
  return dump({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

std::string notification(const std::string& method, const Json& params) {
  return dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

Result<Incoming> read_incoming(const std::string& message) {
  const auto unreadable = [] { return Error{ErrorCode::protocol, "the node sent something that is not JSON-RPC 2.0"}; };
  const auto parsed = parse_json_text(message, "the message");
  if (!parsed || !parsed->is_object() || parsed->value("jsonrpc", Json()) != "2.0") return unreadable();
  const Json& json = *parsed;
  Incoming incoming;
  const auto method = json.find("method");
  if (method != json.end()) {
    if (!method->is_string()) return unreadable();
    incoming.method = method->get<std::string>();
    incoming.content = json.value("params", Json::object());
    return incoming;
  }
  const Json id = json.value("id", Json());
  if (!id.is_number_unsigned()) return unreadable();
  incoming.id = id.get<std::uint64_t>();
  const auto error = json.find("error");
  if (error == json.end()) {
    incoming.content = json.value("result", Json());
    return incoming;
  }
  if (!error->is_object() || !error->value("code", Json()).is_number_integer() ||
      !error->value("message", Json()).is_string()) {
    return unreadable();
  }
  incoming.fault = Fault{(*error)["code"].get<int>(), (*error)["message"].get<std::string>()};
  return incoming;
}

}  // namespace vqas::rpc
