#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/journals.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/run/session_record.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class HostileJournal : public ::testing::Test {
 protected:
  void SetUp() override {
    const RunResults run = test::sample_run();
    auto journal = RunJournal::create(folder_.path(), run);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->append(End::a, "M1", test::scored(1, 4)));
    ASSERT_TRUE(journal->append(End::a, "M1", test::scored(2, 4.01)));
    ASSERT_TRUE(journal->close(run));
    // Lines without digests, as in an earlier release, so that only impossible content is at fault.
    text_ = test::without_digests(test::read_text(file()));
  }
  std::filesystem::path file() const { return folder_.path() / kJournalFile; }
  Result<RunResults> read(const std::string& text) const {
    test::write_text(file(), text);
    return test::read_journal(folder_.path());
  }
  std::string replaced(const std::string& what, const std::string& with) const {
    std::string changed = text_;
    const std::size_t place = changed.find(what);
    EXPECT_NE(place, std::string::npos) << what;
    return place == std::string::npos ? changed : changed.replace(place, what.size(), with);
  }
  void expect_refused(const std::string& text, const std::string& why) const {
    const auto run = read(text);
    ASSERT_FALSE(run) << why;
    EXPECT_EQ(run.error().code, ErrorCode::bad_input);
    EXPECT_THAT(run.error().message, HasSubstr(why));
    EXPECT_THAT(run.error().message, HasSubstr(kJournalFile));
  }

  /// One of the two measurements is rejected; the other one and the run are read.
  void expect_left_out(const std::string& text, const std::string& why) const {
    const auto run = read(text);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->directions[0].stimuli[0].measurements.size(), 1U) << why;
    EXPECT_THAT(run->ended_because, HasSubstr("left out"));
    EXPECT_THAT(run->ended_because, HasSubstr(why));
    EXPECT_THAT(run->ended_because, HasSubstr("line "));
  }

  std::string text_;
  test::TemporaryFolder folder_;
};

TEST_F(HostileJournal, APlanThatNamesAStimulusOrADirectionTwiceIsRefused) {
  expect_refused(replaced(R"("stimuli":["M1","F5")", R"("stimuli":["M1","F5","M1")"), "the stimulus M1 twice");
  expect_refused(replaced(R"("from":"b","to":"a","stimuli")", R"("from":"a","to":"b","stimuli")"), "twice");
}

TEST_F(HostileJournal, MissingEmptyOrAFolderIsNamed) {
  std::filesystem::remove(file());
  const auto missing = test::read_journal(folder_.path());
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr(kJournalFile));
  expect_refused("", "empty");
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  EXPECT_FALSE(test::read_journal(folder_.path()));
}

// Neither their number nor their order makes reading slow: no line looks through all others.
TEST_F(HostileJournal, AResumedRunThatLostMostOfItsNumbersHasTheRest) {
  constexpr std::uint32_t kLast = 5000;
  const std::size_t begin = text_.find('\n') + 1, end = text_.find('\n', begin) + 1;
  const std::string one = text_.substr(begin, end - begin), number = "\"sequence\":1,";
  ASSERT_NE(one.find(number), std::string::npos) << one;
  std::string text = text_.substr(0, begin), lost;
  for (std::uint32_t sequence = kLast; sequence > 0; --sequence) {
    text += std::string(one).replace(one.find(number), number.size(), "\"sequence\":" + std::to_string(sequence) + ",");
    if (sequence > 2) lost += (lost.empty() ? "" : ",") + std::to_string(sequence);
  }
  text += R"({"resumed":{"without":[{"from":"a","to":"b","sequences":[)" + lost + "]}]}}\n";
  text += std::string(one).replace(one.find(number), number.size(), "\"sequence\":" + std::to_string(kLast) + ",");
  const auto run = read(text);
  ASSERT_TRUE(run) << run.error().message;
  std::vector<std::uint32_t> numbers;
  for (const Measurement& measurement : run->directions[0].stimuli[0].measurements)
    numbers.push_back(measurement.sequence);
  EXPECT_THAT(numbers, ::testing::ElementsAre(1U, 2U, kLast));
}

TEST_F(HostileJournal, DamageBeforeTheLastLineNamesTheLine) {
  expect_left_out(replaced("\n{\"from\"", "\n{from"), "line 2");
  expect_refused("nonsense\n" + text_, "line 1");
  expect_refused("nonsense", "line 1");
}

// A foreign journal must not exhaust the stack of the code that copies its lines.
TEST_F(HostileJournal, DeeplyNestedLinesAreNotRead) {
  const std::string deep = "\"x\":" + std::string(300'000, '[') + std::string(300'000, ']') + ",";
  expect_left_out(replaced("\"measurement\":{", "\"measurement\":{" + deep), "line 2");
  expect_refused(replaced("{", "{" + deep), "line 1");
}

TEST_F(HostileJournal, ImpossibleValuesAreRejected) {
  expect_refused(replaced("vqas-journal/2", "vqas-journal/1"), "schema");
  expect_refused(replaced("\"seed\":7", "\"seed\":-7"), "seed");
  expect_refused(replaced("\"seed\":7", "\"seed\":1e400"), "line 1");
  expect_left_out(replaced("\"mos_lqo\":4.0", "\"mos_lqo\":7"), "mos_lqo");
  expect_left_out(replaced("\"mos_lqo\":4.0", "\"mos_lqo\":null"), "mos_lqo");
  expect_left_out(replaced("\"mos_lqo\":4.0", "\"mos_lqo\":\"4\""), "mos_lqo");
  expect_left_out(replaced("\"outcome\":\"scored\"", "\"outcome\":\"not_found\""), "mos_lqo");
  expect_left_out(replaced("\"outcome\":\"scored\"", "\"outcome\":\"splendid\""), "outcome");
  expect_left_out(replaced("\"sequence\":2", "\"sequence\":1"), "sequence");
  expect_left_out(replaced("\"sequence\":2", "\"sequence\":4294967296"), "sequence");
  expect_left_out(replaced("\"stimulus\":\"M1\"", "\"stimulus\":\"M7\""), "plan");
  expect_left_out(replaced("\"recording\":\"recordings/", "\"recording\":\"../../"), "recording");
  expect_left_out(replaced("\"recording\":\"recordings/", "\"recording\":\"/recordings/"), "recording");
  expect_refused(replaced("\"first_count\":5", "\"first_count\":1"), "first_count");
  expect_refused(replaced("\"confidence\":0.99", "\"confidence\":1"), "confidence");
  expect_refused(replaced("\"law\":\"mu\"", "\"law\":\"x\""), "law");
  const auto run = read(replaced("\"stopped_because\":\"goal\"", "\"stopped_because\":\"tired\""));
  ASSERT_TRUE(run) << "the line of the end is not needed";
  EXPECT_EQ(run->directions[0].stimuli[0].measurements.size(), 2U);
  EXPECT_THAT(run->ended_because, HasSubstr("broken off"));
  EXPECT_THAT(run->ended_because, HasSubstr("stopped_because"));
  expect_refused(replaced("\"F5\"", "\"../F5\""), "name");
  expect_refused(replaced("\"a-to-b\"", "\"a/b\""), "direction");
}

// The name is valid, and that of another stimulus of the run.
TEST_F(HostileJournal, ANumberThatWasPlannedForAnotherStimulusIsLeftOut) {
  const auto plan = [this](const std::string& planned) {
    test::write_text(folder_.path() / kSessionFile,
                     R"({"schema":"vqas-session/1","session":"s","key":"k","node_a":"x","node_b":"y"})"
                     "\n" +
                         (R"({"round":1,"line_seconds":0,"planned":)" + planned + "}\n"));
  };
  plan("[[[0,1],[0,2]],[]]");
  EXPECT_EQ(read(text_)->directions[0].stimuli[0].measurements.size(), 2U);
  plan("[[[0,1],[1,2]],[]]");
  expect_left_out(text_, "not planned");
  plan("[[[0,1]],[]]");
  EXPECT_EQ(read(text_)->directions[0].stimuli[0].measurements.size(), 2U)
      << "a record with a missing line decides nothing";
}

TEST_F(HostileJournal, EndlessNestingDoesNotCrash) {
  const auto run = read(text_.substr(0, text_.find('\n') + 1) + std::string(1'000'000, '[') + "\n{}\n");
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->directions[0].stimuli[0].measurements.empty());
  EXPECT_THAT(run->ended_because, HasSubstr("left out"));
}

// Each round changes, drops or doubles a few bytes: the result is an error or a run with valid scores, never a crash.
TEST_F(HostileJournal, RandomDamageGivesAnErrorOrAValidRun) {
  std::mt19937_64 words(99);
  std::size_t refused = 0;
  for (int run = 0; run < 3000; ++run) {
    std::string text = text_;
    for (std::uint64_t change = words() % 4 + 1; change > 0; --change) {
      const std::size_t place = words() % text.size();
      switch (words() % 3) {
        case 0:
          text[place] = static_cast<char>(words() & 0xFF);
          break;
        case 1:
          text.erase(place, words() % 20);
          break;
        default:
          text.insert(place, text.substr(words() % text.size(), words() % 20));
      }
      if (text.empty()) text = "x";
    }
    const auto result = read(text);
    refused += result ? 0 : 1;
    if (!result) {
      EXPECT_FALSE(result.error().message.empty());
      continue;
    }
    for (const DirectionRun& direction : result->directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements) {
          EXPECT_EQ(one.mos_lqo.has_value(), one.outcome == Outcome::scored);
          EXPECT_GE(one.mos_lqo.value_or(1), 1);
          EXPECT_LE(one.mos_lqo.value_or(1), 4.55);
        }
      }
    }
  }
  EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace vqas
