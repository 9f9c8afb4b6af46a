// The methods that a node answers; protocol.md describes them.
#include <QByteArray>

#include "node/measurement_limits.h"
#include "node/node_service.h"

namespace vqas {
namespace {

using rpc::Answer;

std::optional<std::uint64_t> whole_number(const Json& params, const char* key) {
  const Json value = params.value(key, Json());
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<std::uint64_t>();
}

}  // namespace

Answer NodeService::call(int connection, const std::string& method, const Json& params) {
  if (method == "node.hello") return hello();
  if (method == "session.open") return open_session(connection, params);
  const bool known = method == "session.close" || method == "round.run" || method == "round.cancel" ||
                     method == "round.listen_until" || method == "recording.get" || method == "results.list" ||
                     method == "operator.tell";
  if (!known) return Answer::failed(rpc::kUnknownMethod, "there is no method \"" + method + "\"");
  if (!session_ || session_->connection != connection) {
    return Answer::failed(rpc::kNoSession, "open a session first (session.open)");
  }
  if (method == "round.run") return run_round(params);
  if (method == "operator.tell") return tell_operator(params);
  if (method == "round.cancel") return cancel_round();
  if (method == "round.listen_until") return listen_until(params);
  if (method == "recording.get") return get_recording(params);
  if (method == "results.list") return list_results(params);
  end_session();
  return {Json::object(), std::nullopt};
}

Answer NodeService::hello() const {
  Json stimuli = Json::array();
  for (const Stimulus& one : corpus_.stimuli()) stimuli.push_back(one.id);
  const Json simulated = line_.simulated.empty() ? Json(nullptr) : Json::parse(line_.simulated, nullptr, false);
  return {{{"protocol", rpc::kProtocolVersion},
           {"software_version", VQAS_VERSION},
           {"score_version", kScoreVersion},
           {"end", name_of(options_.end)},
           {"corpus_digest", corpus_.digest()},
           {"stimuli", stimuli},
           {"line",
            {{"name", line_.name},
             {"virtual_time", line_.virtual_time},
             {"simulated", simulated},
             {"equipment", line_.equipment},
             {"real_device", line_.real_device},
             {"clock", line_.clock},
             {"clock_uncertainty_ns", line_.clock_uncertainty_ns}}},
           {"held_by", session_ ? Json(session_->holder) : Json(nullptr)},
           {"last_round", last_round_}},
          std::nullopt};
}

Answer NodeService::open_session(int connection, const Json& params) {
  if (session_ && session_->connection != connection) {
    return Answer::failed(rpc::kHeld, "this node is held by \"" + session_->holder + "\"; wait until it is done");
  }
  auto session = node_session_from(params, connection);
  if (!session) return Answer::failed(rpc::kInvalidParams, session.error().message);
  for (const std::string& stimulus : session->stimuli) {
    if (!references_.contains(stimulus)) {
      return Answer::failed(rpc::kInvalidParams, "this node's corpus has no stimulus \"" + stimulus + "\"");
    }
  }
  end_session();
  session_ = std::make_shared<const NodeSession>(std::move(session).value());
  return {{{"last_round", last_round_}}, std::nullopt};
}

std::optional<std::string> NodeService::unknown_stimulus(const RoundRequest& request) const {
  for (const auto& one : request.send) {
    if (!session_->place(one.stimulus)) return one.stimulus;
  }
  for (const auto& one : request.expect) {
    if (!session_->place(one.stimulus)) return one.stimulus;
  }
  return std::nullopt;
}

Answer NodeService::run_round(const Json& params) {
  if (in_round_) return Answer::failed(rpc::kBusy, "round " + std::to_string(last_round_) + " is still under way");
  const auto request = round_request_from(params);
  if (!request) return Answer::failed(rpc::kInvalidParams, request.error().message);
  if (request->number <= last_round_) {
    return Answer::failed(rpc::kInvalidParams, "\"number\" must be above " + std::to_string(last_round_));
  }
  if (const auto unknown = unknown_stimulus(*request)) {
    return Answer::failed(rpc::kInvalidParams, "the session has no stimulus \"" + *unknown + "\"");
  }
  for (const auto& one : request->expect) {
    if (measured_.contains(one.sequence)) {
      return Answer::failed(rpc::kInvalidParams,
                            "sequence " + std::to_string(one.sequence) + " was measured already in this session");
    }
  }
  if (line_lost_) {
    const Status opened = open_line_again();
    if (!opened) return Answer::failed(rpc::kLineIsLost, opened.error().message);
  }
  {
    const std::lock_guard lock(running_mutex_);
    running_ = session_;
  }
  last_round_ = request->number;
  in_round_ = true;
  loop_->start(make_job(*request));
  return {Json::object(), std::nullopt};
}

Answer NodeService::tell_operator(const Json& params) const {
  const Json message = params.value("message", Json());
  if (!message.is_string()) return Answer::failed(rpc::kInvalidParams, "\"message\" must be a string");
  if (options_.tell_operator) options_.tell_operator(as_plain_text(message.get<std::string>()));
  return {Json::object(), std::nullopt};
}

Answer NodeService::cancel_round() {
  return {{{"last_sent", loop_ ? loop_->finish_sending() : 0}}, std::nullopt};
}

Answer NodeService::listen_until(const Json& params) {
  const auto sequence = whole_number(params, "sequence");
  if (!sequence || *sequence > 65535) {
    return Answer::failed(rpc::kInvalidParams, "\"sequence\" must be a whole number from 0 to 65535");
  }
  if (loop_) loop_->listen_until(static_cast<std::uint32_t>(*sequence));
  return {Json::object(), std::nullopt};
}

Answer NodeService::get_recording(const Json& params) const {
  const Json name = params.value("name", Json());
  if (!name.is_string()) return Answer::failed(rpc::kInvalidParams, "\"name\" must be a string");
  const auto bytes = archive_->load(name.get<std::string>());
  if (!bytes) return Answer::failed(rpc::kNotFound, bytes.error().message);
  const QByteArray encoded = QByteArray::fromRawData(bytes->data(), static_cast<qsizetype>(bytes->size())).toBase64();
  return {{{"name", name}, {"base64", encoded.toStdString()}}, std::nullopt};
}

Answer NodeService::list_results(const Json& params) const {
  const Json after = params.value("after", Json(0U));
  if (!after.is_number_unsigned()) return Answer::failed(rpc::kInvalidParams, "\"after\" must be a whole number");
  Json measurements = Json::array(), sent = Json::array();
  for (const auto& [sequence, one] : measured_) {
    if (sequence > after.get<std::uint64_t>()) measurements.push_back(one);
  }
  for (const auto& [sequence, one] : sent_) {
    if (sequence > after.get<std::uint64_t>()) sent.push_back(one);
  }
  return {{{"measurements", measurements}, {"sent", sent}}, std::nullopt};
}

}  // namespace vqas
