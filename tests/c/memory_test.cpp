// Every allocation of a call fails once: the call says so, and the handle remains usable or can be destroyed.
#include <gtest/gtest.h>

#include <functional>
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
