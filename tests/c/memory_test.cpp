// Every allocation of a call fails once: the call says so, and the handle remains usable or can be destroyed.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/counted_allocations.h"
#include "support/places.h"
#include "vqas/signal/audio_file.h"
#include "vqas/vqas.h"

namespace vqas {
namespace {

/// Calls with a failing allocation further and further back until none fails. Large counts are passed in steps.
void expect_told(const char* what, const std::function<vqas_status()>& call) {
  long failures = 0;
  for (long n = 0;; n += 1 + n / 8) {
    allocations_left = n;
    allocation_failed = false;
    const vqas_status status = call();
    allocations_left = -1;
    if (!allocation_failed) {
      EXPECT_EQ(status, VQAS_OK) << what;
      break;
    }
    ASSERT_EQ(status, VQAS_NO_MEMORY) << what << ", allocation " << n;
    ++failures;
  }
  EXPECT_GT(failures, 0) << what;
}

std::vector<float> speech() {
  const auto read = read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "8k" / "M1.wav");
  return read.value().samples;
}

TEST(CInterfaceWithoutMemory, AScoreIsRefusedAndTheScorerRemainsUsable) {
  const std::vector<float> samples = speech();
  const vqas_recording pair{samples.data(), samples.size(), 8000};
  expect_told("create", [] {
    vqas_scorer* scorer = nullptr;
    const vqas_status status = vqas_scorer_create(&scorer);
    vqas_scorer_destroy(scorer);
    return status;
  });
  vqas_scorer* scorer = nullptr;
  ASSERT_EQ(vqas_scorer_create(&scorer), VQAS_OK);
  vqas_score score{};
  expect_told("score", [&] { return vqas_scorer_score(scorer, &pair, &pair, nullptr, 0, &score, sizeof score); });
  EXPECT_EQ(score.mos_lqo, 4.55);
  EXPECT_STREQ(vqas_scorer_message(scorer), "there is not enough memory");
  vqas_scorer_destroy(scorer);
}

TEST(CInterfaceWithoutMemory, ADiagnosisIsRefusedAndTheLastScoreRemains) {
  const std::vector<float> samples = speech();
  const vqas_recording pair{samples.data(), 12000, 8000};
  vqas_score_options options{};
  ASSERT_EQ(vqas_score_options_init(&options, sizeof options), VQAS_OK);
  options.diagnose = 1;
  vqas_scorer* scorer = nullptr;
  ASSERT_EQ(vqas_scorer_create(&scorer), VQAS_OK);
  const vqas_recording empty{nullptr, 0, 8000};
  vqas_score score{};
  ASSERT_EQ(vqas_scorer_score(scorer, &empty, &empty, nullptr, 0, &score, sizeof score), VQAS_OK);
  const std::string reason = vqas_scorer_reason(scorer);
  expect_told("diagnosis", [&] {
    const auto status = vqas_scorer_score(scorer, &pair, &pair, &options, sizeof options, &score, sizeof score);
    if (status != VQAS_OK) {
      EXPECT_EQ(score.outcome, VQAS_BAD_INPUT);
      EXPECT_EQ(vqas_scorer_reason(scorer), reason);
    }
    return status;
  });
  EXPECT_NE(score.diagnosed, 0);
  vqas_scorer_destroy(scorer);
}

int read_all(void* user, std::uint64_t first, std::size_t count, float* samples) {
  const auto& all = *static_cast<const std::vector<float>*>(user);
  std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), count, samples);
  return 0;
}

TEST(CInterfaceWithoutMemory, AScoreInSegmentsIsRefused) {
  std::vector<float> samples = speech();
  samples.resize(16000);
  const vqas_source source{samples.size(), 8000, read_all, &samples};
  vqas_scorer* scorer = nullptr;
  ASSERT_EQ(vqas_scorer_create(&scorer), VQAS_OK);
  vqas_score score{};
  expect_told("long score",
              [&] { return vqas_scorer_score_long(scorer, &source, &source, nullptr, 0, &score, sizeof score); });
  EXPECT_EQ(score.segments, 1U);
  vqas_scorer_destroy(scorer);
}

TEST(CInterfaceWithoutMemory, AMarkAndATransmissionAreRefused) {
  const vqas_mark_data data{VQAS_END_A, 1, 2, 3, 4};
  for (const vqas_mark_kind kind : {VQAS_LEADING, VQAS_TRAILING}) {
    std::vector<float> mark(vqas_mark_length(kind));
    expect_told("mark", [&] { return vqas_mark_make(kind, &data, mark.data(), mark.size()); });
  }
  const std::vector<float> stimulus(800);
  std::vector<float> sent(vqas_transmission_length(stimulus.size(), 0.1));
  expect_told("transmission", [&] {
    return vqas_transmission_make(stimulus.data(), stimulus.size(), &data, 0.1, sent.data(), sent.size(), nullptr);
  });
}

TEST(CInterfaceWithoutMemory, ADetectorIsRefusedOrFailsToPush) {
  const vqas_mark_data data{VQAS_END_A, 1, 2, 3, 4};
  std::vector<float> mark(vqas_mark_length(VQAS_LEADING));
  ASSERT_EQ(vqas_mark_make(VQAS_LEADING, &data, mark.data(), mark.size()), VQAS_OK);
  mark.resize(mark.size() + vqas_detector_latency());
  expect_told("detector", [&] {
    vqas_detector* detector = nullptr;
    vqas_status status = vqas_detector_create(VQAS_END_A, &detector);
    if (status == VQAS_OK) status = vqas_detector_push(detector, mark.data(), mark.size());
    vqas_mark found{};
    if (status == VQAS_OK) status = vqas_detector_next(detector, &found, sizeof found);
    vqas_detector_destroy(detector);
    return status;
  });
}

// A line and its latency are made once; then nothing is allocated.
TEST(CInterfaceWithoutMemory, ALineProcessesAndTextsAreGiven) {
  vqas_line* line = nullptr;
  ASSERT_EQ(vqas_line_create(nullptr, 0, 1, 0, &line, nullptr, 0), VQAS_OK);
  std::vector<float> samples(8000, 0.1F);
  vqas_line_counts counts{};
  allocations_left = 0;
  allocation_failed = false;
  const auto processed = vqas_line_process(line, samples.data(), samples.size(), samples.data());
  const auto counted = vqas_line_get_counts(line, &counts, sizeof counts);
  const char* const texts[] = {vqas_status_text(VQAS_NO_MEMORY),
                               vqas_version(),
                               vqas_score_version(),
                               vqas_outcome_text(VQAS_SCORED),
                               vqas_impairment_text(VQAS_LOSS),
                               vqas_impairment_advice(VQAS_LOSS, 100),
                               vqas_stop_reason_text(VQAS_GOAL)};
  allocations_left = -1;
  EXPECT_FALSE(allocation_failed);
  EXPECT_EQ(processed, VQAS_OK);
  EXPECT_EQ(counted, VQAS_OK);
  EXPECT_GT(counts.bits, 0U);
  for (const char* const text : texts) EXPECT_NE(text, nullptr);
  vqas_line_destroy(line);
}

TEST(CInterfaceWithoutMemory, ALineIsRefused) {
  expect_told("line", [] {
    vqas_line* line = nullptr;
    const vqas_status status = vqas_line_create(nullptr, 0, 1, 0, &line, nullptr, 0);
    vqas_line_destroy(line);
    return status;
  });
}

TEST(CInterfaceWithoutMemory, AReceiverIsRefusedOrFailsToPush) {
  const std::vector<float> samples = speech();
  const vqas_mark_data data{VQAS_END_A, 1, 2, 3, 4};
  std::vector<float> sent(vqas_transmission_length(samples.size(), 0.1) + 8000);
  ASSERT_EQ(
      vqas_transmission_make(samples.data(), samples.size(), &data, 0.1, sent.data(), sent.size() - 8000, nullptr),
      VQAS_OK);
  expect_told("receiver", [&] {
    vqas_receiver* receiver = nullptr;
    vqas_status status = vqas_receiver_create(VQAS_END_A, 0.1, &receiver);
    if (status == VQAS_OK) status = vqas_receiver_expect(receiver, &data, samples.size(), 10);
    if (status == VQAS_OK) status = vqas_receiver_push(receiver, sent.data(), sent.size());
    if (status == VQAS_OK) status = vqas_receiver_finish(receiver);
    vqas_receiver_destroy(receiver);
    return status;
  });
}

TEST(CInterfaceWithoutMemory, ASamplerIsRefusedOrFailsToAdd) {
  expect_told("sampler", [] {
    vqas_sampler* sampler = nullptr;
    vqas_status status = vqas_sampler_create(nullptr, 0, &sampler, nullptr, 0);
    for (int n = 0; n < 30 && status == VQAS_OK; ++n) status = vqas_sampler_add(sampler, 1 + n % 3);
    vqas_interval interval{};
    if (status == VQAS_OK) status = vqas_sampler_interval(sampler, &interval, sizeof interval);
    vqas_sampler_destroy(sampler);
    return status;
  });
}

}  // namespace
}  // namespace vqas
