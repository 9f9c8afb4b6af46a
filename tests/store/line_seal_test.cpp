#include "store/journal/line_seal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/journals.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

using store::SealChain;
using ::testing::HasSubstr;

TEST(LineSeal, UnsealingReturnsTheObjectAndItsPredecessor) {
  for (const std::string object : {R"({"a":1,"b":{"c":"}"}})", "{}"}) {
    const auto first = store::unseal(store::seal(object, ""));
    EXPECT_TRUE(first.sealed && first.intact) << object;
    EXPECT_EQ(first.object, object);
    const auto second = store::unseal(store::seal(object, first.digest));
    EXPECT_EQ(second.after, first.digest);
    EXPECT_NE(second.digest, first.digest) << "it depends on the line before";
  }
}

TEST(LineSeal, ALineWithoutASealIsUnsealed) {
  for (const std::string line : {R"({"a":1})", "", R"(","digest":"0123456789abcdef"})"}) {
    const auto plain = store::unseal(line);
    EXPECT_FALSE(plain.sealed) << line;
    EXPECT_EQ(plain.object, line);
  }
}

class SealedJournal : public ::testing::Test {
 protected:
  void SetUp() override {
    const RunResults run = test::sample_run();
    auto journal = RunJournal::create(folder_.path(), run);
    ASSERT_TRUE(journal);
    for (const DirectionRun& direction : run.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements)
          ASSERT_TRUE(journal->append(direction.from, stimulus.stimulus, one));
      }
    }
    ASSERT_TRUE(journal->close(run));
    const std::string text = test::read_text(file());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at) + 1;
      lines_.push_back(text.substr(at, end - at));
      at = end;
    }
    ASSERT_GT(lines_.size(), 10U);
  }
  std::filesystem::path file() const { return folder_.path() / kJournalFile; }
  Result<StoredRun> read(const std::vector<std::string>& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line;
    test::write_text(file(), text);
    return read_stored_run(folder_.path());
  }
  static bool is_told(const Result<StoredRun>& run) { return !run || !run->results.is_complete(); }

  test::TemporaryFolder folder_;
  std::vector<std::string> lines_;
};

TEST_F(SealedJournal, AnIntactJournalIsReadWithoutARemark) {
  const auto run = read(lines_);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->sealed);
  EXPECT_EQ(run->damaged, 0U);
  EXPECT_EQ(run->results.ended_because, "");
}

TEST_F(SealedJournal, EveryDeletedLineAndChangedDigitIsDetected) {
  std::mt19937 random(20261122);
  int told = 0;
  for (int trial = 0; trial < 160; ++trial) {
    auto lines = lines_;
    const std::size_t at = random() % lines.size();
    std::string what = "line " + std::to_string(at + 1) + " deleted";
    if (trial % 2 == 0) {
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      std::vector<std::size_t> digits;
      for (std::size_t n = 0; n < lines[at].size(); ++n) {
        if (lines[at][n] >= '0' && lines[at][n] <= '9') digits.push_back(n);
      }
      char& digit = lines[at][digits[random() % digits.size()]];
      const char other = static_cast<char>('0' + (digit - '0' + 1 + random() % 9) % 10);
      what = "line " + std::to_string(at + 1) + ": " + digit + " made " + other;
      digit = other;
    }
    const bool noticed = is_told(read(lines));
    EXPECT_TRUE(noticed) << what;
    told += noticed ? 1 : 0;
  }
  EXPECT_EQ(told, 160);
}

TEST_F(SealedJournal, ChangedAndRemovedLinesAreDistinguishedAndTheOthersKept) {
  auto changed = lines_;
  const std::size_t score = changed[3].find("\"mos_lqo\":");
  ASSERT_NE(score, std::string::npos);
  char& digit = changed[3][score + 10];
  digit = digit == '3' ? '2' : '3';
  const auto one = read(changed);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->damaged, 1U);
  EXPECT_THAT(one->results.ended_because, HasSubstr("line 4: does not match its digest"));

  auto shorter = lines_;
  shorter.erase(shorter.begin() + 3);
  const auto other = read(shorter);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->damaged, 1U);
  EXPECT_THAT(other->results.ended_because, HasSubstr("line 4: follows a missing line"));

  auto swapped = lines_;
  std::swap(swapped[3], swapped[4]);
  EXPECT_TRUE(is_told(read(swapped)));
}

TEST_F(SealedJournal, ATornJournalCanBeResumedAndIsThenIntact) {
  auto torn = lines_;
  torn.pop_back();
  torn.back().resize(torn.back().size() / 2);
  const auto before = read(torn);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->damaged, 0U) << before->results.ended_because;
  {
    auto journal = RunJournal::resume(folder_.path(), before->results);
    ASSERT_TRUE(journal) << journal.error().message;
    RunResults ended = before->results;
    ended.ended_because.clear();
    ASSERT_TRUE(journal->close(ended));
  }
  const auto after = read_stored_run(folder_.path());
  ASSERT_TRUE(after);
  EXPECT_EQ(after->damaged, 0U);
  EXPECT_EQ(after->results.ended_because, "");
}

TEST_F(SealedJournal, AnUnsealedJournalIsReadWithARemark) {
  std::vector<std::string> older;
  for (const std::string& line : lines_) older.push_back(test::without_digests(line));
  ASSERT_NE(older.front(), lines_.front());
  const auto run = read(older);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->sealed);
  EXPECT_EQ(run->results.ended_because, "");

  // Lines added by a resumed run have digests.
  {
    auto journal = RunJournal::resume(folder_.path(), run->results);
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->close(run->results));
  }
  const auto longer = read_stored_run(folder_.path());
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->damaged, 0U) << longer->results.ended_because;
  std::string text = test::read_text(file());
  text.erase(text.rfind('\n', text.size() - 2) + 1);
  const std::string end = test::read_text(file()).substr(text.size());
  const std::size_t resumed = text.rfind('\n', text.size() - 2) + 1;
  test::write_text(file(), text.substr(0, resumed) + end);
  EXPECT_TRUE(is_told(read_stored_run(folder_.path()))) << "the line of the resumed run is missing";
}

}  // namespace
}  // namespace vqas
