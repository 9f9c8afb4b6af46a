#include "vqas/node/node_watch.h"

#include <QTimer>
#include <chrono>

#include "node/controller/node_client.h"
#include "node/wire/wire_json.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

constexpr int kPeriodMs = 1000;

std::string text_in(const Json& object, const char* key) {
  const Json value = object.is_object() ? object.value(key, Json()) : Json();
  return value.is_string() ? as_plain_text(value.get<std::string>()) : std::string();
}

}  // namespace

struct NodeWatch::Engine {
  Engine(NodeWatch& owner, const std::string& address, NodeAccess access)
      : owner_(owner), client_("the node at " + address, address, std::move(access)) {
    period_.setSingleShot(true);
    QObject::connect(&period_, &QTimer::timeout, &owner_, [this] { ask("node.status"); });
  }

  void start() {
    client_.open([this] { ask("node.hello"); }, [this](const Error& why) { lose(why); },
                 [](const auto&, const auto&) {});
  }

 private:
  using Clock = std::chrono::steady_clock;

  void ask(const char* method) {
    const auto asked = Clock::now();
    client_.request(method, Json::object(), [this, asked](const Result<Json>& answer) {
      if (!answer) return lose(answer.error());
      take(*answer, std::chrono::duration<double, std::milli>(Clock::now() - asked).count());
    });
  }

  void take(const Json& said, double round_trip_ms) {
    const std::string end = text_in(said, "end");
    if (end != "a" && end != "b")
      return lose({ErrorCode::protocol, client_.name() + " is not a VQAS node; check its address"});
    node_.end = end == "a" ? End::a : End::b;
    node_.held_by = text_in(said, "held_by");
    node_.round_trip_ms = round_trip_ms;
    // Only node.hello describes the line.
    if (said.contains("line")) {
      node_.line = text_in(said.value("line", Json()), "name");
      node_.equipment = text_in(said.value("line", Json()), "equipment");
      node_.software_version = text_in(said, "software_version");
    }
    seen_ = true;
    period_.start(kPeriodMs);
    emit owner_.seen(node_);
  }

  void lose(const Error& why) {
    if (std::exchange(lost_, true)) return;
    period_.stop();
    client_.close();
    emit owner_.lost(fault_of(why), QString::fromStdString(why.message));
  }

  NodeFault fault_of(const Error& why) const {
    if (client_.is_other_peer()) return NodeFault::wrong_certificate;
    if (client_.refused_token()) return NodeFault::token_refused;
    if (seen_) return NodeFault::gone;
    return why.code == ErrorCode::line_lost ? NodeFault::unreachable : NodeFault::no_node;
  }

  NodeWatch& owner_;
  NodeClient client_;
  QTimer period_;
  NodeSighting node_;
  bool seen_ = false, lost_ = false;
};

NodeWatch::NodeWatch(const std::string& address, NodeAccess access, QObject* parent)
    : QObject(parent), engine_(std::make_unique<Engine>(*this, address, std::move(access))) {}

NodeWatch::~NodeWatch() = default;

void NodeWatch::start() {
  engine_->start();
}

}  // namespace vqas
