// A transmission counts once, however often a listener over the line alone hears it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "node/line_only/status_marks.h"
#include "run/measurement_limits.h"
#include "support/places.h"
#include "vqas/node/line_only.h"
#include "vqas/sync/transmission.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What was recorded, and then no line any more.
class RecordedLine : public Line {
 public:
  explicit RecordedLine(std::vector<float> samples) : samples_(std::move(samples)) {}
  LineDescription description() const override {
    LineDescription description;
    description.name = "recorded:";
    description.virtual_time = true;
    return description;
  }
  Result<BlockTime> exchange(std::span<const float>, std::span<float> heard, Round) override {
    if (at_ >= samples_.size()) return Error{ErrorCode::line_lost, "the recording is over"};
    const std::size_t count = std::min(heard.size(), samples_.size() - at_);
    std::fill(std::copy_n(samples_.begin() + static_cast<std::ptrdiff_t>(at_), count, heard.begin()), heard.end(),
              0.0F);
    const auto block = static_cast<std::uint64_t>(at_ / kLineBlock);
    at_ += count;
    return BlockTime{block, static_cast<std::int64_t>(block) * 20'000'000, false};
  }
  void interrupt() override {}

 private:
  const std::vector<float> samples_;
  std::size_t at_ = 0;
};

class HeardAgain : public ::testing::Test {
 protected:
  void SetUp() override {
    auto loaded = Corpus::load(std::string(test::source_dir()) + "/corpus");
    ASSERT_TRUE(loaded) << loaded.error().message;
    corpus_ = std::move(loaded).value();
    plan_.kept = [](const std::string& stimulus, const Measurement& one, const Signal&) {
      return Result<std::string>(stimulus + std::to_string(one.sequence));
    };
    plan_.noticed = [this](const std::string& what) { noticed_.push_back(what); };
    plan_.answers = false;
  }
  // Adds what a sender sends under these numbers, and its farewell.
  void send(std::uint32_t run_id, std::uint32_t first, std::uint32_t last) {
    const std::uint16_t digest = short_digest(corpus_->digest());
    const auto add = [this](const std::vector<float>& samples) {
      stream_.insert(stream_.end(), samples.begin(), samples.end());
      stream_.resize(stream_.size() + 4000, 0.0F);
    };
    for (std::uint32_t n = first; n <= last; ++n) {
      const std::size_t stimulus = stimulus_of(run_id, n, corpus_->stimuli().size());
      const MarkData data{End::a, run_id, static_cast<std::uint8_t>(stimulus), static_cast<std::uint16_t>(n), digest};
      add(compose_transmission(corpus_->recording(corpus_->stimuli()[stimulus].id).value(), data, {}).signal.samples);
    }
    add(make_leading_mark(sign_mark({.farewell = true}, End::a, run_id, static_cast<std::uint16_t>(last), digest)));
  }
  // Hears what was sent, from its beginning on.
  Result<ListenResults> listen() {
    RecordedLine line(stream_);
    const std::atomic<bool> cancelled = false;
    return listen_on_line(line, *corpus_, plan_, cancelled);
  }
  // The same, into the run of before.
  void hear() {
    auto heard = listen();
    ASSERT_TRUE(heard) << heard.error().message;
    plan_.earlier = heard->results;
    repeated_ = heard->repeated;
    counted_.clear();
    sequences_.clear();
    for (const StimulusRun& stimulus : heard->results.directions.at(0).stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        EXPECT_EQ(one.outcome, Outcome::scored);
        ASSERT_TRUE(one.sent_as);
        EXPECT_TRUE(counted_.emplace(one.sent_as->run_id, one.sent_as->number).second);
        EXPECT_TRUE(sequences_.insert(one.sequence).second);
        EXPECT_EQ(impossible(one), std::nullopt) << "a run that is measured can be read";
      }
    }
  }

  std::optional<Corpus> corpus_;
  ListenPlan plan_;
  std::vector<float> stream_;
  std::vector<std::string> noticed_;
  std::size_t repeated_ = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> counted_;  // run id and number
  std::set<std::uint32_t> sequences_;
};

TEST_F(HeardAgain, ARecordingThatIsResumedFromItsBeginningCountsOnce) {
  send(7, 1, 3);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 3U);
  EXPECT_THAT(noticed_, IsEmpty());
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 3U);
  EXPECT_EQ(sequences_.size(), 3U);
  EXPECT_EQ(repeated_, 3U);
  ASSERT_EQ(noticed_.size(), 1U) << "once, not for each";
  EXPECT_THAT(noticed_[0], HasSubstr("not counted again"));
}

TEST_F(HeardAgain, WhatARecordingHasGrownByCounts) {
  send(7, 1, 2);
  ASSERT_NO_FATAL_FAILURE(hear());
  send(7, 3, 4);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 4U);
  EXPECT_EQ(repeated_, 2U);
}

TEST_F(HeardAgain, ASenderThatIsStartedAnewWithItsRunIdSendsWhatWasCounted) {
  send(7, 1, 2);
  send(7, 1, 3);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 3U);
  EXPECT_EQ(repeated_, 2U);
}

TEST_F(HeardAgain, ASenderWithAnotherRunIdSendsNewTransmissions) {
  send(7, 1, 2);
  send(8, 1, 2);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 4U);
  stream_.clear();
  send(9, 1, 2);
  send(7, 2, 3);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 7U) << "two of the new one, one more of the first";
  EXPECT_EQ(repeated_, 1U);
  EXPECT_EQ(sequences_.size(), 7U);
}

TEST_F(HeardAgain, ARaisedCapTakesWhatWasHeardAndNotCounted) {
  const auto count = static_cast<std::uint32_t>(corpus_->stimuli().size());
  plan_.sampling.first_count = plan_.sampling.cap_count = 2;
  send(7, 1, 2 * count + 1);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 2 * count);
  plan_.sampling.first_count = plan_.sampling.cap_count = 3;
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(counted_.size(), 2 * count + 1);
  EXPECT_EQ(repeated_, 2 * count);
}

TEST_F(HeardAgain, NumbersOfTheRunEndWhereTheyCanBeReadNoMore) {
  send(8, 40000, 40001);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(sequences_, (std::set<std::uint32_t>{40000, 40001})) << "the sender's own";
  stream_.clear();
  send(9, 40000, 40001);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(sequences_, (std::set<std::uint32_t>{40000, 40001, 40002, 40003}));
  stream_.clear();
  send(10, kLastSequence, kLastSequence);
  send(11, 1, 1);
  plan_.earlier.reset();
  const auto heard = listen();
  ASSERT_FALSE(heard) << "a sender never goes beyond the last number, nor does a run";
  EXPECT_EQ(heard.error().code, ErrorCode::bad_input);
  EXPECT_THAT(heard.error().message, HasSubstr("another folder"));
}

TEST_F(HeardAgain, ANumberWhoseMeasurementIsLostIsNotGivenAgain) {
  send(7, 1, 1);
  ASSERT_NO_FATAL_FAILURE(hear());
  plan_.last_sequence = 12;
  stream_.clear();
  send(8, 1, 1);
  ASSERT_NO_FATAL_FAILURE(hear());
  EXPECT_EQ(sequences_, (std::set<std::uint32_t>{1, 13}));
}

TEST_F(HeardAgain, ARunOfAnotherLineIsNotResumed) {
  send(7, 1, 1);
  ASSERT_NO_FATAL_FAILURE(hear());
  plan_.earlier->equipment["b"] = "another device";
  const auto heard = listen();
  ASSERT_FALSE(heard);
  EXPECT_EQ(heard.error().code, ErrorCode::bad_input);
  EXPECT_THAT(heard.error().message, HasSubstr("another device"));
}

TEST_F(HeardAgain, ARunOfTheOtherDirectionIsNotResumed) {
  send(7, 1, 1);
  ASSERT_NO_FATAL_FAILURE(hear());
  plan_.end = End::a;
  const auto heard = listen();
  ASSERT_FALSE(heard);
  EXPECT_THAT(heard.error().message, HasSubstr("--end b"));
}

}  // namespace
}  // namespace vqas
