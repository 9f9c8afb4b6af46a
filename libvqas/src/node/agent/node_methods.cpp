// The methods of a node; protocol.md describes them.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <QByteArray>
#include <algorithm>

#include "line/machine_clock.h"
#include "node/agent/node_service.h"
#include "run/measurement_limits.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

using rpc::Answer;

std::optional<std::uint64_t> whole_number(const Json& params, const char* key) {
  const Json value = params.value(key, Json());
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<std::uint64_t>();
}

std::string utc(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", std::chrono::time_point_cast<std::chrono::seconds>(time));
}

}  // namespace

Answer NodeService::call(int connection, const std::string& method, const Json& params) {
  using Method = Answer (NodeService::*)(const Json&);
  static const std::map<std::string, Method> of_the_holder{
      {"round.run", &NodeService::run_round},         {"round.cancel", &NodeService::cancel_round},
      {"round.abandon", &NodeService::abandon_round}, {"round.listen_until", &NodeService::listen_until},
      {"recording.get", &NodeService::get_recording}, {"results.list", &NodeService::list_results},
      {"session.close", &NodeService::close_session}, {"operator.tell", &NodeService::tell_operator},
  };
  heard(connection);
  if (method == "node.hello") return hello();
  if (method == "node.status") return status();
  if (method == "session.open") return open_session(connection, params);
  const auto found = of_the_holder.find(method);
  if (found == of_the_holder.end()) return Answer::failed(rpc::kUnknownMethod, "there is no method \"" + method + "\"");
  if (!held_by(connection)) return Answer::failed(rpc::kNoSession, "open a session first (session.open)");
  return (this->*found->second)(params);
}

// Includes the state of the sound device's delay.
std::string NodeService::equipment() const {
  if (!line_.device_latency_ms) return line_.equipment;
  return line_.equipment + (options_.device_delay_ms
                                ? fmt::format("; its own delay of {:.3f} ms subtracted", *options_.device_delay_ms)
                                : "; its own delay not calibrated");
}

Answer NodeService::hello() const {
  Json stimuli = Json::array();
  for (const Stimulus& one : corpus_.stimuli()) stimuli.push_back(one.id);
  Json clock = nullptr;
  if (options_.clock && !line_.clock.empty()) {
    clock = {{"offset_ms", options_.clock->offset_ms},
             {"uncertainty_ms", options_.clock->uncertainty_ms},
             {"real_less_monotonic_ns", real_less_monotonic_ns()}};
  }
  const auto simulated = parse_json_text(line_.simulated, "the line's description of itself");
  return {{{"protocol", rpc::kProtocolVersion},
           {"software_version", VQAS_VERSION},
           {"score_version", kScoreVersion},
           {"score_version_wb", score_version(ScoreMode::wideband)},
           {"end", name_of(options_.end)},
           {"corpus_digest", corpus_.digest()},
           {"stimuli", stimuli},
           {"line",
            {{"name", line_.name},
             {"virtual_time", line_.virtual_time},
             {"rate_hz", line_.rate_hz},
             {"simulated", simulated ? *simulated : Json(nullptr)},
             {"equipment", equipment()},
             {"real_device", line_.real_device},
             {"clock", line_.clock},
             {"clock_uncertainty_ns", line_.clock_uncertainty_ns},
             {"clock_synchronised", clock},
             {"device_latency_ms", line_.device_latency_ms ? Json(*line_.device_latency_ms) : Json(nullptr)},
             {"device_calibrated", options_.device_delay_ms.has_value()}}},
           {"held_by", session_ ? Json(session_->holder) : Json(nullptr)},
           {"last_round", round_.number},
           {"takes_turns", true}},
          std::nullopt};
}

Answer NodeService::status() const {
  Json said = {{"end", name_of(options_.end)}, {"held_by", nullptr}, {"round", round_.state}};
  if (!session_) return {said, std::nullopt};
  const auto left = session_->lease - std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - heard_);
  said["held_by"] = session_->holder;
  said["since_utc"] = utc(since_);
  said["expires_utc"] = utc(std::chrono::system_clock::now() + left);
  said["expires_in_s"] = static_cast<double>(std::max<std::int64_t>(left.count(), 0)) * 1e-3;
  said["connected"] = connection_ != 0;
  return {said, std::nullopt};
}

std::optional<Answer> NodeService::refuse_session(const NodeSession& asked, int connection, bool reconnects) const {
  if (reconnects && taken_back_.contains(asked.id)) {
    return Answer::failed(rpc::kTakenBack, "an operator released the node");
  }
  const bool own =
      !asked.key_digest.empty() && session_ && session_->id == asked.id && session_->key_digest == asked.key_digest;
  if (!session_ || held_by(connection) || own) return std::nullopt;
  const auto left = std::chrono::duration_cast<std::chrono::seconds>(session_->lease - (Clock::now() - heard_));
  return Answer::failed(
      rpc::kHeld, fmt::format("this node is held by \"{}\"; wait until it is done{}, or release it at the node with "
                              "vqas node release",
                              session_->holder,
                              connection_ != 0 ? "" : fmt::format(" or its lease expires in {} s", left.count())));
}

// The line may have come back with another rate.
std::optional<std::string> NodeService::too_narrow(ScoreMode mode) const {
  if (mode == ScoreMode::narrowband || line_.rate_hz == kWideRateHz) return std::nullopt;
  return fmt::format("the line {} carries 8 kHz; scores in wideband need 16 kHz", line_.name);
}

Answer NodeService::open_session(int connection, const Json& params) {
  const auto session = node_session_from(params);
  if (!session) return Answer::failed(rpc::kInvalidParams, session.error().message);
  for (const std::string& stimulus : session->stimuli) {
    if (!references_.contains(stimulus)) {
      return Answer::failed(rpc::kInvalidParams, "this node's corpus has no stimulus \"" + stimulus + "\"");
    }
  }
  if (const auto narrow = too_narrow(session->mode)) return Answer::failed(rpc::kInvalidParams, *narrow);
  if (const auto refused = refuse_session(*session, connection, params.value("reconnect", Json()) == true)) {
    return *refused;
  }
  taken_back_.erase(session->id);
  const bool keyed = !session->key_digest.empty();
  const bool goes_on = keyed && session_ && session_->id == session->id && session_->key_digest == session->key_digest;
  if (!goes_on) {
    take_up(*session, keyed && params.value("resume", Json()) == true);
    const Status kept = archive_->append(
        Json{{"session", session->id}, {"opened", {{"holder", session->holder}, {"key", session->key_digest}}}}.dump());
    if (!kept) {
      end_session();
      return Answer::failed(rpc::kInternalError, kept.error().message);
    }
  }
  connection_ = connection;
  heard_ = Clock::now();
  const auto last_of = [](const std::map<std::uint32_t, Json>& all) { return all.empty() ? 0 : all.rbegin()->first; };
  // What a round still expects may be measured after this answer.
  return {{{"last_round", round_.number},
           {"last_sent", last_of(sent_)},
           {"last_measured", std::max(last_expected_, last_of(measured_))},
           {"resumed", goes_on || !measured_.empty() || !sent_.empty()},
           {"lease_s", static_cast<double>(session_->lease.count()) * 1e-3}},
          std::nullopt};
}

Answer NodeService::close_session(const Json&) {
  end_session();
  return {Json::object(), std::nullopt};
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
  // A client that lost the answer asks again.
  if (!round_.request.empty() && params.dump() == round_.request) return {Json::object(), std::nullopt};
  const auto request = round_request_from(params);
  if (!request) return Answer::failed(rpc::kInvalidParams, request.error().message);
  // A line in virtual time loses nothing by standing still between two rounds.
  if (round_.running() && line_.virtual_time) {
    return Answer::failed(rpc::kBusy, "round " + std::to_string(round_.number) + " is still under way");
  }
  if (request->number <= round_.number) {
    return Answer::failed(rpc::kInvalidParams, "\"number\" must be above " + std::to_string(round_.number));
  }
  if (const auto unknown = unknown_stimulus(*request)) {
    return Answer::failed(rpc::kInvalidParams, "the session has no stimulus \"" + *unknown + "\"");
  }
  for (const auto& one : request->expect) {
    if (measured_.contains(one.sequence)) {
      return Answer::failed(rpc::kInvalidParams,
                            "sequence " + std::to_string(one.sequence) + " was already measured in this session");
    }
  }
  if (line_lost_) {
    const Status opened = open_line_again();
    if (!opened) return Answer::failed(rpc::kLineIsLost, opened.error().message);
  }
  if (const auto narrow = too_narrow(session_->mode)) return Answer::failed(rpc::kLineIsLost, *narrow);
  {
    const std::lock_guard lock(running_mutex_);
    running_ = session_;
  }
  tell_trace();
  RoundJob job = make_job(*request);
  job.append = round_.running();
  if (!job.append) worker_->post([this] { judge_.begin_round(); });
  round_ = {"running", request->number, params.dump(), {}, {}};
  for (const auto& one : request->expect) last_expected_ = std::max(last_expected_, one.sequence);
  loop_->start(std::move(job));
  return {Json::object(), std::nullopt};
}

Answer NodeService::tell_operator(const Json& params) {
  const Json message = params.value("message", Json());
  if (!message.is_string()) return Answer::failed(rpc::kInvalidParams, "\"message\" must be a string");
  const Json waits = params.value("waits", Json(true));
  if (!waits.is_boolean()) return Answer::failed(rpc::kInvalidParams, "\"waits\" must be true or false");
  if (!options_.tell_operator) return {Json::object(), std::nullopt};
  const std::string text = as_plain_text(message.get<std::string>());
  options_.tell_operator(text.empty()        ? "the call is there again; the run continues"
                         : waits.get<bool>() ? "the run waits: " + text
                                             : text);
  return {Json::object(), std::nullopt};
}

Answer NodeService::cancel_round(const Json&) {
  return {{{"last_sent", loop_ ? loop_->finish_sending() : 0}}, std::nullopt};
}

Answer NodeService::abandon_round(const Json&) {
  line_time_ns_ = line_time_ns();
  if (loop_) loop_->abandon();
  if (round_.running()) round_.state = "abandoned";
  round_.request.clear();
  return {{{"line_time_ns", line_time_ns_}}, std::nullopt};
}

Answer NodeService::listen_until(const Json& params) {
  const auto sequence = whole_number(params, "sequence");
  if (!sequence || *sequence > 65535) {
    return Answer::failed(rpc::kInvalidParams, "\"sequence\" must be a whole number from 0 to 65535");
  }
  if (loop_) loop_->listen_until(static_cast<std::uint32_t>(*sequence));
  return {Json::object(), std::nullopt};
}

Answer NodeService::get_recording(const Json& params) {
  const Json name = params.value("name", Json());
  if (!name.is_string()) return Answer::failed(rpc::kInvalidParams, "\"name\" must be a string");
  const auto bytes = archive_->load(name.get<std::string>());
  if (!bytes) {
    const bool for_now = bytes.error().code == ErrorCode::io;
    return Answer::failed(for_now ? rpc::kTryAgain : rpc::kNotFound, bytes.error().message);
  }
  const QByteArray encoded = QByteArray::fromRawData(bytes->data(), static_cast<qsizetype>(bytes->size())).toBase64();
  return {{{"name", name}, {"base64", encoded.toStdString()}}, std::nullopt};
}

Answer NodeService::list_results(const Json& params) {
  const Json after = params.value("after", Json(0U));
  if (!after.is_number_unsigned()) return Answer::failed(rpc::kInvalidParams, "\"after\" must be a whole number");
  Json measurements = Json::array(), sent = Json::array();
  for (const auto& [sequence, one] : measured_) {
    if (sequence > after.get<std::uint64_t>()) measurements.push_back(one);
  }
  for (const auto& [sequence, one] : sent_) {
    if (sequence > after.get<std::uint64_t>()) sent.push_back(one);
  }
  Json round = {{"number", round_.number}, {"state", round_.state}};
  if (std::string_view(round_.state) == "failed") {
    round["code"] = round_.code;
    round["message"] = round_.message;
  }
  return {{{"measurements", measurements},
           {"sent", sent},
           {"round", round},
           {"scoring", scoring_},
           {"line_time_ns", line_time_ns()}},
          std::nullopt};
}

}  // namespace vqas
