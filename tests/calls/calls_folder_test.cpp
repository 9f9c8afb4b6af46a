#include "vqas/calls/calls_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "calls/sample_call.h"
#include "support/temporary_folder.h"
#include "vqas/calls/call_json.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using test::failed_call;
using test::scored_call;
using ::testing::HasSubstr;

constexpr const char* kNow = "2026-11-23T06:30:00.000Z";

CallsPlan plan() {
  CallsPlan plan;
  plan.line = "sip:4711@127.0.0.1;dial=4712@127.0.0.1:5062";
  plan.total = 10;
  plan.worst = 2;
  return plan;
}

Signal heard() {
  return {std::vector<float>(800, 0.1F), kLineRateHz};
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(CallsFolder, ACallIsReadAsItWasWritten) {
  CallOutcome call = scored_call(7, 3.1234, 20);
  call.end = "hung up";
  call.lateness = {1, 2.5};
  call.packets.heard.packets = 499;
  call.packets.heard.packets_lost = 3;
  call.sentences.push_back({"M4", Outcome::not_found, {}, {}, "no mark was found"});
  const Json json = to_json(call);
  const auto again = call_from_json(json);
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), json);
  EXPECT_NEAR(*again->mos(), 3.1234, 1e-9);
  for (const char* bad :
       {R"({})", R"([])", R"({"call": 1, "result": "good", "sentences": []})",
        R"({"call": 1, "result": "scored", "sentences": []})", R"({"call": 1, "result": "failed", "sentences": [3]})"})
    EXPECT_FALSE(call_from_json(own_json(bad))) << bad;
}

TEST(CallsFolder, TheTraceOfACallThatAKillCutIsNotMixedWithThatOfItsSuccessor) {
  const test::TemporaryFolder folder;
  const fs::path calls_at = folder.path() / "calls";
  {
    auto calls = CallsFolder::create(calls_at, plan(), "0123", kNow, false);
    ASSERT_TRUE(calls);
    ASSERT_TRUE(calls->trace(1, "first\n"));
    ASSERT_TRUE(calls->trace(2, "cut\n"));
    ASSERT_TRUE(calls->add(scored_call(1, 4), heard()));
  }
  auto calls = CallsFolder::resume(calls_at, kNow);
  ASSERT_TRUE(calls);
  ASSERT_TRUE(calls->trace(1, "its end\n"));
  ASSERT_TRUE(calls->trace(2, "another call\n"));
  EXPECT_EQ(text_of(calls_at / "signalling" / "call-000001.txt"), "first\nits end\n");
  EXPECT_EQ(text_of(calls_at / "signalling" / "call-000002.txt"), "another call\n");
}

TEST(CallsFolder, TheSignallingOfAllCallsHasABound) {
  const test::TemporaryFolder folder;
  const fs::path calls_at = folder.path() / "calls";
  {
    auto calls = CallsFolder::create(calls_at, plan(), "0123", kNow, false);
    ASSERT_TRUE(calls);
    ASSERT_TRUE(calls->trace(1, "INVITE\n"));
    ASSERT_TRUE(calls->add(scored_call(1, 4), heard()));
  }
  fs::resize_file(calls_at / "signalling" / "call-000001.txt", 192 * 1024 * 1024);  // a hole, which takes no space
  auto calls = CallsFolder::resume(calls_at, kNow);
  ASSERT_TRUE(calls);
  for (std::uint32_t number = 2; number < 5; ++number) ASSERT_TRUE(calls->trace(number, "INVITE\n"));
  EXPECT_FALSE(fs::exists(calls_at / "signalling" / "call-000002.txt"));
  ASSERT_TRUE(calls->trace(0, "REGISTER\n"));
  EXPECT_EQ(text_of(calls_at / "signalling" / "other.txt"),
            "(left out from here: the signalling of all calls, because 192 MB of it are kept)\nREGISTER\n");
}

TEST(CallsFolder, WhatBelongsToNoCallDoesNotTakeTheRoomOfCalls) {
  const test::TemporaryFolder folder;
  const fs::path calls_at = folder.path() / "calls";
  ASSERT_TRUE(CallsFolder::create(calls_at, plan(), "0123", kNow, false));
  fs::create_directory(calls_at / "signalling");
  const fs::path other = calls_at / "signalling" / "other.txt";
  std::ofstream(other) << "begin\n";
  fs::resize_file(other, 64 * 1024 * 1024);  // a hole, which takes no space
  auto calls = CallsFolder::resume(calls_at, kNow);
  ASSERT_TRUE(calls);
  for (int n = 0; n < 2; ++n) ASSERT_TRUE(calls->trace(0, "OPTIONS\n"));
  const std::string told = "(left out from here: the signalling of no call, because 64 MB of it are kept)\n";
  EXPECT_EQ(fs::file_size(other), 64 * 1024 * 1024 + told.size());
  ASSERT_TRUE(calls->trace(1, "INVITE\n"));
  EXPECT_EQ(text_of(calls_at / "signalling" / "call-000001.txt"), "INVITE\n");
}

TEST(CallsFolder, ATraceThatCannotBeWrittenIsAnError) {
  const test::TemporaryFolder folder;
  auto calls = CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, false);
  ASSERT_TRUE(calls);
  std::ofstream(folder.path() / "calls" / "signalling") << "a file in its place";
  const Status kept = calls->trace(1, "INVITE\n");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, ErrorCode::io);
}

CallsPlan hd_plan() {
  CallsPlan wide = plan();
  wide.line += ";codec=g722;hd=yes";
  return wide;
}

TEST(CallsFolder, CallsOfHdVoiceKeepTheirScaleInEachFile) {
  const test::TemporaryFolder folder;
  auto calls = CallsFolder::create(folder.path() / "calls", hd_plan(), "0123", kNow, false);
  ASSERT_TRUE(calls);
  CallOutcome call = scored_call(1, 2.9);
  call.mode = ScoreMode::wideband;
  call.narrow = "PCMU carries the narrow band, so this is no call of HD voice";
  call.sentences[0].lacks_upper_band = true;
  call.sentences[0].narrowband_mos = 4.1;
  ASSERT_TRUE(calls->add(call, heard()));
  const auto again = call_from_json(to_json(call));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), to_json(call));
  EXPECT_EQ(again->narrowband_mos(), 4.1);
  ASSERT_TRUE(calls->finish(summarise(calls->calls(), calls->plan()), nullptr));
  const fs::path at = calls->folder();
  EXPECT_THAT(text_of(at / "calls.csv"), HasSubstr(",score_mode,narrow,narrowband_mos\n"));
  EXPECT_THAT(text_of(at / "calls.csv"), HasSubstr(",wb,\"PCMU carries the narrow band, so this"));
  EXPECT_THAT(text_of(at / "calls.csv"), HasSubstr(",4.1000\n"));
  EXPECT_THAT(text_of(at / "calls.json"), HasSubstr("\"score_mode\": \"wb\""));
  EXPECT_THAT(text_of(at / "calls.json"), HasSubstr("\"narrowband_mos\": {"));
  EXPECT_THAT(text_of(at / "calls.html"), HasSubstr("MOS-LQOW over time"));
  EXPECT_THAT(text_of(at / "calls.html"), HasSubstr("mean MOS-LQOW"));
  EXPECT_THAT(text_of(at / "calls.html"), HasSubstr("mean MOS-LQON"));
  EXPECT_THAT(text_of(at / "calls.html"), HasSubstr("<td>2.90</td>"));
  EXPECT_THAT(text_of(at / "calls.html"), HasSubstr("<td>4.10</td>"));
}

TEST(CallsFolder, AScoreInNarrowbandStandsOnlyBesideOneInWideband) {
  CallOutcome call = scored_call(1, 2.9);
  call.sentences[0].narrowband_mos = 4.1;
  EXPECT_FALSE(call_from_json(to_json(call))) << "the call's own scale is the narrowband one";
  call.mode = ScoreMode::wideband;
  EXPECT_TRUE(call_from_json(to_json(call)));
  call.sentences.push_back({"M1", Outcome::not_aligned, {}, {}, "not aligned", false, 3.0});
  EXPECT_FALSE(call_from_json(to_json(call)));
}

// Of a row of calls.csv, by the heading's names. A cell in quotes may have commas.
std::map<std::string, std::string> cells_of(const std::string& csv, std::size_t row) {
  std::vector<std::vector<std::string>> lines{{""}};
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      lines.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      lines.push_back({""});
    } else {
      lines.back().back() += c;
    }
  }
  std::map<std::string, std::string> cells;
  EXPECT_EQ(lines.at(0).size(), lines.at(row).size());
  for (std::size_t n = 0; n < std::min(lines[0].size(), lines[row].size()); ++n) cells[lines[0][n]] = lines[row][n];
  return cells;
}

TEST(CallsFolder, TheCellsOfCallsCsvStandBelowTheirHeadings) {
  for (const CallsPlan& one : {plan(), hd_plan()}) {
    const test::TemporaryFolder folder;
    auto calls = CallsFolder::create(folder.path() / "calls", one, "0123", kNow, false);
    ASSERT_TRUE(calls);
    for (std::uint32_t number = 1; number <= 3; ++number) {
      CallOutcome call = scored_call(number, number == 3 ? 3.5 : 4);
      call.mode = mode_of(one);
      call.reason = "a reason, with a comma";
      call.narrow = "narrow";
      call.packets.heard.far = FarReport{};
      call.packets.heard.far->packets_lost = 17;
      ASSERT_TRUE(calls->add(call, heard()));
    }
    ASSERT_TRUE(calls->finish(summarise(calls->calls(), calls->plan()), nullptr));
    auto cells = cells_of(text_of(folder.path() / "calls" / "calls.csv"), 3);
    EXPECT_EQ(cells["call"], "3");
    EXPECT_EQ(cells["mos"], "3.5000");
    EXPECT_EQ(cells["stimuli"], "F4");
    EXPECT_EQ(cells["packets_sent"], "500");
    EXPECT_LT(std::strtod(cells["relative_mos"].c_str(), nullptr), 0) << cells["relative_mos"];
    EXPECT_EQ(cells["far_lost"], "17");
    EXPECT_EQ(cells.count("narrow"), one.line == plan().line ? 0U : 1U);
  }
}

TEST(CallsFolder, CallsWithScoresOfTheOtherScaleAreRefused) {
  const test::TemporaryFolder folder;
  {
    auto calls = CallsFolder::create(folder.path() / "calls", hd_plan(), "0123", kNow, false);
    ASSERT_TRUE(calls);
    ASSERT_TRUE(calls->add(scored_call(1, 4.1), heard()));  // in narrowband
  }
  const auto resumed = CallsFolder::resume(folder.path() / "calls", kNow);
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message, HasSubstr("call 1 has a score on the scale MOS-LQON among calls of MOS-LQOW"));
}

TEST(CallsFolder, AfterAKillTheCallsThatEndedAreThereAndMoreAreAdded) {
  const test::TemporaryFolder folder;
  {
    auto calls = CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, false);
    ASSERT_TRUE(calls) << calls.error().message;
    ASSERT_TRUE(calls->add(scored_call(1, 4), heard()));
    ASSERT_TRUE(calls->add(failed_call(2, "busy"), {}));
  }
  // The kill tore the last line.
  std::ofstream(folder.path() / "calls" / kCallsFile, std::ios::app) << R"({"call": 3, "resu)";
  {
    auto calls = CallsFolder::resume(folder.path() / "calls", kNow);
    ASSERT_TRUE(calls) << calls.error().message;
    EXPECT_EQ(calls->damaged(), 0U);
    EXPECT_EQ(calls->plan().total, 10U);
    EXPECT_EQ(calls->corpus_digest(), "0123");
    ASSERT_EQ(calls->calls().size(), 2U);
    EXPECT_EQ(calls->calls()[1].end, "busy");
    ASSERT_TRUE(calls->add(scored_call(3, 3), heard()));
    ASSERT_TRUE(calls->finish(summarise(calls->calls(), calls->plan()), nullptr));
  }
  const auto whole = CallsFolder::resume(folder.path() / "calls", kNow);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->damaged(), 0U);
  EXPECT_EQ(whole->calls().size(), 3U);
  EXPECT_THAT(text_of(folder.path() / "calls" / "calls.csv"), HasSubstr("\n2,1,"));
  EXPECT_THAT(text_of(folder.path() / "calls" / "calls.json"), HasSubstr("\"busy\": 1"));
  EXPECT_THAT(text_of(folder.path() / "calls" / "calls.html"), HasSubstr("MOS over time"));
}

TEST(CallsFolder, TheWorstAreTheFarthestBelowTheirSentences) {
  const test::TemporaryFolder folder;
  auto calls = CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, false);
  ASSERT_TRUE(calls);
  std::uint32_t number = 0;
  const auto add = [&](const char* stimulus, double mos) {
    CallOutcome call = scored_call(++number, mos);
    call.sentences[0].stimulus = stimulus;
    ASSERT_TRUE(calls->add(call, heard()));
  };
  for (int n = 0; n < 4; ++n) {
    add("F4", 4.4);
    add("M1", 3.2);  // a hard sentence: never the worst by its level
  }
  add("F4", 3.9);
  add("M1", 3.1);
  ASSERT_TRUE(calls->finish(summarise(calls->calls(), calls->plan()), nullptr));
  EXPECT_TRUE(fs::exists(folder.path() / "calls" / "recordings" / "call-000009.flac"))
      << "F4 of 3.9 is 0.5 below the others";
  EXPECT_TRUE(fs::exists(folder.path() / "calls" / "recordings" / "call-000010.flac"));
  EXPECT_FALSE(fs::exists(folder.path() / "calls" / "recordings" / "call-000002.flac"));
  EXPECT_THAT(text_of(folder.path() / "calls" / "calls.csv"), HasSubstr(",3.9000,F4,1,1,"));
}

TEST(CallsFolder, ABadCallOfASentenceThatNoOtherCallCarriedIsAmongTheWorst) {
  const test::TemporaryFolder folder;
  auto calls = CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, false);
  ASSERT_TRUE(calls);
  for (std::uint32_t number = 1; number <= 6; ++number) {
    const double mos = number == 4 ? 1.2 : 4 + 0.01 * number;
    CallOutcome call = scored_call(number, mos);
    if (number == 4) call.sentences[0].stimulus = "M1";
    ASSERT_TRUE(calls->add(call, heard()));
  }
  ASSERT_TRUE(calls->finish(summarise(calls->calls(), calls->plan()), nullptr));
  EXPECT_TRUE(fs::exists(folder.path() / "calls" / "recordings" / "call-000004.flac"));
  EXPECT_THAT(text_of(folder.path() / "calls" / "calls.csv"), HasSubstr(",1.2000,M1,1,1,"));
}

TEST(CallsFolder, TheSignallingOfACallIsAFileThatForceRemoves) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "calls" / "signalling" / "call-000012.txt";
  {
    auto calls = CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, false);
    ASSERT_TRUE(calls);
    ASSERT_TRUE(calls->trace(12, "one\n"));
    ASSERT_TRUE(calls->trace(12, "two\n"));
    ASSERT_TRUE(calls->trace(0, "a registration\n"));
    EXPECT_EQ(text_of(file), "one\ntwo\n");
    EXPECT_EQ(text_of(file.parent_path() / "other.txt"), "a registration\n");
  }
  ASSERT_TRUE(CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, true));
  EXPECT_FALSE(fs::exists(file));
}

TEST(CallsFolder, TheWorstCallsKeepTheirRecordings) {
  const test::TemporaryFolder folder;
  auto calls = CallsFolder::create(folder.path() / "calls", plan(), "0123", kNow, false);
  ASSERT_TRUE(calls);
  const double scores[] = {3, 4, 2, 3.5};
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(calls->add(scored_call(i + 1, scores[i]), heard()));
  ASSERT_TRUE(calls->finish(summarise(calls->calls(), plan()), nullptr));
  const fs::path recordings = folder.path() / "calls" / "recordings";
  EXPECT_TRUE(fs::exists(recordings / "call-000001.flac"));
  EXPECT_TRUE(fs::exists(recordings / "call-000003.flac"));
  EXPECT_EQ(std::distance(fs::directory_iterator(recordings), {}), 2);
}

TEST(CallsFolder, AChangedLineIsNoticedAndAFolderInUseIsRefused) {
  const test::TemporaryFolder folder;
  const fs::path at = folder.path() / "calls";
  {
    auto calls = CallsFolder::create(at, plan(), "0123", kNow, false);
    ASSERT_TRUE(calls);
    ASSERT_TRUE(calls->add(scored_call(1, 4), heard()));
    EXPECT_FALSE(CallsFolder::resume(at, kNow)) << "another process has it";
  }
  const auto again = CallsFolder::create(at, plan(), "0123", kNow, false);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("--resume"));
  std::string text = text_of(at / kCallsFile);
  text.replace(text.find("\"mos\":4"), 7, "\"mos\":5");
  std::ofstream(at / kCallsFile) << text;
  const auto changed = CallsFolder::resume(at, kNow);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->damaged(), 1U);
  EXPECT_TRUE(changed->calls().empty());
}

}  // namespace
}  // namespace vqas
