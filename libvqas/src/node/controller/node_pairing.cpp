// How a controller pairs its two nodes: nothing is sent over the line before both are known to fit.
#include <algorithm>

#include "node/controller/node_links.h"
#include "node/controller/round_plan.h"
#include "node/controller/run_engine.h"
#include "run/json_members.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// Lease of a node beyond the time in which its controller tries to reconnect.
constexpr double kLeaseBeyondPatience_s = 30, kLongestLease_s = 86400;

}  // namespace

void NodeLinks::hello(std::size_t n) {
  at(n).client->request("node.hello", Json::object(), [this, n](const Result<Json>& answer) {
    if (!answer) return run_.fail(answer.error());
    at(n).hello = answer->dump();
    at(n).takes_turns = answer->value("takes_turns", Json()) == true;
    if (paired_) return came_back(n);
    at(n).gone_since.reset();
    at(n).tries = 0;
    if (!at(0).hello.empty() && !at(1).hello.empty()) pair();
  });
}

std::array<NodeHello, 2> NodeLinks::hellos() const {
  return {NodeHello{name(0), own_json(at(0).hello)}, NodeHello{name(1), own_json(at(1).hello)}};
}

void NodeLinks::pair() {
  const auto nodes = hellos();
  if (const Status fits = check_pair(nodes, run_.ledger().results().corpus_digest, run_.plan().mode); !fits)
    return run_.fail(fits.error());
  if (const auto& earlier = run_.plan().continues) {
    if (const Status same = check_line(nodes, run_.plan(), earlier->so_far); !same) return run_.fail(same.error());
  }
  const ToldLine line = describe_line(nodes, run_.plan(), run_.ledger());
  run_.take_line(line);
  if (!line.notice.empty()) run_.notice(line.notice);
  open_sessions();
}

Json NodeLinks::session_params() const {
  const RunPlan& plan = run_.plan();
  const SessionRecord& session = run_.session();
  Json params = {{"protocol", rpc::kProtocolVersion},
                 {"holder", plan.holder},
                 {"session", session.id},
                 {"run_id", session.run_id.value()},
                 {"stimuli", run_.ledger().stimuli()},
                 {"guard_s", plan.guard_s}};
  if (plan.mode != ScoreMode::narrowband) params["mode"] = to_string(plan.mode);
  if (plan.narrowband_too) params["narrowband_too"] = true;
  // A controller that never reconnects needs no lease.
  if (plan.link_patience_s > 0 || plan.continues) {
    params["key"] = session.key;
    params["lease_s"] = std::clamp(plan.link_patience_s + kLeaseBeyondPatience_s, 1.0, kLongestLease_s);
    params["resume"] = plan.continues || paired_;
    params["reconnect"] = paired_;
  }
  return params;
}

// Marks of the previous run, perhaps with the same seed, may still be on the line. In virtual time the same seed on
// fresh nodes gives the same marks, because it must give the same results.
std::uint32_t NodeLinks::choose_run_id() const {
  const RunPlan& plan = run_.plan();
  if (plan.run_id) return *plan.run_id & kLastRunId;
  if (run_.line().virtual_time) {
    std::uint64_t rounds = 0;
    for (const NodeHello& node : hellos()) {
      const Json last = node.said.value("last_round", Json());
      if (last.is_number_unsigned()) rounds = std::max(rounds, last.get<std::uint64_t>());
    }
    return run_id_of(plan.seed, rounds);
  }
  // More random bits than a run id has.
  return run_id_of(plan.seed, std::stoull(run_.session().id.substr(0, 15), nullptr, 16));
}

void NodeLinks::open_sessions() {
  if (!run_.session().run_id) run_.take_run_id(choose_run_id());
  for (std::size_t n = 0; n < 2 && !run_.finished(); ++n) {
    ask(n, "session.open", session_params(), [this, n](const Result<Json>& answer) {
      if (!answer) return run_.fail(answer.error());
      const Json last = answer->value("last_round", Json());
      if (!last.is_number_unsigned())
        return run_.fail({ErrorCode::protocol, name(n) + " is not a VQAS node; check its address"});
      at(n).last_round = last.get<std::uint64_t>();
      at(n).last_sent = static_cast<std::uint32_t>(number_at(*answer, "last_sent", 0, kLastSequence));
      at(n).last_measured = static_cast<std::uint32_t>(number_at(*answer, "last_measured", 0, kLastSequence));
      at(n).session_open = true;
      if (at(0).session_open && at(1).session_open) run_.begin_rounds();
    });
  }
}

}  // namespace vqas
