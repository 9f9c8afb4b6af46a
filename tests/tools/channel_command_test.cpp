#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "support/child.h"
#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"

// "vqas channel" on raw octets, as its user meets it.
namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

using test::kBadInput;
using test::kCancelled;
using test::kIo;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ChannelCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string octets;
    for (int i = 0; i < 80000; ++i) octets += static_cast<char>(i * 7 % 251);
    sent_ = octets;
    std::ofstream(in("sent.ul"), std::ios::binary) << octets;
  }
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }
  test::CommandRun shell(const std::string& line) const {
    return test::run_command("(cd " + folder_.path().string() + " && " + line + ")");
  }
  test::CommandRun vqas(const std::string& arguments) const {
    return shell(std::string(test::vqas_command()) + " channel " + arguments);
  }

  test::TemporaryFolder folder_;
  std::string sent_;
};

TEST_F(ChannelCommand, OctetsNeverOverwriteTheirInputByAnyPath) {
  fs::create_hard_link(in("sent.ul"), in("hard.ul"));
  fs::create_symlink("sent.ul", in("soft.ul"));
  const std::string folder = folder_.path().filename().string();
  const std::string roundabout = "sent.ul ../" + folder + "/sent.ul";
  for (const std::string& files : std::vector<std::string>{
           "sent.ul sent.ul", "sent.ul ./sent.ul", roundabout, "sent.ul hard.ul", "sent.ul soft.ul", "soft.ul sent.ul",
           "- sent.ul < sent.ul", "sent.ul - >> sent.ul", "- - < sent.ul >> hard.ul"}) {
    const auto run = vqas("--raw --ber 1e-2 " + files);
    EXPECT_EQ(content(in("sent.ul")), sent_) << files;
    EXPECT_EQ(run.exit_code, kBadInput) << files << "\n" << run.output;
  }
}

TEST_F(ChannelCommand, ThePatternDoesNotOverwriteTheOctets) {
  fs::copy_file(in("sent.ul"), in("sent.bits"));
  EXPECT_EQ(vqas("--raw ./sent.bits out.ul --record sent.bits").exit_code, kBadInput);
  EXPECT_EQ(content(in("sent.bits")), sent_);
  EXPECT_EQ(vqas("--raw sent.ul out.bits --record ./out.bits").exit_code, kBadInput);
  EXPECT_FALSE(fs::exists(in("out.bits")));
}

TEST_F(ChannelCommand, AFailedRunKeepsTheOlderFile) {
  std::ofstream(in("out.ul")) << "older";
  fs::create_directory(in("folder"));
  const auto run = vqas("--raw folder out.ul");
  EXPECT_EQ(run.exit_code, kIo) << run.output;
  EXPECT_EQ(content(in("out.ul")), "older");
}

TEST_F(ChannelCommand, ANewFileReplacesAnOlderOneAndALinkStaysALink) {
  std::ofstream(in("older.ul")) << "older";
  fs::create_symlink("older.ul", in("link.ul"));
  const auto run = vqas("--raw --ber 0 sent.ul link.ul");
  ASSERT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(content(in("older.ul")), sent_);
  EXPECT_TRUE(fs::is_symlink(in("link.ul")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 3);  // nothing stays beside
  EXPECT_EQ(vqas("--raw --ber 0 sent.ul /dev/null").exit_code, 0);
}

struct Stopped {
  int exit_code;
  std::string told;
};
// The octets of sent.ul come through a pipe that stays open; when all of them went out, the command is asked to stop.
Stopped stopped_when_all_went_out(const fs::path& folder, const std::string& sent, const std::string& out) {
  const fs::path feed = folder / "feed";
  EXPECT_EQ(::mkfifo(feed.c_str(), 0600), 0);
  test::Child child({"/bin/sh", "-c",
                     "cd " + folder.string() + " && exec " + test::vqas_command() +
                         " channel --ber 1e-2 --seed 3 --record errors.bits --raw feed " + out + " 2> told.txt"},
                    folder / "nothing.txt");
  std::ofstream pipe(feed, std::ios::binary);
  pipe << sent << std::flush;
  const auto went = [&] {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const bool is_output = entry.path().filename().string().find("out.ul") != std::string::npos;
      if (is_output && entry.file_size() == sent.size()) return true;
    }
    return false;
  };
  EXPECT_TRUE(test::wait_until(went));
  const int code = child.end();
  return {code, content(folder / "told.txt")};
}

TEST_F(ChannelCommand, StoppedByItsUserItKeepsPatternAndCountersOfTheOutput) {
  const Stopped run = stopped_when_all_went_out(folder_.path(), sent_, "- > out.ul");
  EXPECT_EQ(run.exit_code, kCancelled) << run.told;
  EXPECT_THAT(run.told, HasSubstr("640000 bits"));
  const std::string heard = content(in("out.ul"));
  const std::string pattern = content(in("errors.bits"));
  ASSERT_EQ(heard.size(), sent_.size());
  ASSERT_EQ(pattern.size(), sent_.size());
  for (std::size_t i = 0; i < heard.size(); ++i) ASSERT_EQ(heard[i] ^ sent_[i], pattern[i]) << i;
}

TEST_F(ChannelCommand, StoppedByItsUserItKeepsTheOlderFile) {
  std::ofstream(in("out.ul")) << "older";
  const Stopped run = stopped_when_all_went_out(folder_.path(), sent_, "out.ul");
  EXPECT_EQ(run.exit_code, kCancelled) << run.told;
  EXPECT_EQ(content(in("out.ul")), "older");
  EXPECT_FALSE(fs::exists(in("errors.bits")));
}

TEST_F(ChannelCommand, WhenTheReaderEndsPatternAndCountersAreKept) {
  // head takes a little; the rest has no reader.
  const auto run = shell("(cat sent.ul; cat sent.ul sent.ul sent.ul sent.ul) | (" + std::string(test::vqas_command()) +
                         " channel - - --ber 1e-2 --json --record errors.bits; echo code $?) 2> told.txt | "
                         "(head -c 1000 > taken.ul)");
  EXPECT_TRUE(fs::exists(in("errors.bits"))) << run.output << content(in("told.txt"));
  EXPECT_THAT(content(in("told.txt")), HasSubstr("\"bit_errors\""));
  const std::string taken = content(in("taken.ul"));
  const std::string pattern = content(in("errors.bits"));
  ASSERT_EQ(taken.size(), 1000U);
  ASSERT_GE(pattern.size(), taken.size());
  EXPECT_LT(pattern.size(), 5 * sent_.size());
  for (std::size_t i = 0; i < taken.size(); ++i) ASSERT_EQ(taken[i] ^ sent_[i], pattern[i]) << i;
}

TEST_F(ChannelCommand, OptionsNotForOctetsAreRefusedByName) {
  for (const std::string option : {"--gain-db 3", "--delay-s 0.1", "--clock-ppm 5", "--band-limit", "--no-band-limit",
                                   "--noise-dbm0p -60", "--channel 1", "--keep-delay --profile wander"}) {
    const auto run = vqas("--raw sent.ul out.ul " + option);
    EXPECT_EQ(run.exit_code, kBadInput) << option << "\n" << run.output;
    EXPECT_FALSE(fs::exists(in("out.ul"))) << option;
  }
}

}  // namespace
}  // namespace vqas
