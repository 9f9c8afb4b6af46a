#pragma once

#include <QWebSocketServer>
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "node/node_harness.h"
#include "vqas/corpus/corpus.h"

namespace vqas::test {

/// Answers like a minimal node, except where a test replaces an answer. Sends no notifications by itself.
class FakeNode {
 public:
  explicit FakeNode(const std::string& end) {
    listen();
    answers["node.hello"] = {{"protocol", 3},
                             {"score_version", kScoreVersion},
                             {"end", end},
                             {"corpus_digest", Corpus::load(corpus_folder())->digest()},
                             {"line", {{"name", "sim:x"}, {"virtual_time", true}, {"simulated", nullptr}}}};
    answers["session.open"] = {{"last_round", 0}};
    answers["round.run"] = answers["session.close"] = answers["operator.tell"] = Json::object();
    answers["round.abandon"] = {{"line_time_ns", 0}};
    answers["results.list"] = {{"measurements", Json::array()}, {"scoring", 0}};
    answers["recording.get"] = {{"name", "x"}, {"base64", "ZkxhQw=="}};
    QObject::connect(&server_, &QWebSocketServer::newConnection, &server_, [this] {
      socket_.reset(server_.nextPendingConnection());
      QObject::connect(socket_.get(), &QWebSocket::textMessageReceived, socket_.get(),
                       [this](const QString& text) { answer(Json::parse(text.toStdString())); });
    });
  }
  std::string address() const { return "ws://127.0.0.1:" + std::to_string(port_); }
  void say(const Json& message) { socket_->sendTextMessage(QString::fromStdString(message.dump())); }
  void tell(const std::string& method, const Json& params) {
    say({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  /// Ends the connection after everything said; a new one is taken, unless it stopped listening.
  void hang_up() { socket_->close(); }
  void listen() {
    ASSERT_TRUE(server_.listen(QHostAddress::LocalHost, port_)) << server_.errorString().toStdString();
    port_ = server_.serverPort();
  }
  void stop_listening() { server_.close(); }
  /// The parameters of each request of this method so far.
  std::vector<Json> requested(const std::string& method) const {
    std::vector<Json> found;
    for (const auto& [name, params] : requests_) {
      if (name == method) found.push_back(params);
    }
    return found;
  }

  std::map<std::string, Json> answers;
  std::map<std::string, int> faults;  ///< codes, each returned once
  std::string send_away;              ///< with this reason, at the first request
  std::function<void(const Json& params)> on_round = [](const Json&) {};
  std::function<void()> on_list = [] {};  ///< after results.list was answered

 private:
  void answer(const Json& request) {
    const std::string method = request["method"];
    requests_.emplace_back(method, request.value("params", Json()));
    if (!send_away.empty())
      return socket_->close(QWebSocketProtocol::CloseCodePolicyViolated, QString::fromStdString(send_away));
    if (faults[method] != 0) {
      const Json error = {{"code", std::exchange(faults[method], 0)}, {"message", "not now"}};
      return say({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"error", error}});
    }
    say({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", answers.at(method)}});
    if (method == "round.run") on_round(request["params"]);
    if (method == "results.list") on_list();
  }
  QCoreApplication& application_ = application();  // created before everything with a socket
  quint16 port_ = 0;
  QWebSocketServer server_{"fake", QWebSocketServer::NonSecureMode};
  std::unique_ptr<QWebSocket> socket_;
  std::vector<std::pair<std::string, Json>> requests_;
};

/// A controller and two fake nodes on a line in virtual time; two measurements of one stimulus each way.
class FakeNodesTest : public NodeTest {
 protected:
  static constexpr int kSoonMs = 20000;
  virtual RunPlan plan() const {
    RunPlan plan = plan_for(a.address(), b.address(), folder_ / "run");
    plan.sampling.first_count = plan.sampling.cap_count = 2;
    return plan;
  }
  static Json measurement(const Json& expected) {
    ReceivedMeasurement one;
    one.stimulus = expected["stimulus"];
    one.measurement.sequence = expected["sequence"];
    one.measurement.outcome = Outcome::scored;
    one.measurement.mos_lqo = 4;
    one.arrived_at_ns = 2'000'000'000;
    return to_json(one);
  }
  /// Sends and measures everything, and ends the round.
  static void obey(FakeNode& node, const Json& round) {
    for (const Json& one : round["send"])
      node.tell("sent", {{"sequence", one["sequence"]}, {"left_at_ns", 1'900'000'000}});
    for (const Json& one : round["expect"]) node.tell("measurement", measurement(one));
    done(node, round);
  }
  static void done(FakeNode& node, const Json& round) {
    node.tell("round.done", {{"number", round["number"]}, {"line_time_ns", 0}});
  }
  /// Both nodes obey every round, unless a test replaces on_round.
  void obey_always() {
    for (FakeNode* const node : {&a, &b}) node->on_round = [node](const Json& round) { obey(*node, round); };
  }
  FakeNode a{"a"}, b{"b"};
};

/// The same with nodes that obey, and a plan that waits for a line or a node that is gone.
class ObeyingNodesTest : public FakeNodesTest {
 protected:
  ObeyingNodesTest() { obey_always(); }
  RunPlan patient(double patience_s = 60) const {
    RunPlan plan = this->plan();
    plan.link_patience_s = patience_s;
    return plan;
  }
};

}  // namespace vqas::test
