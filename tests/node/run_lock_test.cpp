#include "vqas/node/run_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <string>

#include "node/agent/node_lock.h"
#include "support/temporary_folder.h"
#include "vqas/node/peers.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

TEST(RunLock, ASecondHolderIsRefusedWithTheFirstOnesName) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(run_goes_on(folder.path()));
  auto first = RunLock::take(folder.path());
  ASSERT_TRUE(first) << first.error().message;
  for (int again = 0; again < 2; ++again) {
    EXPECT_TRUE(run_goes_on(folder.path()));
    const auto second = RunLock::take(folder.path());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::bad_input);
    EXPECT_THAT(second.error().message, HasSubstr(folder.path().string()));
    EXPECT_THAT(second.error().message, HasSubstr("in process " + std::to_string(::getpid()) + " on the machine "));
  }
  (*first)->release();
  EXPECT_FALSE(run_goes_on(folder.path()));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / kRunLockFile));
  EXPECT_TRUE(RunLock::take(folder.path()));
}

TEST(RunLock, EndsWithItsProcessHoweverItEnds) {
  const test::TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto lock = RunLock::take(folder.path());
    ::_exit(lock && run_goes_on(folder.path()) ? 0 : 1);  // without a destructor, as after a kill
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / kRunLockFile));
  EXPECT_FALSE(run_goes_on(folder.path()));
  EXPECT_TRUE(RunLock::take(folder.path()));
}

TEST(RunLock, ReleasingDoesNotRemoveALaterHoldersLock) {
  const test::TemporaryFolder folder;
  auto first = RunLock::take(folder.path());
  ASSERT_TRUE(first);
  (*first)->release();
  const auto second = RunLock::take(folder.path());
  ASSERT_TRUE(second);
  first->reset();
  EXPECT_TRUE(run_goes_on(folder.path()));
}

TEST(RunLock, IsSeenByAUserWhoMayOnlyReadOrNotEvenRead) {
  const test::TemporaryFolder folder;
  const auto lock = RunLock::take(folder.path());
  ASSERT_TRUE(lock);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const auto look_as_user = [&folder](unsigned rights) {
    std::filesystem::permissions(folder.path() / kRunLockFile, std::filesystem::perms(rights));
    // Root may write to every file.
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(1);
    ::_exit(run_goes_on(folder.path()) ? 7 : 2);
  };
  EXPECT_EXIT(look_as_user(0444), ::testing::ExitedWithCode(7), "");
  EXPECT_EXIT(look_as_user(0000), ::testing::ExitedWithCode(7), "");
}

// As when the nodes of a killed program have not ended yet.
TEST(NodeLock, ANodeWaitsForAnotherThatEnds) {
  const test::TemporaryFolder folder;
  auto first = NodeLock::take(folder.path());
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(NodeLock::take(folder.path()));
  auto second = std::async(std::launch::async, [&] { return NodeLock::take(folder.path(), 600); });
  first->reset();
  const auto taken = second.get();
  EXPECT_TRUE(taken) << taken.error().message;
}

TEST(NodeLock, ANodeOnAnotherMachineGetsNoSignalHere) {
  const test::TemporaryFolder folder;
  const auto lock = NodeLock::take(folder.path());
  ASSERT_TRUE(lock) << lock.error().message;
  // In a shared folder; the number is that of this process, which the signal would end.
  std::ofstream(folder.path() / "node.lock") << ::getpid() << " another-machine\n";
  const Status released = release_node(folder.path());
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().code, ErrorCode::bad_input);
  EXPECT_THAT(released.error().message, HasSubstr("runs on the machine another-machine; give this command there"));
}

TEST(RunLock, AnUnwritableFolderIsNamed) {
  const auto lock = RunLock::take("/proc/nowhere");
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::io);
  EXPECT_THAT(lock.error().message, HasSubstr("/proc/nowhere"));
}

}  // namespace
}  // namespace vqas
