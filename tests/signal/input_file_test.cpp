#include "vqas/signal/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr FileKind kNote{"note", 10, "give a note"};

class InputFileTest : public ::testing::Test {
 protected:
  std::filesystem::path written(const std::string& content) const {
    const auto path = folder_.path() / "note.txt";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  static Error fault_of(const std::filesystem::path& path, const FileKind& kind = kNote) {
    const auto text = read_whole_file(path, kind);
    const auto opened = InputFile::open(path, kind);
    EXPECT_FALSE(text) << path;
    EXPECT_FALSE(opened) << path;
    if (text || opened) return {};
    EXPECT_EQ(text.error().message, opened.error().message);
    return text.error();
  }
  const test::TemporaryFolder folder_;
};

TEST_F(InputFileTest, AWholeFileIsReadUpToItsLimit) {
  EXPECT_EQ(*read_whole_file(written(std::string("a\0\n\xff", 4)), kNote), std::string("a\0\n\xff", 4));
  EXPECT_EQ(*read_whole_file(written(""), kNote), "");
  EXPECT_EQ(*read_whole_file(written("0123456789"), kNote), "0123456789");
}

TEST_F(InputFileTest, ALargerFileIsRefusedWithItsLimitAndNotQuoted) {
  const Error fault = fault_of(written("secretsecret"));
  EXPECT_EQ(fault.code, ErrorCode::bad_input);
  EXPECT_THAT(fault.message,
              AllOf(HasSubstr("note.txt"), HasSubstr("10 bytes"), HasSubstr("give a note"), Not(HasSubstr("secret"))));
}

TEST_F(InputFileTest, PipeIsRefusedWithoutWaiting) {
  const auto path = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const Error fault = fault_of(path);
  EXPECT_EQ(fault.code, ErrorCode::bad_input);
  EXPECT_THAT(fault.message, HasSubstr("is a pipe or a device, not a file; give a note"));
  std::filesystem::create_symlink(path, folder_.path() / "link");
  EXPECT_THAT(fault_of(folder_.path() / "link").message, HasSubstr("is a pipe"));
}

TEST_F(InputFileTest, DevicesSocketsAndFoldersAreRefused) {
  for (const char* const device : {"/dev/zero", "/dev/null"})
    EXPECT_THAT(fault_of(device).message, HasSubstr("is a pipe or a device, not a file")) << device;
  EXPECT_THAT(fault_of(folder_.path()).message, HasSubstr("is a folder; give a note"));
  const auto path = folder_.path() / "s";
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(fault_of(path).message, HasSubstr("is a socket or a device, not a file"));
  ::close(socket);
}

TEST_F(InputFileTest, MissingFileIsReportedWithTheRemedy) {
  const Error fault = fault_of(folder_.path() / "gone.txt");
  EXPECT_EQ(fault.code, ErrorCode::bad_input);
  EXPECT_THAT(fault.message, AllOf(HasSubstr("gone.txt: there is no such file"), HasSubstr("give a note")));
  EXPECT_THAT(fault_of("").message, HasSubstr("there is no such file"));
}

// The kernel reports a size of 0 for files in /proc.
TEST_F(InputFileTest, FileOfUnknownSizeIsBoundedToo) {
  EXPECT_THAT(read_whole_file("/proc/self/status", kNote).error().message, HasSubstr("10 bytes"));
  const auto whole = read_whole_file("/proc/self/status", {"status", 1U << 20U, ""});
  ASSERT_TRUE(whole);
  EXPECT_THAT(*whole, HasSubstr("Name:"));
  const auto opened = InputFile::open("/proc/self/status", kNote);
  ASSERT_TRUE(opened);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(**opened), {}).size(), 10U);
}

TEST_F(InputFileTest, AStreamGivesTheFilePartByPart) {
  std::string content;
  for (int i = 0; i < 100'000; ++i) content += std::to_string(i) + '\n';
  const auto file = InputFile::open(written(content), {"list", kAnySize, ""});
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->size(), content.size());
  int expected = 0;
  for (std::string line; std::getline(**file, line); ++expected) ASSERT_EQ(line, std::to_string(expected));
  EXPECT_EQ(expected, 100'000);
  EXPECT_FALSE((*file)->bad());
}

}  // namespace
}  // namespace vqas
