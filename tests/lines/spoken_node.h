#pragma once

#include <gtest/gtest.h>

#include <QUrl>
#include <QWebSocket>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "node/event_loop.h"

namespace vqas::test {

using Json = nlohmann::ordered_json;

/// A node's controller by hand: sends requests and stores the node's messages.
class SpokenNode {
 public:
  explicit SpokenNode(const std::string& address) {
    QObject::connect(&socket_, &QWebSocket::textMessageReceived, &socket_,
                     [this](const QString& text) { take(Json::parse(text.toStdString())); });
    socket_.open(QUrl(QString::fromStdString(address)));
    EXPECT_TRUE(serve_until([this] { return socket_.isValid(); }, 60000)) << address;
  }
  /// The answer; null when there was none.
  Json ask(const std::string& method, const Json& params = Json::object()) {
    const int id = ++id_;
    socket_.sendTextMessage(
        QString::fromStdString(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump()));
    serve_until([this, id] { return answers_.contains(id); }, 60000);
    return answers_.contains(id) ? answers_[id] : Json();
  }
  bool open(const std::vector<std::string>& stimuli, const std::string& session = "test",
            const std::string& mode = "nb") {
    Json params = {{"protocol", 3}, {"holder", "test"}, {"session", session}, {"run_id", 4711}, {"stimuli", stimuli}};
    if (mode != "nb") params["mode"] = mode;
    return ask("session.open", params).contains("result");
  }
  /// Sends these, and expects these, numbered from `first`. On a line in real time the receiver must get the request
  /// before the sender; a round requested during another is appended to it.
  Json run_round(int number, const std::vector<std::string>& send, const std::vector<std::string>& expect, int first) {
    done = failed = false;
    number_ = number;
    Json sends = Json::array(), expects = Json::array();
    int sequence = first;
    for (const std::string& one : send) sends.push_back({{"stimulus", one}, {"sequence", sequence++}});
    sequence = first;
    for (const std::string& one : expect)
      expects.push_back({{"stimulus", one}, {"sequence", sequence++}, {"within_s", 15}});
    return ask("round.run", {{"number", number}, {"send", sends}, {"expect", expects}});
  }

  std::map<int, Json> sent, measured, played;  // by sequence
  bool done = false, failed = false;
  Json failure;
  std::string trace;  ///< of the line's signalling

 private:
  void take(const Json& message) {
    if (message.contains("id")) {
      answers_[message["id"].get<int>()] = message;
      return;
    }
    const std::string method = message.value("method", std::string());
    const Json params = message.value("params", Json::object());
    const int sequence = params.value("sequence", 0);
    if (method == "sent") sent[sequence] = params;
    if (method == "played") {
      played[sequence] = params;
      if (params.contains("clock_offset_ns")) sent[sequence]["clock_offset_ns"] = params["clock_offset_ns"];
    }
    if (method == "line.trace") trace += params.value("text", std::string());
    if (method == "measurement") measured[sequence] = params;
    if (method == "round.done") done = done || params.value("number", 0) == number_;
    if (method == "round.failed") {
      failed = true;
      failure = params;
    }
  }

  QWebSocket socket_;
  std::map<int, Json> answers_;
  int id_ = 0, number_ = 0;
};

/// Measures all of these, in both directions at the same time, numbered from `first`; round `number` and the next one.
/// False when one is refused.
inline bool exchange(const std::vector<std::unique_ptr<SpokenNode>>& nodes, int number,
                     const std::vector<std::string>& stimuli, int first) {
  bool taken = true;
  for (const auto& node : nodes) taken = taken && node->run_round(number, {}, stimuli, first).contains("result");
  for (const auto& node : nodes) taken = taken && node->run_round(number + 1, stimuli, {}, first).contains("result");
  return taken;
}

/// By the line's clocks, in ms: arrival by one minus departure by the other.
inline double apparent_ms(const Json& measured, const Json& sent) {
  return static_cast<double>(measured["arrived_at_ns"].get<std::int64_t>() - sent["left_at_ns"].get<std::int64_t>()) *
         1e-6;
}
/// The same by the machine's clock.
inline double delay_ms(const Json& measured, const Json& sent) {
  return apparent_ms(measured, sent) + static_cast<double>(measured["clock_offset_ns"].get<std::int64_t>() -
                                                           sent["clock_offset_ns"].get<std::int64_t>()) *
                                           1e-6;
}

}  // namespace vqas::test
