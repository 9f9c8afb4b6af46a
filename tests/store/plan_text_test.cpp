#include "vqas/store/plan_text.h"

#include <gtest/gtest.h>

#include <regex>

namespace vqas {
namespace {

CampaignPlan plan_of(const std::string& text) {
  const auto plan = parse_plan(text, "/plans/plan.toml");
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *plan : CampaignPlan{};
}

constexpr const char* kOfNodes = R"(
[campaign]
name = "winter \"A\""
notes = "two\nlines"
[tags]
circuit-id = "A7"
[line]
kind = "nodes"
node_a = "ws://127.0.0.1:7811"
node_b = "wss://192.0.2.7:7812"
echo_loss_db = 50
guard_s = 0.6
within_s = 20
duplex = "one"
redial = "./dial.sh"
redial_s = 20
link_patience_s = 60
[stimuli]
corpus = "mine"
stimuli = ["M6", "F1"]
directions = "b-to-a"
[precision]
goal = "above"
half_width_mos = 0.2
confidence_percent = 99.99
fallback_half_width_mos = 0.3
fallback_confidence_percent = 90
first_count = 6
step = 2
cap_count = 20
max_unscored = 7
cap_line_time_min = 10
limit_mos = 3.5
seed = 77
[repeats]
at = ["09:30", "17:00"]
zone = "Europe/Berlin"
for_h = 48
late_min = 5
retry_min = 1
[store]
url = "runs.db"
recordings = "failed"
recordings_cap_mb = 500
[keep]
recordings = "chosen"
worst = 3
sample = 4
days = 30
cap_mb = 1000
[hooks]
run_ended = ["tell", "a b"]
verdict_changed = ["tell"]
line_changed = ["tell"]
disk_full = ["tell"]
time_limit_s = 30
attempts = 3
dead_after_s = 90
)";

TEST(PlanText, IsReadAsTheSamePlan) {
  for (const std::string text :
       {kOfNodes, "[line]\nkind = \"sim:\"\nber = 1e-3\n[repeats]\nevery_min = 15\nfor_h = 24\n",
        "[line]\nkind = \"sim:\"\nprofile = \"thunderstorm\"\n[precision]\nfallback = false\n"}) {
    const std::string once = plan_text(plan_of(text));
    EXPECT_EQ(plan_text(plan_of(once)), once);
  }
}

TEST(PlanText, HasEveryKeyOfAPlan) {
  const std::string printed = plan_text(plan_of(kOfNodes)) +
                              plan_text(plan_of("[line]\nkind = \"sim:\"\n[repeats]\nevery_min = 15\nfor_h = 24\n")) +
                              plan_text(plan_of("[line]\nkind = \"sim:\"\nprofile = \"thunderstorm\"\n")) +
                              plan_text(plan_of("[line]\nkind = \"sim:\"\ncodec = \"g722\"\nmode = \"both\"\n"));
  const std::string keys = commented_plan();
  const std::regex key(R"re((?:^|\n)(?:# )?([a-z_]+) = )re");
  std::size_t count = 0;
  for (std::sregex_iterator one(keys.begin(), keys.end(), key), end; one != end; ++one) {
    const std::string name = (*one)[1];
    if (name == "customer" || name == "site" || name == "circuit" || name == "equipment") continue;
    EXPECT_NE(printed.find("\n" + name + " = "), std::string::npos) << name;
    ++count;
  }
  EXPECT_GT(count, 40U);
}

TEST(PlanText, LeavesOutWhatThePlanDoesNotUse) {
  const std::string text = plan_text(plan_of("[line]\nkind = \"sim:\"\n"));
  for (const char* const table : {"[repeats]", "[store]", "[keep]", "[hooks]", "[tags]"})
    EXPECT_EQ(text.find(table), std::string::npos) << table;
}

}  // namespace
}  // namespace vqas
