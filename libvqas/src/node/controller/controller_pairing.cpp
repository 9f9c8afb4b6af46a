// How a controller takes its two nodes: nothing goes over the line before both are known to fit.
#include <fmt/format.h>

#include <QUuid>
#include <algorithm>
#include <cmath>
#include <system_error>

#include "node/controller/controller_engine.h"
#include "node/play/outgoing.h"
#include "node/wire/node_session.h"
#include "run/json_members.h"
#include "run/measurement_limits.h"
#include "vqas/channel/profile_text.h"
#include "vqas/corpus/corpus.h"
#include "vqas/line/simulator.h"
#include "vqas/run/node_address.h"
#include "vqas/sync/mark.h"

namespace vqas {
namespace {

// A node is kept for that long beyond the time in which its controller tries to come back.
constexpr double kLeaseBeyondPatience_s = 30, kLongestLease_s = 86400;
constexpr std::size_t kLongestScheme = 64;  // "audio:"; a longer name has none

Status check_writable(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder / "recordings", fault);
  if (!fault) return success();
  return Error{ErrorCode::io, fmt::format("cannot make the folder {}: {}; choose another one",
                                          (folder / "recordings").string(), fault.message())};
}

Status check_sampling(const SamplerOptions& options) {
  const auto wrong = [](const char* what) { return Error{ErrorCode::bad_input, what}; };
  if (options.first_count < 2) return wrong("first_count must be at least 2");
  if (options.step < 1) return wrong("step must be at least 1");
  if (options.max_failures < 1) return wrong("max_failures must be at least 1");
  if (options.cap_count < options.first_count) {
    return Error{ErrorCode::bad_input, fmt::format("the cap of measurements is {}, but must be at least {}",
                                                   options.cap_count, options.first_count)};
  }
  // Sequence numbers have 16 bits; 12 stimuli of 1000 measurements leave room for repeated ones.
  if (options.cap_count > 1000) return wrong("the cap of measurements must be at most 1000");
  return success();
}

}  // namespace

Status Controller::Engine::prepare_session() {
  if (!plan.continues) {
    session.id = QUuid::createUuid().toString(QUuid::Id128).toStdString();
    // 122 random bits, twice.
    session.key =
        (QUuid::createUuid().toString(QUuid::Id128) + QUuid::createUuid().toString(QUuid::Id128)).toStdString();
    describe(plan, session);
    return success();
  }
  const RunResults& so_far = plan.continues->so_far;
  if (so_far.corpus_digest != corpus_digest) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the run was begun with another corpus (digest {}, {} has {}); name the same one",
                             so_far.corpus_digest, plan.corpus.string(), corpus_digest)};
  }
  session = plan.continues->session;
  if (!session.run_id) session.run_id = run_id_of(plan.seed);
  ledger->restore(*plan.continues);
  earlier_wall_s = session.wall_seconds = std::max(so_far.wall_seconds, session.wall_seconds);
  ledger->results().lost_seconds = so_far.lost_seconds;
  ledger->results().duplex = so_far.duplex;
  session.line_seconds = std::max(so_far.line_seconds, session.line_seconds);
  for (ControlledNode& node : nodes) {
    node.line_time_ns = node.counted_ns = std::llround(session.line_seconds * 1e9);
  }
  if (!so_far.started_utc.empty()) empty_results.started_utc = so_far.started_utc;
  return success();
}

Status Controller::Engine::prepare() {
  Status sampling = check_sampling(plan.sampling);
  if (!sampling) return sampling;
  if (Status a = check_node_address("a", plan.node_a); !a) return a;
  if (Status b = check_node_address("b", plan.node_b); !b) return b;
  if (!plan.a_to_b && !plan.b_to_a) return Error{ErrorCode::bad_input, "no direction is to be measured"};
  const auto corpus = Corpus::load(plan.corpus);
  if (!corpus) return corpus.error();
  corpus_digest = corpus->digest();
  const double beside_s = gap_for_guard(plan.guard_s) + 2 * plan.guard_s +
                          static_cast<double>(leading_mark_length() + trailing_mark_length()) / kLineRateHz;
  std::vector<std::string> stimuli;
  std::vector<double> line_seconds;
  for (const Stimulus& one : corpus->stimuli()) {
    const bool wanted =
        plan.stimuli.empty() || std::find(plan.stimuli.begin(), plan.stimuli.end(), one.id) != plan.stimuli.end();
    if (!wanted) continue;
    stimuli.push_back(one.id);
    line_seconds.push_back(beside_s + one.files.at(kLineRateHz).duration_s);
  }
  for (const std::string& one : plan.stimuli) {
    if (corpus->find(one) == nullptr) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the corpus {} has no stimulus \"{}\"; \"vqas corpus list\" shows its stimuli",
                               plan.corpus.string(), one)};
    }
  }
  ledger.emplace(plan, stimuli);
  ledger->set_line_seconds(std::move(line_seconds));
  ledger->results().corpus_digest = corpus_digest;
  ledger->spare_lost(can_recover());
  if (Status usable = prepare_session(); !usable) return usable;
  if (Status writable = check_writable(plan.folder); !writable) return writable;
  auto claim = plan.lock ? Result<std::shared_ptr<RunLock>>(plan.lock) : RunLock::take(plan.folder);
  if (!claim) return claim.error();
  lock = *std::move(claim);
  return success();
}

void Controller::Engine::hello(std::size_t node) {
  nodes[node].client->request("node.hello", Json::object(), [this, node](const Result<Json>& answer) {
    if (!answer) return fail(answer.error());
    nodes[node].hello = answer->dump();
    nodes[node].takes_turns = answer->value("takes_turns", Json()) == true;
    if (paired) return came_back(node);
    nodes[node].gone_since.reset();
    nodes[node].tries = 0;
    if (!nodes[0].hello.empty() && !nodes[1].hello.empty()) pair();
  });
}

Json Controller::Engine::hello_of(std::size_t node) const {
  return Json::parse(nodes[node].hello);
}

Status Controller::Engine::check_pair() const {
  for (std::size_t n = 0; n < 2; ++n) {
    const Json said = hello_of(n);
    const std::string& name = nodes[n].client->name();
    const std::string end = n == 0 ? "a" : "b";
    if (said.value("protocol", Json()) != rpc::kProtocolVersion) {
      return Error{
          ErrorCode::protocol,
          fmt::format("{} does not speak version {} of the protocol; install the same release of VQAS there and here",
                      name, rpc::kProtocolVersion)};
    }
    if (text_at(said, "end") != end) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{} is end {}, not end {}; give the two addresses the other way round", name,
                               text_at(said, "end"), end)};
    }
    if (text_at(said, "corpus_digest") != corpus_digest) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{} has another corpus (digest {}, here {}); copy the same corpus to both ends", name,
                               text_at(said, "corpus_digest"), corpus_digest)};
    }
    if (text_at(said, "score_version") != kScoreVersion) {
      return Error{
          ErrorCode::protocol,
          fmt::format("{} has score version {}, this program {}; install the same release of VQAS there and here", name,
                      text_at(said, "score_version"), kScoreVersion)};
    }
  }
  return success();
}

void Controller::Engine::pair() {
  const Status fits = check_pair();
  if (!fits) return fail(fits.error());
  const Status described = describe_line();
  if (!described) return fail(described.error());
  open_sessions();
}

Status Controller::Engine::describe_line() {
  RunResults& results = ledger->results();
  const Json line = object_at(hello_of(0), "line");
  const std::string name = as_plain_text(text_at(line, "name")).substr(0, kLongestScheme);
  results.line = name.substr(0, name.find(':') + 1);
  const Json other = object_at(hello_of(1), "line");
  // A line of virtual time has one clock for both of its ends.
  if (line.value("virtual_time", Json()) == true && other.value("virtual_time", Json()) == true) {
    // What was recorded at one time and played at another has none.
    const auto is_file = [](const Json& one) { return text_at(one, "name").starts_with("file:"); };
    if (!is_file(line) && !is_file(other)) ledger->set_delay_basis(DelayBasis::virtual_time);
  } else {
    virtual_time = false;
    ledger->set_departures_needed(true);
    describe_clocks(line, other);
  }
  for (std::size_t n = 0; n < 2; ++n) {
    const std::string equipment = as_plain_text(text_at(n == 0 ? line : other, "equipment"));
    if (!equipment.empty()) results.equipment[n == 0 ? "a" : "b"] = equipment;
  }
  const Json simulated = line.value("simulated", Json());
  if (!simulated.is_object()) return success();
  const auto conditions = parse_simulated_conditions(simulated.dump());
  if (!conditions) return success();
  if (conditions->profile) results.profile = profile_toml(*conditions->profile);
  // The line follows the guard of each round (Round::end_silence_s).
  auto follows = [this](LineConditions one) {
    one.end_silence_s = end_silence_for_guard(plan.guard_s);
    return one;
  };
  if (plan.a_to_b) results.simulated["a-to-b"] = follows(conditions->a_to_b);
  if (plan.b_to_a) results.simulated["b-to-a"] = follows(conditions->b_to_a);
  return success();
}

Json Controller::Engine::session_params() const {
  Json params = {{"protocol", rpc::kProtocolVersion}, {"holder", plan.holder},        {"session", session.id},
                 {"run_id", session.run_id.value()},  {"stimuli", ledger->stimuli()}, {"guard_s", plan.guard_s}};
  // Who does not come back wants nothing kept.
  if (plan.link_patience_s > 0 || plan.continues) {
    params["key"] = session.key;
    params["lease_s"] = std::clamp(plan.link_patience_s + kLeaseBeyondPatience_s, 1.0, kLongestLease_s);
    params["resume"] = plan.continues || paired;
    params["reconnect"] = paired;
  }
  return params;
}

namespace {

// A real-time clock as its node tells it: what makes the common clock's time of the machine's own, and how well.
struct ToldClock {
  ClockState state;
  std::int64_t from_monotonic_ns = 0;
};

std::optional<ToldClock> told_clock(const Json& line) {
  constexpr double kLongest_ms = 1e9;
  const Json told = object_at(line, "clock_synchronised");
  const Json offset = told.value("offset_ms", Json()), real = told.value("real_less_monotonic_ns", Json());
  const double uncertainty_ms = number_at(told, "uncertainty_ms", -1, kLongestDelay_ms);
  if (!offset.is_number() || std::abs(offset.get<double>()) > kLongest_ms || uncertainty_ms < 0) return std::nullopt;
  if (!real.is_number_unsigned() || real.get<std::uint64_t>() > static_cast<std::uint64_t>(kLatest_ns))
    return std::nullopt;
  return ToldClock{{offset.get<double>(), uncertainty_ms},
                   real.get<std::int64_t>() - std::llround(offset.get<double>() * 1e6)};
}

}  // namespace

// Gives how far off the two clocks may be together, in ns; 0 where they do not follow a common one.
double Controller::Engine::compare_clocks(const Json& a, const Json& b) {
  const std::array told{told_clock(a), told_clock(b)};
  if (!told[0] || !told[1]) return 0;
  ledger->set_delay_basis(DelayBasis::synchronised);
  for (std::size_t n = 0; n < 2; ++n) {
    ledger->results().clocks[n == 0 ? "a" : "b"] = told.at(n)->state;
    if (const auto direction = direction_from(n))
      ledger->set_clocks_apart_ns(*direction, told.at(1 - n)->from_monotonic_ns - told.at(n)->from_monotonic_ns);
  }
  return (told[0]->state.uncertainty_ms + told[1]->state.uncertainty_ms) * 1e6;
}

void Controller::Engine::describe_clocks(const Json& a, const Json& b) {
  const std::string clock = text_at(a, "clock");
  if (clock.empty() || text_at(b, "clock").empty()) return;
  const bool same = clock == text_at(b, "clock");
  ledger->set_delay_basis(same ? DelayBasis::same_clock : DelayBasis::half_round_trip);
  double uncertainty_ns = same ? 0 : compare_clocks(a, b);
  double devices_ms = 0;
  std::string uncalibrated;
  for (std::size_t n = 0; n < 2; ++n) {
    const Json& line = n == 0 ? a : b;
    const Json told = line.value("clock_uncertainty_ns", Json());
    if (told.is_number()) uncertainty_ns += std::abs(told.get<double>());
    const auto direction = direction_from(n);
    // One way passes one device's output and the other one's input.
    if (line.value("device_latency_ms", Json()).is_number() && line.value("device_calibrated", Json()) != true) {
      devices_ms += std::max(number_at(line, "device_latency_ms", 0, kLongestDelay_ms), 0.0) / 2;
      uncalibrated += uncalibrated.empty() ? name_of(n == 0 ? End::a : End::b) : std::string(" and b");
    }
    const bool real = line.value("real_device", Json()) == true;
    real_line = real_line || real;
    if (real && direction) ledger->expect_played(*direction);
  }
  ledger->set_clock_uncertainty_ms(std::min(uncertainty_ns * 1e-6, kLongestDelay_ms));
  ledger->set_device_uncertainty_ms(std::min(devices_ms, kLongestDelay_ms));
  if (uncalibrated.empty()) return;
  emit owner.noticed(QString::fromStdString(
      fmt::format("the delays include about {:.0f} ms of the sound devices themselves; to take them off, measure the "
                  "device of end {} with \"vqas line calibrate\" and start its node with --device-delay-ms",
                  devices_ms, uncalibrated)));
}

// Marks of the run before, of the same seed perhaps, may still be on the line. In virtual time the same seed on fresh
// nodes gives the same marks, because it has to give the same results.
std::uint32_t Controller::Engine::choose_run_id() const {
  if (plan.run_id) return *plan.run_id & kLastRunId;
  if (virtual_time) {
    std::uint64_t rounds = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Json last = hello_of(n).value("last_round", Json());
      if (last.is_number_unsigned()) rounds = std::max(rounds, last.get<std::uint64_t>());
    }
    return run_id_of(plan.seed, rounds);
  }
  // As many random bits as a run id has and more.
  return run_id_of(plan.seed, std::stoull(session.id.substr(0, 15), nullptr, 16));
}

void Controller::Engine::open_sessions() {
  if (!session.run_id) session.run_id = choose_run_id();
  for (std::size_t n = 0; n < 2 && !finished; ++n) {
    ask(n, "session.open", session_params(), [this, n](const Result<Json>& answer) {
      if (!answer) return fail(answer.error());
      const Json last = answer->value("last_round", Json());
      if (!last.is_number_unsigned())
        return fail({ErrorCode::protocol, nodes[n].client->name() + " is no node of VQAS"});
      nodes[n].last_round = last.get<std::uint64_t>();
      nodes[n].session_open = true;
      if (!nodes[0].session_open || !nodes[1].session_open) return;
      begin_rounds();
    });
  }
}

void Controller::Engine::begin_rounds() {
  deadline.stop();
  round_number = std::max(nodes[0].last_round, nodes[1].last_round);
  paired = true;
  // Without patience a false alarm would end the run.
  for (const ControlledNode& node : nodes) {
    if (plan.link_patience_s > 0) node.client->take_silence_for_loss();
  }
  ledger->results().started_utc = empty_results.started_utc;
  emit owner.paired();
  if (finished) return;
  auto log = plan.continues ? SessionLog::reopen(plan.folder) : SessionLog::create(plan.folder, session);
  if (!log) return fail(log.error());
  session_log = *std::move(log);
  if (!plan.continues) return next_round();
  // What was under way when the run was broken off: the nodes say what became of it.
  in_round = taking_up = true;
  break_round();
}

}  // namespace vqas
