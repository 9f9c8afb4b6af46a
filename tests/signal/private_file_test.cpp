// Files that hold a secret: checks of owner and permissions on the opened file.
#include "signal/private_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr uid_t kAnna = 1000, kBerta = 1001, kRoot = 0;
constexpr FileKind kKind{"secret", 16, "restore it"};

TEST(PrivateFile, AFileReadableByOthersIsRefusedWithAdvice) {
  for (const mode_t mode : {0644U, 0640U, 0604U, 0620U, 0601U}) {
    const auto fault = why_not_private("x", mode, kAnna, kAnna);
    ASSERT_TRUE(fault) << mode;
    EXPECT_THAT(fault->message, HasSubstr("chmod 600 x"));
  }
  EXPECT_FALSE(why_not_private("x", 0600, kAnna, kAnna));
  EXPECT_FALSE(why_not_private("x", 0400, kAnna, kAnna));
}

TEST(PrivateFile, AFileOfAnotherUserIsRefused) {
  const auto fault = why_not_private("x", 0600, kBerta, kAnna);
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->message, HasSubstr("belongs to another user (uid 1001)"));
  EXPECT_FALSE(why_not_private("x", 0600, kRoot, kAnna)) << "root can read everything anyhow";
  EXPECT_FALSE(why_not_private("x", 0600, kBerta, kRoot)) << "root may use files of others";
}

TEST(PrivateFile, IsReadAsItWasWritten) {
  const test::TemporaryFolder home;
  const fs::path& folder = home.path();
  ASSERT_TRUE(write_private_file(folder / "a", "0123456789abcdef"));
  const auto text = read_private_file(folder / "a", kKind);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "0123456789abcdef");
  ASSERT_TRUE(write_private_file(folder / "a", "0123456789abcdefg"));
  ASSERT_FALSE(read_private_file(folder / "a", kKind));
  EXPECT_THAT(read_private_file(folder / "a", kKind).error().message, HasSubstr("larger than the 16 bytes"));
  ASSERT_FALSE(read_private_file(folder / "b", kKind));
  EXPECT_THAT(read_private_file(folder / "b", kKind).error().message, HasSubstr("no such file; restore it"));
  EXPECT_FALSE(read_private_file(folder, kKind)) << "a folder";
  fs::permissions(folder / "a", static_cast<fs::perms>(0640));
  EXPECT_FALSE(read_private_file(folder / "a", kKind));
}

TEST(PrivateFile, ALinkIsJudgedByItsTarget) {
  const test::TemporaryFolder home;
  const fs::path& folder = home.path();
  std::ofstream(folder / "open") << "secret";
  fs::permissions(folder / "open", static_cast<fs::perms>(0644));
  fs::create_symlink(folder / "open", folder / "link");
  EXPECT_FALSE(read_private_file(folder / "link", kKind));
}

}  // namespace
}  // namespace vqas
