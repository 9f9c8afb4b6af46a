// Damaged messages and files: every text gives a value or an error, never a crash. VQAS_FUZZ_SEED and VQAS_FUZZ_TEXTS
// select other and longer runs (tools/bench/fuzz does, under sanitizers).
#include "support/fuzz.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "node/wire/node_archive.h"
#include "node/wire/node_session.h"
#include "node/wire/rpc.h"
#include "run/measurement_limits.h"
#include "vqas/run/session_record.h"

namespace vqas {
namespace {

const std::vector<std::string>& messages() {
  static const std::vector<std::string> lawful{
      R"({"jsonrpc":"2.0","id":1,"method":"node.hello"})",
      R"({"jsonrpc":"2.0","id":2,"method":"session.open","params":{"protocol":3,"holder":"anna","session":"try-1","key":"0123456789abcdef","lease_s":60,"run_id":4711,"stimuli":["M6"],"guard_s":0.05}})",
      R"({"jsonrpc":"2.0","id":3,"method":"round.run","params":{"number":1,"send":[{"stimulus":"M6","sequence":1}],"expect":[{"stimulus":"M6","sequence":1,"within_s":15}]}})",
      R"({"jsonrpc":"2.0","method":"sent","params":{"sequence":1,"left_at_ns":200000000}})",
      R"({"jsonrpc":"2.0","method":"measurement","params":{"sequence":1,"stimulus":"M6","outcome":"scored","reason":"","mos_lqo":4.2,"auditory_distance":0.3,"clock_drift_ppm":null,"level_difference_db":-3,"marks_found":"both","recording":"x.flac","arrived_at_ns":450000000}})",
      R"({"jsonrpc":"2.0","method":"round.done","params":{"number":1,"line_time_ns":6800000000}})",
      R"({"jsonrpc":"2.0","method":"round.failed","params":{"code":"line_lost","message":"gone","line_time_ns":5}})",
      R"({"jsonrpc":"2.0","id":3,"error":{"code":-32001,"message":"held"}})",
      R"({"jsonrpc":"2.0","id":3,"result":{"measurements":[],"sent":[]}})",
  };
  return lawful;
}

class Fuzz : public ::testing::Test {
 protected:
  Fuzz() { std::cout << "seed " << seed_ << ", " << texts_ << " texts\n"; }
  const std::uint64_t seed_ = test::number_of("VQAS_FUZZ_SEED", 1), texts_ = test::number_of("VQAS_FUZZ_TEXTS", 20000);
};

TEST_F(Fuzz, EveryMessageToANodeGetsOneValidAnswerOrNone) {
  test::Mutator mutator(seed_, messages());
  std::uint64_t carried_out = 0;
  for (std::uint64_t n = 0; n < texts_; ++n) {
    const std::string text = mutator.next();
    const std::string answer = rpc::respond(text, [&](const std::string& method, const Json& params) {
      ++carried_out;
      // As a node reads them, whatever the method.
      if (const auto session = node_session_from(params); !session) {
        return rpc::Answer::failed(rpc::kInvalidParams, session.error().message);
      }
      if (const auto round = round_request_from(params); !round) {
        return rpc::Answer::failed(rpc::kInvalidParams, round.error().message);
      }
      return rpc::Answer{{{"method", method}}, std::nullopt};
    });
    if (answer.empty()) continue;
    const Json json = Json::parse(answer, nullptr, false);
    ASSERT_TRUE(json.is_object() && json["jsonrpc"] == "2.0" && json.contains("result") != json.contains("error"))
        << text;
  }
  EXPECT_GT(carried_out, texts_ / 100) << "most texts are to reach the methods";
}

TEST_F(Fuzz, ReportsOfANodeAreValidOrRefused) {
  test::Mutator mutator(seed_ + 1, messages());
  std::uint64_t taken = 0;
  for (std::uint64_t n = 0; n < texts_; ++n) {
    const std::string text = mutator.next();
    const auto incoming = rpc::read_incoming(text);
    if (!incoming) continue;
    const auto measured = received_measurement_from(incoming->content);
    if (measured) {
      ++taken;
      ASSERT_EQ(impossible(measured->measurement), std::nullopt) << text;
    }
    const auto departure = departure_from(incoming->content);
    if (departure) {
      ASSERT_GE(departure->sequence, 1U) << text;
    }
    const auto done = round_done_from(incoming->content);
    const auto failed = round_failed_from(incoming->content);
    taken += (done ? 1 : 0) + (failed ? 1 : 0);
  }
  EXPECT_GT(taken, texts_ / 1000);
}

TEST_F(Fuzz, ADamagedJournalGivesItsUndamagedLines) {
  std::string journal = R"({"session":"s","opened":{"holder":"anna","key":"00"}})"
                        "\n";
  for (int n = 1; n <= 3; ++n) {
    const std::string number = std::to_string(n);
    journal += R"({"session":"s","sent":{"sequence":)" + number + R"(,"left_at_ns":5}})" + "\n" +
               R"({"session":"s","measurement":{"sequence":)" + number +
               R"(,"stimulus":"M6","outcome":"not_found","reason":"x","mos_lqo":null,"auditory_distance":null,)" +
               R"("clock_drift_ppm":null,"level_difference_db":null,"marks_found":"none","recording":"",)" +
               R"("arrived_at_ns":null}})" + "\n";
  }
  test::Mutator mutator(seed_ + 2, {journal});
  std::uint64_t whole = 0;
  for (std::uint64_t n = 0; n < texts_ / 4; ++n) {
    std::istringstream text(mutator.next());
    const SessionHistory history = read_session_history(text, "s");
    whole += history.measured.size() == 3 ? 1 : 0;
    for (const auto& [sequence, one] : history.measured) ASSERT_EQ(one["sequence"], sequence);
  }
  EXPECT_GT(whole, 0U);
}

TEST_F(Fuzz, ADamagedSessionFileIsReadOrRefused) {
  const std::string file =
      R"({"schema":"vqas-session/1","session":"s","key":"k","node_a":"ws://a:1","node_b":"ws://b:1","guard_s":0.05})"
      "\n"
      R"({"round":1,"line_seconds":0,"planned":[[[0,1],[1,2]],[[1,1]]]})"
      "\n"
      R"({"round":2,"line_seconds":12.5,"planned":[[[0,3]],[[1,2]]]})"
      "\n";
  test::Mutator mutator(seed_ + 3, {file});
  for (std::uint64_t n = 0; n < texts_ / 4; ++n) {
    const std::string text = mutator.next();
    const auto record = parse_session_record(text, "session.jsonl");
    if (!record) continue;
    for (std::size_t d = 0; d < record->due.size(); ++d) {
      for (const auto& one : record->due[d]) ASSERT_LT(one.second, record->next_sequence.at(d)) << text;
    }
  }
}

}  // namespace
}  // namespace vqas
