// The likeliest path over frames: what steps, losses and skips of a planted table of evidence come out as.
#include "score/align/best_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace vqas::scoring {
namespace {

constexpr int kHop = 128;
constexpr PathCosts kCosts{.step = 11,
                           .near_step = 6,
                           .small_step = 3,
                           .begin_loss = 4.4,
                           .lost = 0.3,
                           .end_loss = 1.3,
                           .near_by = 200,
                           .small_by = 12,
                           .hop = kHop};
constexpr int kNowhere = -1;

/// 5 nats for the delay that `truth` gives a frame, -5 for any other.
std::vector<float> evidence_of(int frames, int delays, const std::function<int(int)>& truth) {
  std::vector<float> evidence;
  for (int j = 0; j < frames; ++j) {
    for (int c = 0; c < delays; ++c) evidence.push_back(truth(j) == c ? 5.0F : -5.0F);
  }
  return evidence;
}

TEST(BestPath, OneDelayIsFollowedToTheEnd) {
  BestPath path;
  path.run(evidence_of(40, 3, [](int) { return 1; }), std::vector{0, 100, 900}, kCosts);
  EXPECT_TRUE(std::all_of(path.path().begin(), path.path().end(), [](int c) { return c == 1; }));
  EXPECT_TRUE(std::all_of(path.fates().begin(), path.fates().end(), [](Fate f) { return f == Fate::received; }));
}

TEST(BestPath, AStepForwardIsTakenWhereTheEvidenceChanges) {
  BestPath path;
  path.run(evidence_of(40, 2, [](int j) { return j < 20 ? 0 : 1; }), std::vector{0, 4000}, kCosts);
  for (int j = 0; j < 40; ++j) EXPECT_EQ(path.path()[j], j < 20 ? 0 : 1) << j;
}

TEST(BestPath, AShortStretchThatDoesNotPayForTheWayBackIsNotFollowed) {
  BestPath path;
  const auto brief = evidence_of(40, 2, [](int j) { return j == 20 ? 1 : 0; });
  path.run(brief, std::vector{0, 4000}, kCosts);
  EXPECT_TRUE(std::all_of(path.path().begin(), path.path().end(), [](int c) { return c == 0; }));
}

TEST(BestPath, SpeechThatIsNowhereIsLostAndKeepsItsDelay) {
  BestPath path;
  path.run(evidence_of(60, 2, [](int j) { return j < 20 || j >= 40 ? 0 : kNowhere; }), std::vector{0, 4000}, kCosts);
  for (int j = 0; j < 60; ++j) {
    EXPECT_EQ(path.path()[j], 0) << j;
    EXPECT_EQ(path.fates()[j], j < 20 || j >= 40 ? Fate::received : Fate::lost) << j;
  }
}

// Ten frames were left out: what follows lies ten hops earlier, and nothing of the recording is used twice.
TEST(BestPath, AStepBackSkipsAsMuchOfTheReference) {
  BestPath path;
  const auto left_out = evidence_of(60, 2, [](int j) { return j < 20 ? 1 : j >= 30 ? 0 : kNowhere; });
  path.run(left_out, std::vector{0, 10 * kHop}, kCosts);
  for (int j = 0; j < 60; ++j) {
    const bool is_there = j < 20 || j >= 30;
    EXPECT_EQ(path.fates()[j] == Fate::received, is_there) << j;
    EXPECT_TRUE(!is_there || path.path()[j] == (j < 20 ? 1 : 0)) << j;
  }
  EXPECT_EQ(std::count(path.fates().begin(), path.fates().end(), Fate::received), 50);
}

// The same words twice, of which one arrived: however much speaks for its being both, it is one of them.
TEST(BestPath, APlaceIsNotUsedTwice) {
  BestPath path;
  path.run(evidence_of(60, 2, [](int j) { return j < 30 ? 1 : 0; }), std::vector{0, 30 * kHop}, kCosts);
  EXPECT_LE(std::count(path.fates().begin(), path.fates().end(), Fate::received), 31);
}

TEST(BestPath, ADriftMovesInSmallSteps) {
  BestPath path;
  path.run(evidence_of(40, 4, [](int j) { return j / 10; }), std::vector{0, 3, 6, 9}, kCosts);
  for (int j = 0; j < 40; ++j) EXPECT_EQ(path.path()[j], j / 10) << j;
}

// Loud speech says thousands of nats before it; where the pause says next to nothing that still decides.
TEST(BestPath, AStepInAPauseLiesWhereThePauseHasIt) {
  std::vector<float> evidence;
  for (int j = 0; j < 600; ++j) {
    const float first = j < 300 ? 14.0F : j < 400 ? 1e-4F : -1.0F;
    evidence.insert(evidence.end(), {first, j < 300 ? -1.0F : j < 400 ? -1e-4F : 14.0F});
  }
  BestPath path;
  path.run(evidence, std::vector{0, 1000}, kCosts);
  for (int j = 0; j < 600; ++j) ASSERT_EQ(path.path()[j], j < 400 ? 0 : 1) << j;
}

// Twenty frames of speech at the first delay, `quiet` of silence that tells nothing, and twenty at the second.
struct TwoWords {
  static constexpr int kWord = 20;
  std::vector<float> evidence;
  std::vector<float> weight;
};
TwoWords two_words(int quiet) {
  const int end = TwoWords::kWord + quiet;
  TwoWords words;
  for (int j = 0; j < end + TwoWords::kWord; ++j) {
    const bool is_first = j < TwoWords::kWord;
    const bool is_speech = is_first || j >= end;
    for (const bool says : {is_first, j >= end}) words.evidence.push_back(is_speech ? (says ? 5.0F : -5.0F) : 0.0F);
    words.weight.push_back(is_speech ? 1.0F : 0.0F);
  }
  return words;
}

int first_of_second_delay(const BestPath& path) {
  return static_cast<int>(std::find(path.path().begin(), path.path().end(), 1) - path.path().begin());
}

TEST(BestPath, AStepInSilenceSettlesInItsMiddle) {
  const TwoWords words = two_words(15);
  BestPath path;
  path.run(words.evidence, std::vector{0, 400}, kCosts);
  path.settle(words.evidence, {words.weight, 0.1});
  EXPECT_NEAR(first_of_second_delay(path), TwoWords::kWord + 7.5, 1);
}

TEST(BestPath, AStepThatSkipsSettlesWithWhatItSkips) {
  constexpr int kSkipped = 5;
  TwoWords words = two_words(15);
  for (std::size_t j = 0; j < words.weight.size(); ++j)
    std::swap(words.evidence[2 * j], words.evidence[2 * j + 1]);  // the delays ascend, and the second word is early
  BestPath path;
  path.run(words.evidence, std::vector{0, kSkipped * kHop}, kCosts);
  path.settle(words.evidence, {words.weight, 0.1});
  const auto skipped = std::find(path.fates().begin(), path.fates().end(), Fate::skipped) - path.fates().begin();
  EXPECT_NEAR(static_cast<double>(skipped), TwoWords::kWord + (15 - kSkipped) / 2.0, 1);
  EXPECT_EQ(std::count(path.fates().begin(), path.fates().end(), Fate::skipped), kSkipped - 1) << "frames overlap";
  EXPECT_EQ(std::count(path.fates().begin(), path.fates().end(), Fate::lost), 0);
  for (int j = 0; j < TwoWords::kWord; ++j) EXPECT_EQ(path.path()[j], 1) << j;
  for (std::size_t j = words.weight.size() - TwoWords::kWord; j < words.weight.size(); ++j)
    EXPECT_EQ(path.path()[j], 0) << j;
}

// Each frame that changes its side costs so much.
TwoWords told_by(double nats, int told) {
  TwoWords words = two_words(15);
  for (int j = TwoWords::kWord; j < TwoWords::kWord + 15; ++j)
    words.evidence[2 * static_cast<std::size_t>(j) + (j < told ? 0 : 1)] = static_cast<float>(nats);
  return words;
}

TEST(BestPath, AStepStaysWhereThePauseSaysMoreThanASmallStep) {
  for (const int told : {TwoWords::kWord + 2, TwoWords::kWord + 12}) {
    const TwoWords words = told_by(kCosts.small_step + 0.1, told);
    BestPath path;
    path.run(words.evidence, std::vector{0, 400}, kCosts);
    path.settle(words.evidence, {words.weight, 0.1});
    EXPECT_EQ(first_of_second_delay(path), told);
  }
}

// Half of it a frame: the step has room for two frames to the word that is near, and to the other side for no more.
TEST(BestPath, AStepMovesByNoMoreThanASmallStepCosts) {
  for (const bool is_early : {true, false}) {
    const int told = TwoWords::kWord + (is_early ? 0 : 15);
    const TwoWords words = told_by(kCosts.small_step / 2 - 0.1, told);
    BestPath path;
    path.run(words.evidence, std::vector{0, 400}, kCosts);
    ASSERT_EQ(first_of_second_delay(path), told);
    path.settle(words.evidence, {words.weight, 0.1});
    EXPECT_EQ(first_of_second_delay(path), told + (is_early ? 1 : -1));
  }
}

// The first has the middle of what is in front of the second, and all frames of speech keep their delays.
TEST(BestPath, TwoStepsInOneSilenceStayInOrder) {
  const TwoWords words = two_words(20);
  std::vector<float> evidence;
  for (std::size_t j = 0; j < words.weight.size(); ++j) {
    const bool is_between = j >= TwoWords::kWord + 8 && j < TwoWords::kWord + 12;
    evidence.insert(evidence.end(),
                    {words.evidence[2 * j], is_between ? 14.0F : -5.0F * words.weight[j], words.evidence[2 * j + 1]});
  }
  BestPath path;
  path.run(evidence, std::vector{0, 400, 800}, kCosts);
  path.settle(evidence, {words.weight, 0.1});
  EXPECT_TRUE(std::is_sorted(path.path().begin(), path.path().end()));
  for (std::size_t j = 0; j < words.weight.size(); ++j) {
    if (words.weight[j] > 0) {
      EXPECT_EQ(path.path()[j], j < TwoWords::kWord ? 0 : 2) << j;
    }
    if (j >= TwoWords::kWord + 8 && j < TwoWords::kWord + 12) {
      EXPECT_EQ(path.path()[j], 1) << j;
    }
  }
}

TEST(BestPath, AStepBesideALossStaysWhereItIs) {
  TwoWords words = two_words(15);
  for (std::size_t j = TwoWords::kWord; j < TwoWords::kWord + 6; ++j)
    for (const std::size_t c : {0U, 1U}) words.evidence[2 * j + c] = -5.0F;
  BestPath path;
  path.run(words.evidence, std::vector{0, 4000}, kCosts);
  const std::vector<int> found(path.path().begin(), path.path().end());
  path.settle(words.evidence, {words.weight, 0.1});
  EXPECT_TRUE(std::ranges::equal(found, path.path()));
  EXPECT_EQ(path.fates()[TwoWords::kWord + 2], Fate::lost);
}

// However little it tells.
TEST(BestPath, AStepInSpeechStaysWhereThePathHasIt) {
  TwoWords words = two_words(15);
  words.weight.assign(words.weight.size(), 1.0F);
  BestPath path;
  path.run(words.evidence, std::vector{0, 400}, kCosts);
  const int step = first_of_second_delay(path);
  path.settle(words.evidence, {words.weight, 0.1});
  EXPECT_EQ(first_of_second_delay(path), step);
}

TEST(BestPath, OneFrameIsEnough) {
  BestPath path;
  path.run(evidence_of(1, 2, [](int) { return 1; }), std::vector{-500, 0}, kCosts);
  ASSERT_EQ(path.path().size(), 1U);
  EXPECT_EQ(path.path()[0], 1);
}

}  // namespace
}  // namespace vqas::scoring
