#include "node/controller/node_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "node/controller/call_recovery.h"
#include "node/controller/round_break.h"
#include "node/controller/run_engine.h"
#include "node/controller/run_rounds.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// Waiting loses nothing, and an overloaded machine has kept a healthy node silent for 30 s.
constexpr int kPairingMs = 60000;
// A client that floods a node with handshakes is disconnected after 10 s (protocol-access.md); a place comes free
// before that.
constexpr double kDoor_s = 12;
constexpr int kDoorAgainMs = 250;
constexpr int kFirstTryMs = 200, kLongestTryMs = 5000;
// A node listens when its line is open, and waits up to 10 s for a simulator that is not running yet.
constexpr double kStartsWithin_s = 12;
constexpr const char* kNodes[] = {"a", "b"};

double seconds_since(NodeLinks::Clock::time_point since) {
  return std::chrono::duration<double>(NodeLinks::Clock::now() - since).count();
}

}  // namespace

void NodeLinks::connect() {
  run_.start_deadline(kPairingMs, [this] {
    for (const Link& link : links_) {
      if (!link.session_open) return run_.fail({ErrorCode::line_lost, link.client->name() + " does not answer"});
    }
  });
  for (std::size_t n = 0; n < 2 && !run_.finished(); ++n) open_client(n);
}

void NodeLinks::open_client(std::size_t n) {
  const RunPlan& plan = run_.plan();
  const std::string& address = n == 0 ? plan.node_a : plan.node_b;
  Link& link = at(n);
  // A lost client may be in the middle of a callback.
  if (link.client) buried_.push_back(std::move(link.client));
  link.client = std::make_unique<NodeClient>(fmt::format("node {} at {}", kNodes[n], address), address,
                                             n == 0 ? plan.access_a : plan.access_b);
  // From here on a false alarm costs only a new connection.
  if (paired_) link.client->take_silence_for_loss();
  link.client->open(
      [this, n] { hello(n); }, [this, n](const Error& error) { lost(n, error); },
      [this, n](const std::string& method, const Json& params) { run_.rounds().notified(n, method, params); });
}

void NodeLinks::begin_run() {
  paired_ = true;
  // Without patience a false alarm would end the run.
  for (const Link& link : links_) {
    if (run_.plan().link_patience_s > 0) link.client->take_silence_for_loss();
  }
}

void NodeLinks::close() {
  for (Link& link : links_) {
    if (!link.client) continue;
    if (!link.gone && link.session_open) link.client->request("session.close", Json::object(), [](const auto&) {});
    link.client->close();
  }
}

void NodeLinks::ask(std::size_t n, const std::string& method, const Json& params, NodeClient::Reply reply) {
  if (!run_.finished() && !(paired_ && at(n).gone)) at(n).client->request(method, params, std::move(reply));
}

void NodeLinks::tell_operators(const Json& params) {
  for (Link& link : links_) {
    if (!link.gone && link.session_open) link.client->request("operator.tell", params, [](const auto&) {});
  }
}

std::optional<NodeLinks::Clock::time_point> NodeLinks::gone_since() const {
  std::optional<Clock::time_point> since;
  for (const Link& link : links_) {
    if (link.gone_since) since = std::min(since.value_or(*link.gone_since), *link.gone_since);
  }
  return since;
}

// Whether to try again to reach a node that has not answered yet.
bool NodeLinks::waits_for_start(std::size_t n, const Error& error) {
  Link& link = at(n);
  if (run_.finished() || paired_ || run_.failing() || !link.client->was_refused()) return false;
  const double patience_s = std::min(kStartsWithin_s, run_.plan().link_patience_s);
  if (!link.gone_since) link.gone_since = Clock::now();
  if (seconds_since(*link.gone_since) >= patience_s) {
    link.gone_since.reset();  // there was nothing to lose
    return false;
  }
  if (link.tries++ == 0)
    run_.notice(fmt::format("{}; trying again for {:g} s", as_sentence_part(error.message), patience_s));
  run_.after_ms(kFirstTryMs, [this, n] { reach_again(n); });
  return true;
}

// Whether to try again to reach a node whose connection limit is reached.
bool NodeLinks::waits_at_door(std::size_t n, const Error& error) {
  Link& link = at(n);
  const bool turned_away = !run_.finished() && !paired_ && !run_.failing() && link.client->turned_away();
  if (!turned_away || run_.elapsed_s() >= kDoor_s) return false;
  if (link.tries++ == 0)
    run_.notice(fmt::format("{}; trying again for {:g} s", as_sentence_part(error.message), kDoor_s));
  run_.after_ms(kDoorAgainMs, [this, n] { reach_again(n); });
  return true;
}

void NodeLinks::lost(std::size_t n, const Error& error) {
  if (waits_for_start(n, error) || waits_at_door(n, error)) return;
  Link& link = at(n);
  link.gone = true;
  run_.broken_round().node_lost(n);
  if (run_.finished()) return;
  const double patience_s = run_.plan().link_patience_s;
  const bool may_come_back = paired_ && !run_.failing() && error.code == ErrorCode::line_lost && patience_s > 0;
  if (!may_come_back) return run_.fail_when_drained(error);
  if (!link.gone_since) link.gone_since = Clock::now();
  if (seconds_since(*link.gone_since) >= patience_s) return run_.fail_when_drained(error);
  // A node that is back after one attempt lost nothing, unless it says so.
  if (link.tries > 0 || link.client->fell_silent()) tell_out_of_reach(n, error.message);
  const int wait = std::min(kFirstTryMs << std::min(link.tries++, 10), kLongestTryMs);
  run_.after_ms(wait, [this, n] { reach_again(n); });
}

void NodeLinks::tell_out_of_reach(std::size_t n, const std::string& why) {
  if (std::exchange(at(n).gone_told, true)) return;
  emit run_.owner().out_of_reach(QString::fromStdString(name(n)));
  const std::string reason = why.starts_with(name(n) + ": ") ? why.substr(name(n).size() + 2) : why;
  run_.notice(fmt::format("{} is out of reach; the run waits for it for {:g} s: {}", name(n),
                          run_.plan().link_patience_s, as_sentence_part(reason)));
  tell_operators({{"message", name(n) + " is out of reach of the controller"}});
}

void NodeLinks::tell_there_again(std::size_t n, bool lost_the_round) {
  const bool told = std::exchange(at(n).gone_told, false);
  if (told && !at(1 - n).gone_told) emit run_.owner().out_of_reach({});
  if (!told && !lost_the_round) return;
  const std::string message =
      name(n) + " is there again" + (lost_the_round ? "; it lost its current round, which is sent again" : "");
  run_.notice(message);
  tell_operators({{"message", message}, {"waits", false}});
}

void NodeLinks::reach_again(std::size_t n) {
  if (run_.finished() || run_.failing()) return;
  buried_.clear();
  open_client(n);
}

// Connected again, and node.hello was answered.
void NodeLinks::came_back(std::size_t n) {
  if (const Status fits = check_pair(hellos(), run_.ledger().results().corpus_digest, run_.plan().mode); !fits)
    return run_.fail(fits.error());
  // A node that was started again may have another line.
  if (const Status same = check_line(hellos(), run_.plan(), run_.ledger().results()); !same)
    return run_.fail(same.error());
  at(n).client->request("session.open", session_params(), [this, n](const Result<Json>& opened) {
    if (run_.finished()) return;
    if (!opened) return run_.fail(opened.error());
    const Json last = opened->value("last_round", Json());
    if (last.is_number_unsigned()) run_.rounds().number_from(last.get<std::uint64_t>());
    if (run_.broken_round().under_way()) run_.recovery().begin_loss(gone_since());
    at(n).gone = false;
    const auto away_since = std::exchange(at(n).gone_since, std::nullopt);
    at(n).tries = 0;
    run_.broken_round().node_came_back(n, away_since);
  });
}

}  // namespace vqas
