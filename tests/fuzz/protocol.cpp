// Messages between node and controller: JSON-RPC and what it carries, by both readers. What was read prints, and reads
// and prints the same again.
#include <sstream>
#include <string>

#include "fuzz.h"
#include "node/wire/client_frames.h"
#include "node/wire/node_archive.h"
#include "node/wire/node_session.h"
#include "node/wire/rpc.h"
#include "run/measurement_limits.h"
#include "vqas/line/simulator.h"

using namespace vqas;

namespace {

int depth_of(const Json& json) {
  int deepest = 0;
  for (const Json& one : json) deepest = json.is_structured() ? std::max(deepest, depth_of(one)) : 0;
  return deepest + (json.is_structured() ? 1 : 0);
}

// A message as a node reads it.
void check_request(const std::string& text) {
  int calls = 0;
  const std::string answer = rpc::respond(text, [&](const std::string& method, const Json& params) {
    ++calls;
    if (const auto session = node_session_from(params)) {
      fuzz::require(!session->stimuli.empty() && session->stimuli.size() <= 256, "a session has stimuli");
    }
    if (const auto round = round_request_from(params)) {
      const Json printed = to_json(*round);
      const auto again = round_request_from(printed);
      fuzz::require(again && to_json(*again) == printed, "a round that was read prints the same");
    }
    return method == "fail" ? rpc::Answer::failed(rpc::kInvalidParams, method) : rpc::Answer{params, std::nullopt};
  });
  fuzz::require(calls <= 1, "a message calls one method at most");
  if (answer.empty()) return;
  const auto json = parse_json_text(answer, "answer");
  fuzz::require(json && json->is_object() && json->contains("result") != json->contains("error"),
                "an answer has a result or an error");
}

template <typename Value>
void check_round_trip(const Result<Value>& read, Result<Value> (*parse)(const Json&)) {
  if (!read) return;
  const std::string printed = to_json(*read).dump();
  const auto again = parse(*parse_json_text(printed, "printed"));
  fuzz::require(static_cast<bool>(again), "what was printed can be read");
  fuzz::require(to_json(*again).dump() == printed, "what was read prints the same");
}

// A message as a controller reads it.
void check_report(const std::string& text) {
  const auto incoming = rpc::read_incoming(text);
  if (!incoming) return;
  const Json& content = incoming->content;
  const auto measured = received_measurement_from(content);
  if (measured) fuzz::require(!impossible(measured->measurement), "a measurement that was read is possible");
  check_round_trip(measured, received_measurement_from);
  check_round_trip(played_from(content), played_from);
  check_round_trip(silence_from(content), silence_from);
  if (const auto left = departure_from(content)) fuzz::require(left->sequence >= 1, "numbers begin at 1");
  (void)warning_from(content);
  (void)round_done_from(content);
  (void)round_failed_from(content);
}

void check_line(const std::string& text) {
  const auto line = parse_simulated_conditions(text);
  if (!line) return;
  const std::string printed = simulated_conditions_json(*line);
  const auto again = parse_simulated_conditions(printed);
  fuzz::require(again && simulated_conditions_json(*again) == printed, "conditions that were read print the same");
}

// The result must not depend on where the stream is cut.
void check_frames(std::string_view bytes) {
  ClientFrames whole, parts;
  const auto feed = [](ClientFrames& frames, std::string_view text, std::size_t step) {
    while (!text.empty()) {
      const std::uint64_t skipped = std::min<std::uint64_t>(frames.payload_left(), text.size());
      frames.skip(skipped);
      text.remove_prefix(static_cast<std::size_t>(skipped));
      const auto part = text.substr(0, step);
      if (!part.empty() && !frames.take(part)) return false;
      text.remove_prefix(part.size());
    }
    return true;
  };
  const bool lawful = feed(whole, bytes, bytes.size());
  fuzz::require(feed(parts, bytes, 1) == lawful, "cuts in the stream make no difference");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  if (const auto json = parse_json_text(text, "text")) {
    fuzz::require(depth_of(*json) <= kDeepestJson, "no tree is deeper than its bound");
  }
  check_request(text);
  check_report(text);
  check_line(text);
  check_frames(text);
  std::istringstream journal(text);
  for (const auto& [sequence, one] : read_session_history(journal, "s").measured) {
    fuzz::require(one.at("sequence") == sequence, "a line of a journal belongs to its number");
  }
  return 0;
}
