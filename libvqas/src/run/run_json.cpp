#include "run/run_json.h"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "run/about_json.h"
#include "run/measurement_limits.h"
#include "vqas/channel/profile_text.h"

namespace vqas::store {

Json to_json(const LineConditions& conditions) {
  Json json;
  json["law"] = conditions.law == G711Law::mu ? "mu" : "a";
  json["ber"] = conditions.ber;
  json["delay_s"] = rounded(conditions.delay_s, 1e-6);
  json["gain_db"] = rounded(conditions.gain_db, 1e-6);
  json["band_limit"] = conditions.band_limit;
  json["circuit_noise_dbm0p"] = rounded(conditions.circuit_noise_dbm0p, 1e-6);
  json["gain_ripple_db"] = rounded(conditions.gain_ripple_db, 1e-6);
  json["sender_clock_ppm"] = rounded(conditions.sender_clock_ppm, 1e-6);
  json["receiver_clock_ppm"] = rounded(conditions.receiver_clock_ppm, 1e-6);
  json["fresh_phase"] = conditions.fresh_phase;
  return json;
}

Result<LineConditions> conditions_from_json(const Json& json, const std::string& where) {
  Reader reader(json, where);
  LineConditions conditions;
  const std::string law = reader.text("law", 8);
  if (law != "mu" && law != "a") reader.fail("has a law that is neither \"mu\" nor \"a\"");
  conditions.law = law == "a" ? G711Law::a : G711Law::mu;
  conditions.ber = reader.number("ber", 0, 0.5);
  conditions.delay_s = reader.number("delay_s", 0, 3600);
  conditions.gain_db = reader.number("gain_db", -200, 200);
  conditions.band_limit = reader.flag("band_limit");
  // A line without noise has minus infinity, which JSON cannot express.
  conditions.circuit_noise_dbm0p =
      reader.optional_number("circuit_noise_dbm0p", -300, 100).value_or(-std::numeric_limits<double>::infinity());
  conditions.gain_ripple_db = reader.number("gain_ripple_db", 0, 200);
  conditions.sender_clock_ppm = reader.number("sender_clock_ppm", -1e6, 1e6);
  conditions.receiver_clock_ppm = reader.number("receiver_clock_ppm", -1e6, 1e6);
  conditions.fresh_phase = reader.flag("fresh_phase");
  if (reader.fault()) return *reader.fault();
  return conditions;
}

// Limit on the TOML of a profile; the simulator would have refused a longer one in a message.
constexpr std::size_t kLongestProfile = 1U << 20U;

Json line_to_json(const RunResults& results) {
  Json json;
  json["name"] = results.line;
  json["simulated"] = nullptr;
  for (const auto& [direction, conditions] : results.simulated) json["simulated"][direction] = to_json(conditions);
  if (!results.profile.empty()) json["profile"] = results.profile;
  if (results.codec != LineCodec::g711) json["codec"] = to_string(results.codec);
  // Only for real lines.
  if (results.duplex != Duplex::automatic) json["duplex"] = name_of(results.duplex);
  if (!results.equipment.empty()) json["equipment"] = results.equipment;
  for (const auto& [end, clock] : results.clocks)
    json["clocks"][end] = {{"offset_ms", clock.offset_ms}, {"uncertainty_ms", clock.uncertainty_ms}};
  if (!results.baseline.empty()) json["baseline"] = results.baseline;
  return json;
}

Status check_plan(const std::vector<DirectionRun>& directions, const std::string& where) {
  const auto fault = [&where](const std::string& what) { return Error{ErrorCode::bad_input, where + " " + what}; };
  std::set<End> seen;
  for (const DirectionRun& direction : directions) {
    if (!seen.insert(direction.from).second)
      return fault(fmt::format("has the direction {} twice", direction_words(direction.from)));
    std::set<std::string_view> stimuli;
    for (const StimulusRun& stimulus : direction.stimuli) {
      if (!is_name(stimulus.stimulus)) return fault("has a stimulus without a valid name");
      if (!stimuli.insert(stimulus.stimulus).second)
        return fault(fmt::format("has the stimulus {} twice", stimulus.stimulus));
    }
  }
  return success();
}

End direction_from(Reader& reader) {
  const auto from = end_of_name(reader.text("from", 64)), to = end_of_name(reader.text("to", 64));
  if (!from || !to || *to != other_end(*from)) reader.fail("has a direction without valid names of its ends");
  return from.value_or(End::a);
}

// Missing in narrowband. The version's name says the mode too: scores of one scale must never be taken for the other's.
ScoreMode mode_from(Reader& reader, const std::string& version) {
  const std::string word = reader.optional_text("score_mode", 8);
  const auto mode = word.empty() ? ScoreMode::narrowband : score_mode_from_string(word);
  if (!mode || version.starts_with("vqas-wb-") != (*mode == ScoreMode::wideband))
    reader.fail("has a score_mode that does not belong to its score_version");
  return mode.value_or(ScoreMode::narrowband);
}

Duplex duplex_from(Reader& reader) {
  const std::string word = reader.optional_text("duplex", 64);
  const auto duplex = word.empty() ? Duplex::automatic : duplex_from_string(word);
  if (!duplex) reader.fail("has an unknown duplex");
  return duplex.value_or(Duplex::automatic);
}

Status line_from_json(const Json& json, const std::string& where, RunResults& results) {
  Reader reader(json, where);
  results.line = reader.text("name", 1024);
  results.duplex = duplex_from(reader);
  if (reader.has("baseline")) results.baseline = reader.text("baseline", kLongestReason);
  if (reader.has("equipment")) {
    const Json& equipment = reader.object("equipment");
    Reader ends(equipment, where + ", equipment");
    for (const auto& [end, ignored] : equipment.items()) {
      if (!is_name(end) || results.equipment.size() >= 2) {
        ends.fail("has an end with an invalid name");
        break;
      }
      results.equipment[end] = ends.text(end.c_str(), kLongestReason);
    }
    if (ends.fault()) return *ends.fault();
  }
  if (reader.has("clocks")) {
    for (const auto& [end, told] : reader.object("clocks").items()) {
      if (!is_name(end) || results.clocks.size() >= 2) {
        reader.fail("has an end with an invalid name");
        break;
      }
      Reader clock(told, where + ", clock of " + end);
      constexpr double kMost_ms = 1e9;
      results.clocks[end] = {clock.number("offset_ms", -kMost_ms, kMost_ms),
                             clock.number("uncertainty_ms", 0, kMost_ms)};
      if (clock.fault()) return *clock.fault();
    }
  }
  if (reader.has("profile")) {
    // A text of several lines, which reader.text() would refuse. It is parsed as a profile, so it cannot hold anything
    // else.
    const Json& profile = json.at("profile");
    if (!profile.is_string() || profile.get_ref<const std::string&>().size() > kLongestProfile ||
        !parse_profile(profile.get<std::string>(), where)) {
      reader.fail("has a profile that cannot be read");
    } else {
      results.profile = profile.get<std::string>();
    }
  }
  if (reader.has("codec")) {
    const auto codec = line_codec_from_string(reader.text("codec", 64));
    if (!codec) reader.fail("has an unknown codec");
    results.codec = codec.value_or(LineCodec::g711);
  }
  if (reader.has("simulated") && !json.at("simulated").is_null()) {
    for (const auto& [direction, part] : reader.object("simulated").items()) {
      if (!is_name(direction) || results.simulated.size() >= 64) {
        reader.fail("has a direction with an invalid name");
        break;
      }
      auto conditions = conditions_from_json(part, where + ", direction " + direction);
      if (!conditions) return conditions.error();
      results.simulated[direction] = *conditions;
    }
  }
  if (reader.fault()) return *reader.fault();
  return success();
}

namespace {

Json to_json(const PrecisionGoal& goal) {
  Json json{{"half_width", goal.half_width}, {"confidence", goal.confidence}};
  if (goal.together > 1) json["together"] = goal.together;
  return json;
}

PrecisionGoal goal_from_json(Reader& parent, const char* key) {
  Reader reader(parent.object(key), parent.where() + ", " + key);
  PrecisionGoal goal;
  goal.half_width = reader.number("half_width", 0, 4);
  goal.confidence = reader.number("confidence", 0, 1);
  if (reader.has("together")) goal.together = reader.whole("together", 1, 2);
  if (reader.fault()) parent.fail("has an invalid goal: " + reader.fault()->message);
  return goal;
}

}  // namespace

Json to_json(const SamplerOptions& options) {
  Json json;
  json["first_count"] = options.first_count;
  json["step"] = options.step;
  json["cap_count"] = options.cap_count;
  json["max_failures"] = options.max_failures;
  json["goal"] = to_json(options.goal);
  if (options.goal_of != GoalOf::each_stimulus) json["goal"]["of"] = to_string(options.goal_of);
  if (options.goal_of == GoalOf::above) {
    json["goal"]["limit_mos"] = options.limit.mos;
    json["goal"]["model_error_mos"] = options.limit.model_error;
  }
  json["fallback"] = options.fallback ? to_json(*options.fallback) : Json(nullptr);
  return json;
}

Result<SamplerOptions> sampling_from_json(const Json& json, const std::string& where) {
  Reader reader(json, where);
  SamplerOptions options;
  options.first_count = reader.whole("first_count", 2, UINT32_MAX);
  options.step = reader.whole("step", 1, UINT32_MAX);
  options.cap_count = reader.whole("cap_count", 2, UINT32_MAX);
  options.max_failures = reader.whole("max_failures", 1, UINT32_MAX);
  options.goal = goal_from_json(reader, "goal");
  if (Reader goal(reader.object("goal"), where + ", goal"); goal.has("of")) {
    const auto of = goal_of_from_string(goal.text("of", 64));
    if (!of) goal.fail("is of an unknown kind");
    options.goal_of = of.value_or(GoalOf::each_stimulus);
    if (options.goal_of == GoalOf::above)
      options.limit = {goal.number("limit_mos", 1, 5), goal.number("model_error_mos", 0, 5)};
    if (goal.fault()) return *goal.fault();
  }
  options.fallback.reset();
  if (reader.has("fallback") && !json.at("fallback").is_null()) options.fallback = goal_from_json(reader, "fallback");
  if (reader.fault()) return *reader.fault();
  if (const Status valid = validate(options); !valid)
    return Error{ErrorCode::bad_input, where + ": " + valid.error().message};
  return options;
}

Json model_error_to_json(const Provenance& provenance) {
  const bool known = provenance.model_error_mos > 0;
  Json json;
  json["mos"] = known ? rounded(provenance.model_error_mos, 1e-4) : Json(nullptr);
  json["sigmas"] = 1;
  json["against"] = known ? Json(provenance.model_error_label) : Json(nullptr);
  json["source"] = known ? Json(provenance.model_error_source) : Json(nullptr);
  return json;
}

Status model_error_from_json(const Json& json, const std::string& where, Provenance& provenance) {
  Reader reader(json, where);
  provenance.model_error_mos = reader.optional_number("mos", 0, 5).value_or(0);
  provenance.model_error_label = reader.optional_text("against", 4096);
  provenance.model_error_source = reader.optional_text("source", 4096);
  if (reader.fault()) return *reader.fault();
  return success();
}

Status head_from_json(const Json& json, const std::string& where, RunResults& results, Provenance& provenance) {
  Reader reader(json, where);
  provenance.software_version = reader.text("software_version", 64);
  provenance.score_version = reader.text("score_version", 64);
  results.mode = mode_from(reader, provenance.score_version);
  results.seed = reader.whole("seed", 0, UINT64_MAX);
  // Older files lack it; those runs used the default.
  if (reader.has("guard_s")) results.guard_s = reader.number("guard_s", 0.05, 1);
  results.corpus_digest = reader.optional_text("corpus_digest", 128);
  if (reader.has("about")) {
    auto about = about_from_json(json.at("about"), where + ", about");
    if (!about) return about.error();
    results.about = *std::move(about);
  }
  const Json &sampling = reader.object("sampling"), &line = reader.object("line");
  const Json& model_error = reader.object("model_error");
  if (reader.fault()) return *reader.fault();
  auto options = sampling_from_json(sampling, where + ", sampling");
  if (!options) return options.error();
  results.sampling = *options;
  if (Status taken = line_from_json(line, where + ", line", results); !taken) return taken;
  return model_error_from_json(model_error, where + ", model_error", provenance);
}

}  // namespace vqas::store
