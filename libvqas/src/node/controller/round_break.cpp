#include "node/controller/round_break.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "node/controller/call_recovery.h"
#include "node/controller/node_links.h"
#include "node/controller/recording_fetcher.h"
#include "node/controller/run_engine.h"
#include "node/controller/run_rounds.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// Interval for checking again a lost line, or a node that is still scoring.
constexpr int kLookAgainMs = 200;

// A node's report on the last requested round.
struct ToldRound {
  Json number, state, code;
  bool named = false;
  bool is_done() const { return named && state == "done"; }
  bool is_alive() const { return named && (state == "done" || state == "running"); }
};

ToldRound told_round(const Json& listed) {
  const Json round = listed.value("round", Json());
  if (!round.is_object()) return {};
  return {round.value("number", Json()), round.value("state", Json()), round.value("code", Json()), true};
}

}  // namespace

void RoundBreak::node_came_back(std::size_t n, std::optional<Clock::time_point> away_since) {
  if (breaking_) {
    run_.links().tell_there_again(n, false);
    return ask_nodes();
  }
  run_.rounds().catch_up();
  nodes_.at(n).listing = true;
  run_.links().ask(
      n, "results.list", {{"after", run_.ledger().least_due() - 1}}, [this, n, away_since](const Result<Json>& listed) {
        nodes_.at(n).listing = false;
        if (!listed) return broken(listed.error());
        const RunRounds& rounds = run_.rounds();
        const ToldRound told = told_round(*listed);
        // The node knows its last requested round; the request itself may have been lost with the link. A request
        // without an answer breaks the round, too (synchronise()).
        const bool asked = rounds.asked();
        const bool has_round = told.named && (asked || (told.number == rounds.number() && told.is_alive()));
        const bool lost_the_round = rounds.in_round() && !has_round;
        if (lost_the_round || (rounds.in_round() && asked)) run_.recovery().begin_loss(away_since);
        run_.links().tell_there_again(n, lost_the_round);
        synchronise(n, *listed);
      });
}

// Fails with protocol when the list is impossible.
Status RoundBreak::take_listed(std::size_t n, const Json& listed) {
  for (const std::string_view kind : {"measurements", "sent"}) {
    const Json list = listed.value(kind, Json());
    if (!list.is_array()) continue;
    for (const Json& one : list) {
      Status lawful =
          kind == "sent" ? run_.rounds().take_departure(n, one) : run_.rounds().take_measurement(n, one, true);
      if (!lawful) return lawful;
    }
  }
  return success();
}

void RoundBreak::synchronise(std::size_t n, const Json& listed) {
  if (run_.finished()) return;
  RunRounds& rounds = run_.rounds();
  const ToldRound told = told_round(listed);
  const bool same = told.named && told.number == rounds.number();
  line_failed_ = line_failed_ || (taking_up_ && told.state == "failed" && told.code == "line_lost");
  if (const Status lawful = take_listed(n, listed); !lawful) return run_.links().refuse(n, lawful.error());
  if (const auto direction = run_.direction_from(1 - n)) {
    for (const ReceivedMeasurement& one : run_.ledger().to_fetch(*direction))
      run_.recordings().fetch(*direction, n, one);
  }
  if (breaking_) return;
  if (same && told.is_done()) {
    rounds.node_done(n);
    rounds.told_total(n, listed.value("line_time_ns", Json()));
  }
  // Without its answer it is unknown whether the other node was asked too.
  if (!rounds.in_round() || (!rounds.asked() && same && told.is_alive())) return rounds.advance();
  broken({ErrorCode::line_lost, run_.links().name(n) + " lost the round"});
}

// A recording written before the nodes were asked must not end this break with the lists of the previous one.
void RoundBreak::begin() {
  breaking_ = true;
  run_.rounds().forget_request();
  for (ListingNode& node : nodes_) node.listed = false;
}

void RoundBreak::broken(const Error& why) {
  if (run_.finished() || run_.failing() || breaking_) return;
  const double patience_s = run_.plan().link_patience_s;
  const bool may_continue = patience_s > 0 && !run_.stopping() && why.code == ErrorCode::line_lost;
  if (!may_continue) return run_.fail_when_drained(why);
  const auto now = Clock::now();
  if (!trouble_since_) trouble_since_ = now;
  if (std::chrono::duration<double>(now - *trouble_since_).count() >= patience_s) return run_.fail_when_drained(why);
  run_.recovery().begin_loss(run_.links().gone_since());
  because_ = why.message;
  begin();
  run_.after_ms(kLookAgainMs, [this] { ask_nodes(); });
}

void RoundBreak::begin_soon(const std::string& why) {
  because_ = why;
  if (breaking_) return;
  begin();
  run_.post([this] { ask_nodes(); });
}

void RoundBreak::take_up() {
  taking_up_ = true;
  ask_nodes();
}

// Starts again if a node was away meanwhile.
void RoundBreak::ask_nodes() {
  if (run_.finished() || run_.failing()) return;
  begin();
  for (std::size_t n = 0; n < 2; ++n) {
    run_.links().ask(n, "round.abandon", Json::object(), [this, n](const Result<Json>& answer) {
      if (!answer) return run_.fail(answer.error());
      run_.rounds().told_total(n, answer->value("line_time_ns", Json()));
      list_results(n);
    });
  }
}

// Repeats until no capture is being scored: then the list is complete.
void RoundBreak::list_results(std::size_t n) {
  run_.links().ask(n, "results.list", {{"after", run_.ledger().least_due() - 1}},
                   [this, n](const Result<Json>& listed) {
                     if (!listed) return run_.fail(listed.error());
                     if (!breaking_) return;
                     synchronise(n, *listed);
                     if (run_.finished()) return;
                     if (listed->value("scoring", Json(0)) != 0) {
                       run_.after_ms(kLookAgainMs, [this, n] {
                         if (breaking_) list_results(n);
                       });
                       return;
                     }
                     nodes_.at(n).listed = true;
                     end();
                   });
}

// Not received, and it will not be.
void RoundBreak::lose_what_left() {
  std::string why = "this transmission was in progress when its round was broken off";
  if (taking_up_ && run_.ledger().gives_up_as() == Outcome::cancelled)
    why = "this transmission was in progress when the run was broken off; it is sent again if still needed";
  if (!because_.empty()) why += ": " + as_sentence_part(because_);
  for (const auto& [direction, planned] : run_.ledger().missing())
    run_.announce(run_.ledger().lose(direction, planned, as_plain_text(why)));
}

void RoundBreak::enter_what_came() {
  RunLedger& ledger = run_.ledger();
  // A line on which nothing has arrived yet cannot lose anything.
  if ((taking_up_ && !line_failed_) || run_.recovery().pausing_before_first_mark())
    ledger.give_up_as(Outcome::cancelled);
  lose_what_left();
  ledger.forget_missing();
  run_.rounds().settle(true);
  ledger.give_up_as(Outcome::line_lost);
  taking_up_ = false;
}

void RoundBreak::end() {
  if (!breaking_ || !nodes_[0].listed || !nodes_[1].listed || run_.recordings().writing()) return;
  for (std::size_t d = 0; d < run_.ledger().directions(); ++d) {
    if (run_.ledger().unfetched(d) > 0) return;
  }
  breaking_ = false;
  enter_what_came();
  if (breaking_) return;  // the call is lost
  RunRounds& rounds = run_.rounds();
  rounds.end_round();
  if (run_.finished()) return;
  if (run_.stopping()) return run_.finish(run_.stopping()->message, run_.stopping()->code);
  if (run_.recovery().pausing()) return run_.recovery().make_call();
  if (!trouble_since_) return rounds.next_round();
  // Saves sequence numbers if the line is down: an empty round shows whether it is.
  rounds.try_line();
}

}  // namespace vqas
