#include "vqas/score/outcome.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace vqas {
namespace {

TEST(Outcome, NamesConvertBackToTheirOutcomes) {
  std::set<std::string> names;
  for (const Outcome outcome : kAllOutcomes) {
    const auto name = to_string(outcome);
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(outcome_from_string(name), outcome) << name;
    names.emplace(name);
  }
  EXPECT_EQ(names.size(), kAllOutcomes.size());
}

TEST(Outcome, NamesAreThoseOfTheResults) {
  EXPECT_EQ(to_string(Outcome::scored), "scored");
  EXPECT_EQ(to_string(Outcome::not_found), "not_found");
  EXPECT_EQ(to_string(Outcome::not_aligned), "not_aligned");
  EXPECT_EQ(to_string(Outcome::no_speech), "no_speech");
  EXPECT_EQ(to_string(Outcome::too_short), "too_short");
  EXPECT_EQ(to_string(Outcome::clipped_input), "clipped_input");
  EXPECT_EQ(to_string(Outcome::bad_input), "bad_input");
  EXPECT_EQ(to_string(Outcome::audio_fault), "audio_fault");
  EXPECT_EQ(to_string(Outcome::line_lost), "line_lost");
  EXPECT_EQ(to_string(Outcome::cancelled), "cancelled");
}

TEST(Outcome, OtherNamesAreRefused) {
  for (const char* name : {"", "Scored", "scored ", "failed"}) EXPECT_FALSE(outcome_from_string(name)) << name;
}

}  // namespace
}  // namespace vqas
