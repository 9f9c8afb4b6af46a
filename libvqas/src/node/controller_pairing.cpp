// How a controller takes its two nodes: nothing goes over the line before both are known to fit.
#include <fmt/format.h>

#include <QUrl>
#include <QUuid>
#include <algorithm>
#include <cmath>
#include <system_error>

#include "node/controller_engine.h"
#include "node/measurement_limits.h"
#include "node/node_session.h"
#include "node/outgoing.h"
#include "vqas/channel/profile_text.h"
#include "vqas/corpus/corpus.h"
#include "vqas/line/simulator.h"

namespace vqas {
namespace {

// Nothing is lost by waiting, and an overloaded machine was seen to keep a healthy node silent for 30 s.
constexpr int kPairingMs = 60000;
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

bool is_node_address(const QUrl& url) {
  return (url.scheme() == "ws" || url.scheme() == "wss") && !url.host().isEmpty() && url.port() > 0;
}

Status check_address(const char* end, const std::string& text) {
  const auto url_of = [](const std::string& address) {
    return QUrl(QString::fromStdString(address), QUrl::StrictMode);
  };
  if (is_node_address(url_of(text))) return success();
  const std::string meant = is_node_address(url_of("ws://" + text)) ? "ws://" + text : "ws://127.0.0.1:7811";
  return Error{ErrorCode::bad_input,
               fmt::format("the address of node {} is \"{}\"; write {}{}, as the node printed it when it started", end,
                           as_plain_text(text), meant == "ws://" + text ? "" : "it like ", meant)};
}

std::string word_at(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

Json object_at(const Json& json, const char* key) {
  const Json value = json.value(key, Json());
  return value.is_object() ? value : Json::object();
}

}  // namespace

Status Controller::Engine::prepare() {
  const Status sampling = check_sampling(plan.sampling);
  if (!sampling) return sampling;
  if (Status a = check_address("a", plan.node_a); !a) return a;
  if (Status b = check_address("b", plan.node_b); !b) return b;
  if (!plan.a_to_b && !plan.b_to_a) return Error{ErrorCode::bad_input, "no direction is to be measured"};
  const auto corpus = Corpus::load(plan.corpus);
  if (!corpus) return corpus.error();
  corpus_digest = corpus->digest();
  std::vector<std::string> stimuli;
  for (const Stimulus& one : corpus->stimuli()) {
    const bool wanted =
        plan.stimuli.empty() || std::find(plan.stimuli.begin(), plan.stimuli.end(), one.id) != plan.stimuli.end();
    if (wanted) stimuli.push_back(one.id);
  }
  for (const std::string& one : plan.stimuli) {
    if (corpus->find(one) == nullptr) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the corpus {} has no stimulus \"{}\"; \"vqas corpus list\" shows its stimuli",
                               plan.corpus.string(), one)};
    }
  }
  ledger.emplace(plan, stimuli);
  ledger->results().corpus_digest = corpus_digest;
  ledger->spare_lost(can_recover());
  return check_writable(plan.folder);
}

void Controller::Engine::connect_nodes() {
  start_deadline(kPairingMs, [this] {
    for (const ControlledNode& node : nodes) {
      if (!node.session_open) return fail({ErrorCode::line_lost, node.client->name() + " does not answer"});
    }
  });
  for (std::size_t n = 0; n < 2; ++n) {
    const std::string& address = n == 0 ? plan.node_a : plan.node_b;
    nodes[n].client = std::make_unique<NodeClient>(fmt::format("node {} at {}", n == 0 ? "a" : "b", address), address);
  }
  for (std::size_t n = 0; n < 2 && !finished; ++n) {
    nodes[n].client->open([this, n] { hello(n); },
                          [this, n](const Error& error) {
                            nodes[n].gone = true;
                            fail_when_drained(error);
                          },
                          [this, n](const std::string& method, const Json& params) { notified(n, method, params); });
  }
}

void Controller::Engine::hello(std::size_t node) {
  nodes[node].client->request("node.hello", Json::object(), [this, node](const Result<Json>& answer) {
    if (!answer) return fail(answer.error());
    nodes[node].hello = *answer;
    if (!nodes[0].hello.is_null() && !nodes[1].hello.is_null()) pair();
  });
}

Status Controller::Engine::check_pair() const {
  for (std::size_t n = 0; n < 2; ++n) {
    const Json& said = nodes[n].hello;
    const std::string& name = nodes[n].client->name();
    const std::string end = n == 0 ? "a" : "b";
    if (said.value("protocol", Json()) != rpc::kProtocolVersion) {
      return Error{ErrorCode::protocol,
                   fmt::format("{} does not speak version {} of the protocol; use the same release", name,
                               rpc::kProtocolVersion)};
    }
    if (word_at(said, "end") != end) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{} is end {}, not end {}; give the two addresses the other way round", name,
                               word_at(said, "end"), end)};
    }
    if (word_at(said, "corpus_digest") != corpus_digest) {
      return Error{ErrorCode::bad_input,
                   fmt::format("{} has another corpus (digest {}, here {}); copy the same corpus to both ends", name,
                               word_at(said, "corpus_digest"), corpus_digest)};
    }
    if (word_at(said, "score_version") != kScoreVersion) {
      return Error{ErrorCode::protocol, fmt::format("{} scores by {}, here {}; use the same release", name,
                                                    word_at(said, "score_version"), kScoreVersion)};
    }
  }
  return success();
}

// A simulated line changes phase and gain at the end of each transmission, which it knows by its silence.
Status Controller::Engine::check_guard(double shortest_end_s, double longest_end_s) const {
  const char* fault = nullptr;
  if (shortest_end_s < end_silence_for_guard(plan.guard_s)) {
    fault = "so a guard within a transmission would pass for its end";
  } else if (longest_end_s >= gap_for_guard(plan.guard_s)) {
    fault = "so the gap between two transmissions would not end the first";
  }
  if (fault == nullptr) return success();
  return Error{ErrorCode::bad_input,
               fmt::format("the simulated line takes {:g} s of silence for the end of a transmission, {}; give \"vqas "
                           "sim\" the same --guard-s {:g} as the measurement",
                           longest_end_s, fault, plan.guard_s)};
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
  const Json line = object_at(nodes[0].hello, "line");
  const std::string name = as_plain_text(word_at(line, "name")).substr(0, kLongestScheme);
  results.line = name.substr(0, name.find(':') + 1);
  const Json other = object_at(nodes[1].hello, "line");
  // A line of virtual time has one clock for both of its ends.
  if (line.value("virtual_time", Json()) == true && other.value("virtual_time", Json()) == true) {
    ledger->set_delay_basis(DelayBasis::virtual_time);
  } else {
    describe_clocks(line, other);
  }
  for (std::size_t n = 0; n < 2; ++n) {
    const std::string equipment = as_plain_text(word_at(n == 0 ? line : other, "equipment"));
    if (!equipment.empty()) results.equipment[n == 0 ? "a" : "b"] = equipment;
  }
  const Json simulated = line.value("simulated", Json());
  if (!simulated.is_object()) return success();
  const auto conditions = parse_simulated_conditions(simulated.dump());
  if (!conditions) return success();
  if (conditions->profile) results.profile = profile_toml(*conditions->profile);
  if (plan.a_to_b) results.simulated["a-to-b"] = conditions->a_to_b;
  if (plan.b_to_a) results.simulated["b-to-a"] = conditions->b_to_a;
  return check_guard(std::min(conditions->a_to_b.end_silence_s, conditions->b_to_a.end_silence_s),
                     std::max(conditions->a_to_b.end_silence_s, conditions->b_to_a.end_silence_s));
}

void Controller::Engine::describe_clocks(const Json& a, const Json& b) {
  const std::string clock = word_at(a, "clock");
  if (clock.empty() || word_at(b, "clock").empty()) return;
  const bool same = clock == word_at(b, "clock");
  ledger->set_delay_basis(same ? DelayBasis::same_clock : DelayBasis::half_round_trip);
  double uncertainty_ns = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    const Json& line = n == 0 ? a : b;
    const Json told = line.value("clock_uncertainty_ns", Json());
    if (told.is_number()) uncertainty_ns += std::abs(told.get<double>());
    const auto direction = direction_from(n);
    const bool real = line.value("real_device", Json()) == true;
    real_line = real_line || real;
    if (real && direction) ledger->expect_played(*direction);
  }
  ledger->set_clock_uncertainty_ms(std::min(uncertainty_ns * 1e-6, kLongestDelay_ms));
}

void Controller::Engine::open_sessions() {
  const Json params = {{"protocol", rpc::kProtocolVersion},
                       {"holder", plan.holder},
                       {"session", QUuid::createUuid().toString(QUuid::Id128).toStdString()},
                       {"run_id", run_id_of(plan.seed)},
                       {"stimuli", ledger->stimuli()},
                       {"guard_s", plan.guard_s}};
  for (std::size_t n = 0; n < 2 && !finished; ++n) {
    nodes[n].client->request("session.open", params, [this, n](const Result<Json>& answer) {
      if (!answer) return fail(answer.error());
      const Json last = answer->value("last_round", Json());
      if (!last.is_number_unsigned())
        return fail({ErrorCode::protocol, nodes[n].client->name() + " is no node of VQAS"});
      nodes[n].last_round = last.get<std::uint64_t>();
      nodes[n].session_open = true;
      if (!nodes[0].session_open || !nodes[1].session_open) return;
      deadline.stop();
      round_number = std::max(nodes[0].last_round, nodes[1].last_round);
      measuring_since = std::chrono::steady_clock::now();
      paired = true;
      ledger->results().started_utc = empty_results.started_utc;
      emit owner.paired();
      if (!finished) next_round();
    });
  }
}

}  // namespace vqas
