// vqas relay given what it cannot use, and ended as a user ends it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/child.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr int kUsage = 2;
constexpr int kBadInput = 3;
constexpr int kIo = 7;

test::CommandRun relay(const std::string& arguments) {
  return test::run_command(std::string(VQAS_COMMAND) + " relay " + arguments);
}

TEST(RelayCommand, EachModeHasHelpWithAnExample) {
  for (const std::string mode : {"rtp", "sip", "audio"}) {
    const auto run = relay(mode + " --help");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.output, HasSubstr("Example: vqas relay " + mode));
    EXPECT_EQ(relay(mode + " --no-such-option").exit_code, kUsage);
  }
  EXPECT_EQ(relay("").exit_code, kUsage);
}

TEST(RelayCommand, OptionsOutOfRangeAreRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"rtp --ber 0.7", "ber"},
      {"rtp --delay-ms -1", "delay_ms"},
      {"rtp --loss 2", "loss"},
      {"rtp --profile no-such-line", "no-such-line"},
      {"rtp --a-to-b beer=1", "beer"},
      {"rtp --b-to-a ber", "KEY=VALUE"},
      {"rtp --listen-a nowhere", "--listen-a"},
      {"rtp --listen-a 127.0.0.1:30001", "odd"},
      {"rtp --fixed-peers", "--peer-a"},
      {"rtp --record-a-to-b pattern.wav", "pattern.wav"},
      {"rtp --control 0.0.0.0:0", "loopback"},
      {"sip --listen 0.0.0.0:5060", "--listen"},
      {"sip --listen 127.0.0.1:0 --phone anna", "--phone"},
      {"audio --in no-such-device", "no-such-device"},
      {"audio --ber 0.7", "ber"},
  };
  for (const auto& [arguments, named] : cases) {
    const auto run = relay(std::string(arguments) + " --duration-s 1");
    EXPECT_THAT(run.exit_code, AnyOf(kUsage, kBadInput)) << arguments << "\n" << run.output;
    EXPECT_THAT(run.output, HasSubstr(named)) << arguments;
  }
}

TEST(RelayCommand, WhatCannotBeWrittenIsTold) {
  const auto run = relay("rtp --duration-s 1 --record-a-to-b /no/such/folder/x.bits");
  EXPECT_EQ(run.exit_code, kIo) << run.output;
  EXPECT_THAT(run.output, HasSubstr("/no/such/folder/x.bits"));
}

TEST(RelayCommand, PrintsCountersAsJsonLinesAndEndsInOrderWhenAsked) {
  const test::TemporaryFolder folder;
  test::Child child({VQAS_COMMAND, "relay", "rtp", "--json", "--interval-s", "0.1", "--seed", "9"},
                    folder.path() / "out");
  const auto lines = [&folder] {
    std::vector<json> all;
    std::istringstream text(test::read_text(folder.path() / "out"));
    for (std::string line; std::getline(text, line);) all.push_back(json::parse(line, nullptr, false));
    return all;
  };
  for (int i = 0; i < 500 && lines().size() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(child.end(), 0);
  const auto all = lines();
  ASSERT_GE(all.size(), 4U);
  EXPECT_EQ(all.front()["seed"], 9);
  EXPECT_THAT(all.front()["control"].get<std::string>(), HasSubstr("ws://127.0.0.1:"));
  EXPECT_EQ(all[1]["calls"][0]["a_to_b"]["counters"]["packets"], 0);
  EXPECT_EQ(all.back()["ended"]["call"], 0);
}

}  // namespace
}  // namespace vqas
