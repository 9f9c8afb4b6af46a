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

TEST(BestPath, OneFrameIsEnough) {
  BestPath path;
  path.run(evidence_of(1, 2, [](int) { return 1; }), std::vector{-500, 0}, kCosts);
  ASSERT_EQ(path.path().size(), 1U);
  EXPECT_EQ(path.path()[0], 1);
}

}  // namespace
}  // namespace vqas::scoring
