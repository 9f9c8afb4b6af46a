// The order and the waits of documents for hooks, and their file.
#include "campaign/hooks/hook_queue.h"

#include <gtest/gtest.h>

#include "campaign/hooks/hook_files.h"
#include "campaign/hooks/hooks_file.h"
#include "support/temporary_folder.h"

namespace vqas::campaign {
namespace {

constexpr double kNow_s = 1.8e9;

HookMessage message(const std::string& id) {
  return {id, HookEvent::run_ended, R"({"id":")" + id + "\"}"};
}

TEST(HookQueue, ADocumentThatFailedWaitsTwiceAsLongEachTimeUpToAnHour) {
  HookQueue queue;
  queue.add(message("a"));
  double now_s = kNow_s;
  for (const double wait_s : {60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 3600.0, 3600.0}) {
    ASSERT_NE(queue.due(now_s, false), nullptr);
    EXPECT_TRUE(queue.failed("a", now_s, 10));
    EXPECT_EQ(queue.due(now_s + wait_s - 1, false), nullptr);
    EXPECT_EQ(queue.next_s(now_s), now_s + wait_s);
    now_s += wait_s;
  }
}

TEST(HookQueue, AfterTheLastAttemptTheDocumentIsDropped) {
  HookQueue queue;
  queue.add(message("a"));
  EXPECT_TRUE(queue.failed("a", kNow_s, 2));
  EXPECT_FALSE(queue.failed("a", kNow_s, 2));
  EXPECT_TRUE(queue.all().empty());
  EXPECT_FALSE(queue.next_s(kNow_s));
}

TEST(HookQueue, OneThatWaitsDoesNotHoldUpTheNext) {
  HookQueue queue;
  queue.add(message("a"));
  queue.add(message("b"));
  EXPECT_EQ(queue.due(kNow_s, false)->message.id, "a");
  queue.failed("a", kNow_s, 10);
  EXPECT_EQ(queue.due(kNow_s, false)->message.id, "b");
  queue.delivered("b");
  EXPECT_EQ(queue.due(kNow_s, false), nullptr);
  EXPECT_EQ(queue.due(kNow_s, true), nullptr) << "it was tried by this process";
}

TEST(HookQueue, AClockThatWasPutBackMakesNoWaitLongerThanTheLongest) {
  HookQueue queue;
  queue.add(message("a"));
  queue.failed("a", kNow_s, 10);
  EXPECT_NE(queue.due(kNow_s - 86400, false), nullptr);
}

TEST(HookQueue, BeyondTheLimitTheOldestIsDropped) {
  HookQueue queue;
  for (std::size_t i = 0; i < kMostQueued; ++i) EXPECT_TRUE(queue.add(message(std::to_string(i))).empty());
  const auto dropped = queue.add(message("last"));
  ASSERT_EQ(dropped.size(), 1U);
  EXPECT_EQ(dropped.front().id, "0");
  EXPECT_EQ(queue.all().size(), kMostQueued);
}

TEST(HooksFile, StateAndQueueAreReadAsTheyWereWritten) {
  const test::TemporaryFolder home;
  HooksOnDisk hooks;
  hooks.state = {.campaign = "c",
                 .next = 7,
                 .verdict = RunVerdict::fail,
                 .line_dead = true,
                 .away_only = true,
                 .line_dead_since_utc = "2026-11-23T08:00:00Z",
                 .disk_told = true,
                 .last_number = 12,
                 .last_finished_utc = "2026-11-23T07:00:00Z"};
  hooks.queued.push_back({message("c-6"), 3, kNow_s + 0.5, true});
  ASSERT_TRUE(write_hooks_file(home.path() / "campaign", hooks));
  const auto read = read_hooks_file(home.path() / "campaign");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->state, hooks.state);
  ASSERT_EQ(read->queued.size(), 1U);
  EXPECT_EQ(read->queued[0].message.document, hooks.queued[0].message.document);
  EXPECT_EQ(read->queued[0].message.event, HookEvent::run_ended);
  EXPECT_EQ(read->queued[0].attempts, 3U);
  EXPECT_EQ(read->queued[0].not_before_s, kNow_s + 0.5);
  EXPECT_FALSE(read->queued[0].tried_here) << "another process begins with its own attempts";
}

TEST(HooksFile, ADamagedFileIsRefused) {
  const test::TemporaryFolder home;
  ASSERT_TRUE(write_hooks_file(home.path(), {}));
  const std::string whole = test::read_text(home.path() / kHooksFile);
  for (const char* const text : {"", "[]", "{}", "{\"schema\": 5}", "nonsense"}) {
    test::write_text(home.path() / kHooksFile, text);
    EXPECT_FALSE(read_hooks_file(home.path())) << text;
  }
  for (std::size_t length = 1; length + 2 < whole.size(); ++length) {
    test::write_text(home.path() / kHooksFile, whole.substr(0, length));
    EXPECT_FALSE(read_hooks_file(home.path())) << length;
  }
}

}  // namespace
}  // namespace vqas::campaign
