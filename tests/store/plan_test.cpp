#include "vqas/store/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "run/run_json.h"
#include "support/temporary_folder.h"
#include "vqas/channel/profile_library.h"
#include "vqas/store/plan_text.h"

namespace vqas {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string fault_of(const std::string& text) {
  const auto plan = parse_plan(text, "plan.toml");
  return plan ? std::string() : plan.error().message;
}

TEST(Plan, ThePrintedPlanCanBeReadAndHoldsTheDefaults) {
  const auto printed = parse_plan(commented_plan(), "plan.toml");
  ASSERT_TRUE(printed) << printed.error().message;
  const auto least = parse_plan("[line]\nkind = \"sim:\"\n", "plan.toml");
  ASSERT_TRUE(least) << least.error().message;
  EXPECT_EQ(printed->ber, least->ber);
  EXPECT_EQ(printed->delay_s, least->delay_s);
  EXPECT_EQ(printed->within_s, least->within_s);
  EXPECT_EQ(printed->sampling.goal_of, GoalOf::mean);
  EXPECT_EQ(least->sampling.goal_of, GoalOf::mean);
  EXPECT_EQ(printed->sampling.goal.half_width, least->sampling.goal.half_width);
  EXPECT_DOUBLE_EQ(printed->sampling.goal.confidence, least->sampling.goal.confidence);
  EXPECT_DOUBLE_EQ(printed->sampling.fallback->confidence, least->sampling.fallback->confidence);
  EXPECT_EQ(printed->sampling.cap_count, least->sampling.cap_count);
  EXPECT_EQ(printed->sampling.max_failures, least->sampling.max_failures);
  EXPECT_EQ(printed->seed, least->seed);
  EXPECT_EQ(printed->every_s, least->every_s);
  EXPECT_EQ(printed->archive.keep, least->archive.keep);
}

TEST(Plan, EveryPrintedProfileLoads) {
  const std::regex named(R"re(#? *profile = "([^"]+)")re");
  const std::string text = commented_plan();
  std::size_t count = 0;
  for (std::sregex_iterator one(text.begin(), text.end(), named), end; one != end; ++one, ++count) {
    EXPECT_TRUE(find_profile((*one)[1])) << (*one)[1];
    const auto plan = parse_plan("[line]\nkind = \"sim:\"\nprofile = \"" + (*one)[1].str() + "\"\n", "plan.toml");
    EXPECT_TRUE(plan);
  }
  EXPECT_GT(count, 0U);
}

TEST(Plan, EveryKeyIsRead) {
  const auto plan = parse_plan(R"(
[campaign]
name = "winter"
[tags]
site = "north"
"circuit-id" = "A7"
[line]
kind = "nodes"
node_a = "ws://127.0.0.1:7811"
node_b = "ws://127.0.0.1:7812"
echo_loss_db = 50
guard_s = 0.6
duplex = "one"
redial = "./dial.sh"
redial_s = 20
link_patience_s = 60
[stimuli]
corpus = "mine"
stimuli = ["M6", "F1"]
directions = "b-to-a"
[precision]
half_width_mos = 0.2
confidence_percent = 95
fallback = false
cap_line_time_min = 10
limit_mos = 3.5
seed = 77
[repeats]
every_min = 15
for_h = 24
[store]
url = "postgresql://vqas@db/vqas"
recordings = "failed"
recordings_cap_mb = 500
)",
                               "/home/plans/plan.toml");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->tags.at("circuit-id"), "A7");
  EXPECT_EQ(plan->corpus, "/home/plans/mine");
  EXPECT_THAT(plan->stimuli, ElementsAre("M6", "F1"));
  EXPECT_FALSE(plan->a_to_b);
  EXPECT_DOUBLE_EQ(plan->sampling.goal.confidence, 0.95);
  EXPECT_FALSE(plan->sampling.fallback);
  EXPECT_EQ(plan->cap_line_time_s, 600);
  EXPECT_EQ(plan->limit_mos, 3.5);
  EXPECT_EQ(plan->echo_loss_db, 50);
  EXPECT_EQ(plan->guard_s, 0.6);
  EXPECT_EQ(plan->duplex, Duplex::one);
  EXPECT_EQ(plan->redial, "./dial.sh");
  EXPECT_EQ(plan->redial_s, 20);
  EXPECT_EQ(plan->link_patience_s, 60);
  EXPECT_EQ(plan->every_s, 900);
  EXPECT_EQ(plan->archive.keep, KeepRecordings::failed);
  EXPECT_EQ(plan->archive.cap_bytes, 500'000'000U);
  EXPECT_EQ(count_of_runs(*plan), 96U);
}

TEST(Plan, MeansThatHoldTogetherHaveTheirGoalsAtTheRootOfTheConfidence) {
  const auto with = [](const std::string& directions, const std::string& precision) {
    return parse_plan(
        "[line]\nkind = \"sim:\"\n[stimuli]\ndirections = \"" + directions + "\"\n[precision]\n" + precision,
        "plan.toml");
  };
  const auto both = with("both", "together = true\nconfidence_percent = 99\n");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_NEAR(both->sampling.goal.confidence, std::sqrt(0.99), 1e-12);
  EXPECT_NEAR(both->sampling.fallback->confidence, std::sqrt(0.95), 1e-12);
  const std::string again = plan_text(*both);
  EXPECT_THAT(again, HasSubstr("confidence_percent = 99\ntogether = true\n"));
  EXPECT_NEAR(parse_plan(again, "plan.toml")->sampling.goal.confidence, std::sqrt(0.99), 1e-12);
  const auto kept = store::sampling_from_json(store::to_json(both->sampling), "results");
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->goal.together, 2U);
  EXPECT_DOUBLE_EQ(with("a-to-b", "together = true\n")->sampling.goal.confidence, 0.99) << "one statement";
  const auto refused = with("both", "together = true\ngoal = \"each-stimulus\"\n");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("together is for goal"));
}

TEST(Plan, StatesItsGoal) {
  const auto with = [](const std::string& precision) {
    return parse_plan("[line]\nkind = \"sim:\"\n[precision]\n" + precision, "plan.toml");
  };
  EXPECT_EQ(with("goal = \"each-stimulus\"\n")->sampling.goal_of, GoalOf::each_stimulus);
  const auto above = with("goal = \"above\"\nlimit_mos = 3.2\n");
  ASSERT_TRUE(above) << above.error().message;
  EXPECT_EQ(above->sampling.limit.mos, 3.2);
  EXPECT_GT(above->sampling.limit.model_error, 0);
  const auto minutes = with("goal = \"line-time\"\ncap_line_time_min = 4\n");
  ASSERT_TRUE(minutes) << minutes.error().message;
  EXPECT_EQ(minutes->sampling.cap_count, 1000U);
  for (const auto& [text, needed] : {std::pair{"goal = \"above\"\n", "limit_mos"},
                                     {"goal = \"line-time\"\n", "cap_line_time_min"},
                                     {"goal = \"median\"\n", "each-stimulus"}}) {
    const auto refused = with(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().message, HasSubstr(needed));
  }
}

TEST(Plan, UnknownKeysAreRefusedWithTheirLine) {
  EXPECT_THAT(fault_of("[line]\nkind = \"sim:\"\nbear = 1e-3\n"),
              StartsWith("plan.toml:3: \"bear\" is not a key of [line]"));
  EXPECT_THAT(fault_of("[line]\nkind = \"sim:\"\n\n[storage]\nurl = 1\n"),
              StartsWith("plan.toml:4: \"storage\" is not a key"));
  EXPECT_THAT(fault_of("[line]\nkind = \"sim:\"\n[precision]\nhalf_width = 0.1\n"), HasSubstr("half_width_mos"));
}

TEST(Plan, ImpossibleValuesAreRefusedWithTheirLine) {
  const std::string line = "[line]\nkind = \"sim:\"\n";
  EXPECT_THAT(fault_of(line + "ber = 0.7\n"), StartsWith("plan.toml:3:"));
  EXPECT_THAT(fault_of(line + "ber = \"high\"\n"), HasSubstr("a number"));
  EXPECT_THAT(fault_of(line + "node_a = \"ws://x:1\"\n"), HasSubstr("its own nodes"));
  EXPECT_THAT(fault_of(line + "profile = \"storm\"\nber = 1e-3\n"), HasSubstr("leave ber"));
  EXPECT_THAT(fault_of(line + "[repeats]\nevery_min = 15\n"), HasSubstr("both"));
  EXPECT_THAT(fault_of(line + "[repeats]\nevery_min = 60\nfor_h = 0.5\n"), HasSubstr("shorter"));
  EXPECT_THAT(fault_of(line + "[repeats]\nevery_min = 0.02\nfor_h = 8000\n"),
              AllOf(StartsWith("plan.toml:4: "), HasSubstr("ask for 24000000 runs"), HasSubstr("raise every_min")));
  EXPECT_EQ(fault_of(line + "[repeats]\nevery_min = 15\nfor_h = 8784\n"), "") << "the most that is allowed";
  EXPECT_THAT(fault_of(line + "[precision]\nfirst_count = 1\n"), HasSubstr("first_count"));
  EXPECT_THAT(fault_of(line + "[precision]\nconfidence_percent = 0.99\n"), HasSubstr("confidence_percent"));
  EXPECT_THAT(fault_of(line + "[precision]\nlimit_mos = 6\n"), HasSubstr("limit_mos"));
  EXPECT_THAT(fault_of(line + "[store]\nrecordings = \"some\"\n"), HasSubstr("failed"));
  EXPECT_THAT(fault_of(line + "[stimuli]\nstimuli = [1]\n"), HasSubstr("texts"));
  EXPECT_THAT(fault_of(line + "[tags]\n\"a b\" = \"x\"\n"), HasSubstr("tag"));
  EXPECT_THAT(fault_of("[line]\nkind = \"nodes\"\n"), HasSubstr("node_a"));
  EXPECT_THAT(fault_of("[line]\nkind = \"phone\"\n"), HasSubstr("phone"));
  EXPECT_THAT(fault_of(line + "guard_s = 2\n"), StartsWith("plan.toml:3:"));
  EXPECT_THAT(fault_of(line + "mode = \"wb\"\n"), HasSubstr("set codec to \"g722\""));
  EXPECT_THAT(fault_of(line + "mode = \"swb\"\n"), HasSubstr("\"nb\", \"wb\" or \"both\""));
  EXPECT_THAT(fault_of(line + "codec = \"amr\"\n"), HasSubstr("gateway"));
  EXPECT_EQ(fault_of(line + "codec = \"g722\"\nmode = \"both\"\n"), "");
  EXPECT_THAT(fault_of(line + "redial = \"./dial.sh\"\n"), HasSubstr("for nodes"));
  const std::string nodes = "[line]\nkind = \"nodes\"\nnode_a = \"ws://127.0.0.1:7811\"\n";
  const std::string node_b = "node_b = \"ws://127.0.0.1:7812\"\n";
  EXPECT_EQ(fault_of(nodes + node_b), "");
  EXPECT_THAT(fault_of(nodes + node_b + "duplex = \"half\"\n"), HasSubstr("auto"));
  for (const char* const bad : {"foo", "ws://", "http://127.0.0.1:7812", "ws://127.0.0.1", "ws://127.0.0.1:99999",
                                "ws://127.0.0.1:7812/x", "ws://127.0.0.1:7812?x", "ws://me@127.0.0.1:7812"})
    EXPECT_THAT(fault_of(nodes + "node_b = \"" + bad + "\"\n"),
                StartsWith("plan.toml:4: the address of node b is \"" + std::string(bad)));
  EXPECT_EQ(fault_of(nodes + "node_b = \"ws://127.0.0.1:7812/\"\n"), "");
  EXPECT_THAT(fault_of(nodes + "node_b = \"127.0.0.1:7812\"\n"), HasSubstr("write ws://127.0.0.1:7812"));
  EXPECT_THAT(fault_of(""), HasSubstr("[line]"));
  EXPECT_THAT(fault_of("[line\n"), StartsWith("plan.toml:1:"));
  EXPECT_THAT(read_plan("/nowhere/plan.toml").error().message, HasSubstr("vqas plan new"));
}

TEST(Plan, TimesOfDayAreReadInTheirOrderWithTheirZone) {
  const auto plan = parse_plan(
      "[line]\n[repeats]\nat = [\"17:00\", \"09:05\"]\nzone = \"Europe/Berlin\"\nfor_h = 672\n", "plan.toml");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->at_min, (std::vector<int>{545, 1020}));
  EXPECT_EQ(plan->zone, "Europe/Berlin");
  // The database knows this zone, its list of places does not.
  EXPECT_TRUE(parse_plan("[line]\n[repeats]\nat = [\"09:05\"]\nzone = \"Etc/UTC\"\nfor_h = 672\n", "plan.toml"));
  EXPECT_EQ(count_of_runs(*plan), 56U);
}

TEST(Plan, FaultsOfTheSlotsAreNamed) {
  const auto fault = [](const std::string& repeats) { return fault_of("[line]\n[repeats]\n" + repeats); };
  EXPECT_THAT(fault("at = [\"9:00\"]\nfor_h = 48\n"), HasSubstr("no time of day"));
  EXPECT_THAT(fault("at = [\"24:00\"]\nfor_h = 48\n"), HasSubstr("no time of day"));
  EXPECT_THAT(fault("at = [\"09:00\", \"09:00\"]\nfor_h = 48\n"), HasSubstr("twice"));
  EXPECT_THAT(fault("at = [\"09:00\"]\nevery_min = 15\nfor_h = 48\n"), HasSubstr("leave one out"));
  EXPECT_THAT(fault("at = [\"09:00\"]\n"), HasSubstr("for_h"));
  EXPECT_THAT(fault("at = [\"09:00\"]\nfor_h = 24\n"), HasSubstr("one run only"));
  EXPECT_THAT(fault("at = [\"09:00\"]\nzone = \"Europe/Nowhere\"\nfor_h = 48\n"), HasSubstr("Europe/Nowhere"));
  EXPECT_THAT(fault("zone = \"Europe/Berlin\"\n"), HasSubstr("leave it out"));
  EXPECT_THAT(fault("every_min = 15\nfor_h = 24\nretry_min = -1\n"), HasSubstr("retry_min"));
}

TEST(Plan, RulesOnRecordingsAreRead) {
  const auto plan = parse_plan(
      "[line]\n[keep]\nrecordings = \"chosen\"\nworst = 3\nsample = 0\ndays = 14.5\ncap_mb = 500\n", "plan.toml");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->keep, (KeepRules{.chosen = true, .worst = 3, .sample = 0, .days = 14.5, .cap_bytes = 500'000'000}));
  EXPECT_FALSE(CampaignPlan().keep.any());
  EXPECT_FALSE(parse_plan(commented_plan(), "plan.toml")->keep.any());
  EXPECT_THAT(fault_of("[line]\n[keep]\nrecordings = \"some\"\n"), StartsWith("plan.toml:3: recordings is \"some\""));
  EXPECT_THAT(fault_of("[line]\n[keep]\ndays = -1\n"), StartsWith("plan.toml:3: days is -1"));
}

TEST(Plan, HooksAreProgramsWithTheirArguments) {
  const auto plan = parse_plan(
      "[line]\n[precision]\nlimit_mos = 3\n[hooks]\nrun_ended = [\"logger\", \"-t\", \"vqas\"]\n"
      "verdict_changed = [\"./tell.sh\"]\nline_changed = [\"/bin/true\"]\ntime_limit_s = 5\nattempts = 2\n",
      "/plans/winter.toml");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->hooks.run_ended, ElementsAre("logger", "-t", "vqas")) << "looked for in PATH";
  EXPECT_THAT(plan->hooks.verdict_changed, ElementsAre("/plans/tell.sh")) << "relative to the plan";
  EXPECT_THAT(plan->hooks.line_changed, ElementsAre("/bin/true"));
  EXPECT_THAT(parse_plan("[line]\n[hooks]\nrun_ended = [\"./tell.sh\"]\n", "winter.toml")->hooks.run_ended,
              ElementsAre("./tell.sh"));
  EXPECT_EQ(plan->hooks.folder, "/plans");
  EXPECT_EQ(plan->hooks.time_limit_s, 5);
  EXPECT_EQ(plan->hooks.attempts, 2U);
  EXPECT_FALSE(parse_plan(commented_plan(), "plan.toml")->hooks.any());
}

TEST(Plan, HooksThatCannotWorkAreRefused) {
  const auto with = [](const std::string& hooks) { return fault_of("[line]\n[hooks]\n" + hooks + "\n"); };
  EXPECT_THAT(with("verdict_changed = [\"true\"]"), HasSubstr("needs limit_mos"));
  EXPECT_THAT(with("run_ended = [\"\"]"), HasSubstr("run_ended needs a program"));
  EXPECT_THAT(with("run_ended = \"true\""), HasSubstr("a list of texts in quotes"));
  EXPECT_THAT(with("time_limit_s = 0"), HasSubstr("time_limit_s is 0"));
  EXPECT_THAT(with("attempts = 0"), HasSubstr("attempts must lie within 1 and 100"));
  EXPECT_THAT(with("disk_fill = []"), HasSubstr("is not a key of [hooks]"));
}

}  // namespace
}  // namespace vqas
