// The links to the nodes: how they are made, and what happens when one breaks. Nodes keep what they measure, so a link
// that comes back within the plan's patience costs nothing; a round that cannot go on is given up, what its receivers
// have of it counts, and the rest is sent again under new numbers.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "node/controller/controller_engine.h"
#include "node/play/outgoing.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// Nothing is lost by waiting, and an overloaded machine was seen to keep a healthy node silent for 30 s.
constexpr int kPairingMs = 60000;
// Whoever floods a node's door with handshakes is pushed out after 10 s (protocol.md); a place comes free before that.
constexpr double kDoor_s = 12;
constexpr int kDoorAgainMs = 250;
constexpr int kFirstTryMs = 200, kLongestTryMs = 5000;
// A node listens when its line is open, and waits up to 10 s for a simulator that is not there yet.
constexpr double kStartsWithin_s = 12;
// To look again at a line that is lost, or at a node that still scores.
constexpr int kLookAgainMs = 200;
constexpr const char* kNodes[] = {"a", "b"};

}  // namespace

void Controller::Engine::connect_nodes() {
  start_deadline(kPairingMs, [this] {
    for (const ControlledNode& node : nodes) {
      if (!node.session_open) return fail({ErrorCode::line_lost, node.client->name() + " does not answer"});
    }
  });
  for (std::size_t n = 0; n < 2 && !finished; ++n) open_client(n);
}

void Controller::Engine::open_client(std::size_t n) {
  const std::string& address = n == 0 ? plan.node_a : plan.node_b;
  // A lost client may be in the middle of a callback.
  if (nodes[n].client) buried.push_back(std::move(nodes[n].client));
  nodes[n].client = std::make_unique<NodeClient>(fmt::format("node {} at {}", kNodes[n], address), address,
                                                 n == 0 ? plan.access_a : plan.access_b);
  // From here on a false alarm costs a new connection and nothing else.
  if (paired) nodes[n].client->take_silence_for_loss();
  nodes[n].client->open([this, n] { hello(n); }, [this, n](const Error& error) { lost(n, error); },
                        [this, n](const std::string& method, const Json& params) { notified(n, method, params); });
}

// What is asked of a node that is out of reach is asked again, in another way, when it is back.
void Controller::Engine::ask(std::size_t n, const std::string& method, const Json& params, NodeClient::Reply reply) {
  if (!finished && !(paired && nodes[n].gone)) nodes[n].client->request(method, params, std::move(reply));
}

// Whether a node that nobody has reached yet is asked once more.
bool Controller::Engine::waits_for_start(std::size_t n, const Error& error) {
  ControlledNode& node = nodes[n];
  if (finished || paired || failing || !node.client->was_refused()) return false;
  const double patience_s = std::min(kStartsWithin_s, plan.link_patience_s);
  const auto now = std::chrono::steady_clock::now();
  if (!node.gone_since) node.gone_since = now;
  if (std::chrono::duration<double>(now - *node.gone_since).count() >= patience_s) {
    node.gone_since.reset();  // there was nothing to lose
    return false;
  }
  if (node.tries++ == 0) {
    emit owner.noticed(QString::fromStdString(
        fmt::format("{}; trying again for {:g} s", as_sentence_part(error.message), patience_s)));
  }
  QTimer::singleShot(kFirstTryMs, &context, [this, n] { reach_again(n); });
  return true;
}

void Controller::Engine::lost(std::size_t n, const Error& error) {
  if (waits_for_start(n, error)) return;
  ControlledNode& node = nodes[n];
  const bool turned_away = !finished && !paired && !failing && node.client->turned_away();
  if (turned_away && elapsed_s() < kDoor_s) {
    if (node.tries++ == 0)
      emit owner.noticed(QString::fromStdString(
          fmt::format("{}; it is tried again for {:g} s", as_sentence_part(error.message), kDoor_s)));
    QTimer::singleShot(kDoorAgainMs, &context, [this, n] { reach_again(n); });
    return;
  }
  node.gone = true;
  node.listing = false;
  if (finished) return;
  const bool may_come_back = paired && !failing && error.code == ErrorCode::line_lost && plan.link_patience_s > 0;
  if (!may_come_back) return fail_when_drained(error);
  const auto now = std::chrono::steady_clock::now();
  if (!node.gone_since) node.gone_since = now;
  if (std::chrono::duration<double>(now - *node.gone_since).count() >= plan.link_patience_s) {
    return fail_when_drained(error);
  }
  // One that is there again at once lost nothing, unless it says so.
  if (node.tries > 0 || node.client->fell_silent()) tell_out_of_reach(n, error.message);
  const int wait = std::min(kFirstTryMs << std::min(node.tries++, 10), kLongestTryMs);
  QTimer::singleShot(wait, &context, [this, n] { reach_again(n); });
}

void Controller::Engine::tell_out_of_reach(std::size_t n, const std::string& why) {
  if (std::exchange(nodes[n].gone_told, true)) return;
  const std::string& name = nodes[n].client->name();
  emit owner.out_of_reach(QString::fromStdString(name));
  const std::string reason = why.starts_with(name + ": ") ? why.substr(name.size() + 2) : why;
  emit owner.noticed(QString::fromStdString(fmt::format("{} is out of reach; the run waits for it for {:g} s: {}", name,
                                                        plan.link_patience_s, as_sentence_part(reason))));
  ask_to_tell({{"message", nodes[n].client->name() + " is out of reach of the controller"}});
}

void Controller::Engine::tell_there_again(std::size_t n, bool lost_the_round) {
  const bool told = std::exchange(nodes[n].gone_told, false);
  if (told && !nodes[1 - n].gone_told) emit owner.out_of_reach({});
  if (!told && !lost_the_round) return;
  const std::string message = nodes[n].client->name() + " is there again" +
                              (lost_the_round ? "; it lost the round that it was in, which is sent again" : "");
  emit owner.noticed(QString::fromStdString(message));
  ask_to_tell({{"message", message}, {"waits", false}});
}

void Controller::Engine::reach_again(std::size_t n) {
  if (finished || failing) return;
  buried.clear();
  open_client(n);
}

// Connected again, and said hello.
void Controller::Engine::came_back(std::size_t n) {
  if (const Status fits = check_pair(); !fits) return fail(fits.error());
  nodes[n].client->request("session.open", session_params(), [this, n](const Result<Json>& opened) {
    if (finished) return;
    if (!opened) return fail(opened.error());
    const Json last = opened->value("last_round", Json());
    if (last.is_number_unsigned()) round_number = std::max(round_number, last.get<std::uint64_t>());
    ControlledNode& node = nodes[n];
    if (breaking) begin_loss();
    node.gone = false;
    const auto away_since = std::exchange(node.gone_since, std::nullopt);
    node.tries = 0;
    if (breaking) {
      tell_there_again(n, false);
      return break_round();
    }
    catching_up = node.listing = true;
    ask(n, "results.list", {{"after", ledger->least_due() - 1}}, [this, n, away_since](const Result<Json>& listed) {
      nodes[n].listing = false;
      if (!listed) return broken(listed.error());
      const bool lost_the_round = in_round && !has_round(*listed);
      // A request without an answer breaks the round, too (synchronise()).
      if ((lost_the_round || (in_round && asked != 0)) && !lost_since) lost_since = away_since;
      tell_there_again(n, lost_the_round);
      synchronise(n, *listed);
    });
  });
}

// It knows the round that it was asked for last; the request itself may have been lost with the link.
bool Controller::Engine::has_round(const Json& listed) const {
  const Json round = listed.value("round", Json());
  if (!round.is_object()) return false;
  const Json state = round.value("state", Json());
  return asked != 0 || (round.value("number", Json()) == round_number && (state == "done" || state == "running"));
}

void Controller::Engine::synchronise(std::size_t n, const Json& listed) {
  if (finished) return;
  const Json round = listed.value("round", Json());
  const Json state = round.is_object() ? round.value("state", Json()) : Json();
  const bool same = round.is_object() && round.value("number", Json()) == round_number;
  line_failed = line_failed || (taking_up && state == "failed" && round.value("code", Json()) == "line_lost");
  for (const char* const kind : {"measurements", "sent"}) {
    const Json list = listed.value(kind, Json());
    if (!list.is_array()) continue;
    for (const Json& one : list) {
      const Status lawful = *kind == 'm' ? take_measurement(n, one, true) : take_departure(n, one);
      if (!lawful) return nodes[n].client->give_up(lawful.error());
    }
  }
  if (const auto direction = direction_from(1 - n)) {
    for (const ReceivedMeasurement& one : ledger->to_fetch(*direction)) fetch(*direction, n, one);
  }
  if (breaking) return;
  if (same && state == "done") {
    nodes[n].round_done = true;
    if (const auto direction = direction_from(n)) ledger->sender_finished(*direction);
    const Json total = listed.value("line_time_ns", Json());
    if (total.is_number_unsigned()) nodes[n].told_total(total.get<std::int64_t>());
  }
  // Without its answer nobody knows whether the other node was asked too.
  if (!in_round || (asked == 0 && same && (state == "done" || state == "running"))) return advance();
  broken({ErrorCode::line_lost, nodes[n].client->name() + " lost the round"});
}

// A recording that is written before the nodes were asked must not end this break on the lists of the last one.
void Controller::Engine::begin_break() {
  breaking = true;
  asked = 0;
  for (ControlledNode& node : nodes) node.listed = false;
}

// The round cannot go on. Gives up at once without patience, or when nothing has come for as long as it lasts.
void Controller::Engine::broken(const Error& why) {
  if (finished || failing || breaking) return;
  const bool may_go_on = plan.link_patience_s > 0 && !stopping && why.code == ErrorCode::line_lost;
  if (!may_go_on) return fail_when_drained(why);
  const auto now = std::chrono::steady_clock::now();
  if (!trouble_since) trouble_since = now;
  if (std::chrono::duration<double>(now - *trouble_since).count() >= plan.link_patience_s) {
    return fail_when_drained(why);
  }
  begin_loss();
  broken_because = why.message;
  begin_break();
  QTimer::singleShot(kLookAgainMs, &context, [this] { break_round(); });
}

// From the beginning again whenever a node was away meanwhile.
void Controller::Engine::break_round() {
  if (finished || failing) return;
  begin_break();
  for (std::size_t n = 0; n < 2; ++n) {
    ask(n, "round.abandon", Json::object(), [this, n](const Result<Json>& answer) {
      if (!answer) return fail(answer.error());
      const Json total = answer->value("line_time_ns", Json());
      if (total.is_number_unsigned()) nodes[n].told_total(total.get<std::int64_t>());
      list_results(n);
    });
  }
}

// Until nothing that was heard is still being scored: from then on the list is complete.
void Controller::Engine::list_results(std::size_t n) {
  ask(n, "results.list", {{"after", ledger->least_due() - 1}}, [this, n](const Result<Json>& listed) {
    if (!listed) return fail(listed.error());
    if (!breaking) return;
    synchronise(n, *listed);
    if (finished) return;
    if (listed->value("scoring", Json(0)) != 0) {
      QTimer::singleShot(kLookAgainMs, &context, [this, n] {
        if (breaking) list_results(n);
      });
      return;
    }
    nodes[n].listed = true;
    end_break();
  });
}

// Nobody received it, and nobody will.
void Controller::Engine::lose_what_left() {
  std::string why = "this transmission was under way when its round was broken off";
  if (taking_up && ledger->gives_up_as() == Outcome::cancelled)
    why = "this transmission was under way when the run was broken off; it is sent again where it is still needed";
  if (!broken_because.empty()) why += ": " + as_sentence_part(broken_because);
  for (const auto& [direction, planned] : ledger->missing()) {
    const auto place = ledger->lose(direction, planned, as_plain_text(why));
    emit owner.measured(static_cast<int>(place.direction), static_cast<int>(place.stimulus));
  }
}

void Controller::Engine::end_break() {
  if (!breaking || !nodes[0].listed || !nodes[1].listed || writing > 0) return;
  for (std::size_t d = 0; d < ledger->directions(); ++d) {
    if (ledger->unfetched(d) > 0) return;
  }
  breaking = false;
  // Of a line on which nothing has come yet nothing can be lost.
  if ((taking_up && !line_failed) || (pausing && never_heard)) ledger->give_up_as(Outcome::cancelled);
  lose_what_left();
  ledger->forget_missing();
  settle(true);
  ledger->give_up_as(Outcome::line_lost);
  taking_up = false;
  if (breaking) return;  // the call is gone
  in_round = false;
  report_progress();
  if (finished) return;
  if (stopping) return finish(stopping->message, stopping->code);
  if (pausing) return redial();
  if (!trouble_since) return next_round();
  // Not to use up sequence numbers on a line that is not there: an empty round shows whether it is.
  in_round = true;
  ask_round(std::vector<std::vector<Planned>>(ledger->directions()), Part::both, When::at_once, {});
}

}  // namespace vqas
