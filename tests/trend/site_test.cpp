#include "vqas/trend/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <regex>
#include <set>

#include "report/page_text.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "trend/planted_circuit.h"
#include "vqas/report/report.h"
#include "vqas/signal/json_text.h"
#include "vqas/store/notes.h"
#include "vqas/store/slot_journal.h"
#include "vqas/store/utc_text.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using test::read_text;
using ::testing::HasSubstr;
using ::testing::Not;

/// Folders of runs, and the site over them.
class Site : public ::testing::Test {
 protected:
  /// A whole run with its report.
  fs::path run(const std::string& name, const std::string& circuit, int day, const std::string& ended_because = "",
               ScoreMode mode = ScoreMode::narrowband) {
    RunResults results = test::sample_run();
    results.mode = mode;
    for (DirectionRun& direction : results.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) one.mode = mode;
      }
    }
    results.ended_because = ended_because;
    results.about.uuid = "11111111-2222-3333-4444-" + std::string(12 - name.size(), '0') + name;
    results.about.tags = {{"circuit", circuit}};
    results.started_utc = "2026-11-" + std::to_string(day) + "T08:00:00Z";
    const fs::path folder = home_.path() / "runs" / ("run " + name);
    auto journal = RunJournal::create(folder, results);
    EXPECT_TRUE(journal);
    for (const DirectionRun& direction : results.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements)
          EXPECT_TRUE(journal->append(direction.from, stimulus.stimulus, one));
      }
    }
    EXPECT_TRUE(journal->close(results));
    EXPECT_TRUE(write_report(folder, results, current_provenance(mode)));
    return folder;
  }
  Result<WrittenSite> write(RunStore* store = nullptr, bool folders = true, RunFilter filter = {}) const {
    TrendSources sources;
    if (folders) sources.folders = {home_.path() / "runs"};
    sources.store = store;
    sources.filter = std::move(filter);
    return write_site(site(), sources, {{test::berlin(), {}}, test::kFirstDay + 45 * 86400});
  }
  fs::path site() const { return home_.path() / "site"; }
  std::string index() const { return read_text(site() / "index.html"); }
  /// The JSON of the only circuit.
  Json trend() const {
    for (const std::string& name : pages()) {
      if (name.ends_with(".json")) return own_json(read_text(site() / "circuits" / name));
    }
    return {};
  }
  /// The pages of circuits, by name.
  std::set<std::string> pages() const {
    std::set<std::string> names;
    for (const auto& one : fs::directory_iterator(site() / "circuits")) names.insert(one.path().filename().string());
    return names;
  }

  test::TemporaryFolder home_;
};

std::string unescaped(const std::string& link) {
  std::string text;
  for (std::size_t i = 0; i < link.size(); ++i) {
    if (link[i] == '%') {
      text += static_cast<char>(std::stoi(link.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      text += link[i];
    }
  }
  return text;
}

/// Files that a page links to and that are missing.
std::set<std::string> dead_links(const fs::path& page) {
  static const std::regex links(R"re(href="([^"]*)")re");
  std::set<std::string> dead;
  const std::string text = read_text(page);
  for (auto one = std::sregex_iterator(text.begin(), text.end(), links); one != std::sregex_iterator(); ++one) {
    const std::string link = unescaped((*one)[1]);
    if (!fs::exists(page.parent_path() / link)) dead.insert(link);
  }
  return dead;
}

TEST_F(Site, HasAnIndexAndAPageForEachCircuitWhoseLinksLeadSomewhere) {
  run("1", "line 1", 20);
  run("2", "line 1", 21);
  run("3", "line 2", 20);
  const auto written = write();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->circuits, 2U);
  EXPECT_EQ(written->runs, 3U);
  EXPECT_EQ(pages().size(), 4U);
  std::vector<fs::path> all{written->index};
  for (const std::string& name : pages()) {
    if (name.ends_with(".html")) all.push_back(site() / "circuits" / name);
  }
  for (const fs::path& page : all) {
    const std::string text = read_text(page);
    EXPECT_EQ(test::xml_fault(test::body_of(text)), "") << page;
    EXPECT_EQ(dead_links(page), std::set<std::string>()) << page;
    for (const char* const outside : {"http:", "https:", "//", "src=", "url(", "@import", "<script"})
      EXPECT_THAT(text, Not(HasSubstr(outside))) << page;
  }
  EXPECT_THAT(read_text(all.back()), HasSubstr("run%20"));
}

TEST_F(Site, AWidebandCircuitIsKeptApartFromANarrowbandOneThatIsNamedLikeIt) {
  run("1", "north", 20);
  run("2", "north", 20, "", ScoreMode::wideband);
  run("3", "north, wideband", 21);
  const auto written = write();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->circuits, 3U);
  std::multiset<std::string> shown;
  for (const std::string& name : pages()) {
    if (!name.ends_with(".json")) continue;
    const Json trend = own_json(read_text(site() / "circuits" / name));
    EXPECT_EQ(trend["runs"].size(), 1U) << name;
    shown.insert(trend["circuit"].get<std::string>());
  }
  EXPECT_EQ(shown, (std::multiset<std::string>{"north", "north, wideband", "north, wideband"}));
}

TEST_F(Site, WrittenAgainReadsOnlyNewRunsAndTouchesOnlyWhatChanges) {
  run("1", "line 1", 20);
  run("2", "line 2", 20);
  EXPECT_EQ(write()->read, 2U);
  const auto again = write();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->read, 0U);
  EXPECT_EQ(again->written, 0U);
  run("3", "line 2", 21);
  const auto more = write();
  ASSERT_TRUE(more);
  EXPECT_EQ(more->read, 1U);
  EXPECT_EQ(more->written, 4U);  // page and JSON of line 2, index, record
}

TEST_F(Site, SlotsOfACampaignTellItsMissedStartsAndTheTimesOfItsSimulatedRuns) {
  run("1", "line 1", 20);
  run("2", "line 1", 20);
  auto journal = SlotJournal::open(home_.path() / "runs");
  ASSERT_TRUE(journal) << journal.error().message;
  const double first_s = utc_from_text("2026-11-21T09:00:00Z").value();
  ASSERT_TRUE(journal->add(SlotTimes{.first = 1, .from_s = first_s, .every_s = 3600}));
  SlotRecord slot{
      .number = 1, .due_s = first_s, .outcome = SlotOutcome::measured, .run = "run 1", .verdict = "no_limit"};
  ASSERT_TRUE(journal->add(slot));
  slot = {.number = 2, .due_s = first_s + 3600, .outcome = SlotOutcome::line_away, .run = {}, .verdict = {}};
  slot.why = "node b does not answer";
  slot.tries = 3;
  ASSERT_TRUE(journal->add(slot));
  slot = {
      .number = 3, .due_s = first_s + 7200, .outcome = SlotOutcome::measured, .run = "run 2", .verdict = "no_limit"};
  ASSERT_TRUE(journal->add(slot));
  ASSERT_TRUE(write());
  for (const std::string& name : pages()) {
    if (!name.ends_with(".json")) continue;
    const std::string trend = read_text(site() / "circuits" / name);
    EXPECT_THAT(trend, HasSubstr("\"missed_starts\": 1"));
    EXPECT_THAT(trend, HasSubstr("the line or a node was away: node b does not answer"));
    EXPECT_THAT(trend, HasSubstr("\"started_utc\": \"2026-11-21T09:00:00Z\""));
    EXPECT_THAT(trend, HasSubstr("\"started_utc\": \"2026-11-21T11:00:00Z\""));
  }
}

TEST_F(Site, ACampaignWithUnequalStepsThatDiedIsOverdueAfterThreeOfItsLongestSteps) {
  fs::create_directories(home_.path() / "runs");
  auto journal = SlotJournal::open(home_.path() / "runs");
  ASSERT_TRUE(journal) << journal.error().message;
  const double first_s = utc_from_text("2026-11-21T07:00:00Z").value();
  ASSERT_TRUE(journal->add(
      SlotTimes{.first = 1, .from_s = first_s, .at_min = {8 * 60, 12 * 60, 18 * 60}, .zone = "Europe/Berlin"}));
  const auto measure = [&](std::size_t number, double due_s) {
    run(std::to_string(number), "line 1", 20);
    const SlotRecord slot{.number = number,
                          .due_s = due_s,
                          .outcome = SlotOutcome::measured,
                          .run = "run " + std::to_string(number),
                          .verdict = "no_limit"};
    return journal->add(slot) && write();
  };
  ASSERT_TRUE(measure(1, first_s) && measure(2, first_s + 4 * 3600) && measure(3, first_s + 10 * 3600));
  EXPECT_THAT(index(), HasSubstr("1 overdue")) << "the longest step takes 14 h, and 55 h have passed";
  ASSERT_TRUE(measure(4, first_s + 24 * 3600));
  EXPECT_THAT(index(), Not(HasSubstr("1 overdue"))) << "41 h have passed";
}

TEST_F(Site, SlotsThatWereLeftOutOnPurposeAreNoOutage) {
  run("1", "line 1", 20);
  auto journal = SlotJournal::open(home_.path() / "runs");
  ASSERT_TRUE(journal) << journal.error().message;
  const double first_s = utc_from_text("2026-11-21T09:00:00Z").value();
  ASSERT_TRUE(journal->add(SlotTimes{.first = 1, .from_s = first_s, .every_s = 3600}));
  ASSERT_TRUE(journal->add(SlotRecord{
      .number = 1, .due_s = first_s, .outcome = SlotOutcome::measured, .run = "run 1", .verdict = "no_limit"}));
  std::size_t number = 1;
  for (const SlotOutcome outcome : {SlotOutcome::overran, SlotOutcome::stopped}) {
    ++number;
    const double due_s = first_s + 3600 * static_cast<double>(number);
    ASSERT_TRUE(
        journal->add(SlotRecord{.number = number, .due_s = due_s, .outcome = outcome, .run = {}, .verdict = {}}));
  }
  ASSERT_TRUE(write());
  const Json found = trend();
  for (const Json& direction : found.at("directions")) EXPECT_TRUE(direction.at("outages").empty()) << direction;
  ASSERT_TRUE(found.contains("starts_left_out"));
  EXPECT_EQ(found.at("starts_left_out").size(), 2U);
  EXPECT_THAT(found.at("starts_left_out").at(0).at("reason"), HasSubstr("too long"));
  for (const std::string& name : pages()) {
    if (!name.ends_with(".html")) continue;
    EXPECT_THAT(read_text(site() / "circuits" / name), HasSubstr("2 starts that were left out are no outage"));
  }
}

TEST_F(Site, ARunThatWasBrokenOffIsNotMeasuredAndMovesNoLevel) {
  run("1", "line 1", 20, "the user stopped it");
  ASSERT_TRUE(write());
  EXPECT_THAT(index(), HasSubstr("1 not measured"));
  for (const Json& direction : trend().at("runs").at(0).at("directions")) EXPECT_TRUE(direction.at("partial"));
}

TEST_F(Site, AChangedResultIsReadAgainThoughTheJournalStays) {
  const fs::path folder = run("1", "line 1", 20);
  EXPECT_EQ(write()->read, 1U);
  test::write_text(folder / kNotesFile, "");
  EXPECT_EQ(write()->read, 1U);
  EXPECT_EQ(write()->read, 0U);
}

TEST_F(Site, ADamagedRecordIsMadeAnew) {
  run("1", "line 1", 20);
  ASSERT_TRUE(write());
  const std::string index = read_text(site() / "index.html");
  test::write_text(site() / kSiteFile,
                   "{\"schema\":\"vqas-site/2\",\"runs\":[{\"source\":1,\"run\":{\"mean\":[]}},7]}");
  const auto again = write();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->read, 1U);
  EXPECT_EQ(read_text(site() / "index.html"), index);
}

TEST_F(Site, PagesOfCircuitsThatAreGoneAreRemovedAndOtherFilesStay) {
  run("1", "line 1", 20);
  const fs::path gone = run("2", "line 2", 20);
  ASSERT_TRUE(write());
  test::write_text(site() / "circuits" / "mine.html", "mine");
  fs::remove_all(gone);
  ASSERT_TRUE(write());
  EXPECT_EQ(pages().size(), 3U);
  EXPECT_TRUE(fs::exists(site() / "circuits" / "mine.html"));
}

TEST_F(Site, ARunThatCannotBeReadIsLeftOutAndTold) {
  run("1", "line 1", 20);
  test::write_text(run("2", "line 1", 21) / kJournalFile, "no journal\n");
  const auto written = write();
  ASSERT_TRUE(written);
  EXPECT_EQ(written->runs, 1U);
  EXPECT_EQ(written->left_out, 1U);
  EXPECT_THAT(written->why_left_out, HasSubstr("run 2"));
}

TEST_F(Site, AForeignIndexIsNotReplaced) {
  run("1", "line 1", 20);
  fs::create_directories(site());
  test::write_text(site() / "index.html", "mine");
  const auto written = write();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::bad_input);
  EXPECT_EQ(read_text(site() / "index.html"), "mine");
}

TEST_F(Site, NamesOfCircuitsAreSafeAsFilesAndInPages) {
  const std::string names[] = {
      "../../../etc/passwd", "<img src=x onerror=alert(1)>", "a/b", "a\\b", "a b", "A B", "..", "ünïcode",
      std::string(300, 'x')};
  int number = 0;
  for (const std::string& name : names) run(std::to_string(++number), name, 20);
  const auto written = write();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->circuits, std::size(names));
  EXPECT_EQ(pages().size(), 2 * std::size(names));
  for (const std::string& page : pages())
    EXPECT_TRUE(std::regex_match(page, std::regex("[a-z0-9-]{1,57}\\.(html|json)"))) << page;
  EXPECT_THAT(read_text(written->index), Not(HasSubstr("<img")));
  EXPECT_EQ(test::xml_fault(test::body_of(read_text(written->index))), "");
}

TEST_F(Site, ARunInAFolderAndInTheStoreCountsOnce) {
  int count = 1;
  char name[] = "trend_test";
  char* arguments[] = {name, nullptr};
  const QCoreApplication application(count, arguments);
  const fs::path folder = run("1", "line 1", 20);
  run("2", "line 1", 21);
  auto store = RunStore::open((home_.path() / "store.sqlite").string());
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(store->take(folder));
  EXPECT_EQ(write(&*store)->runs, 2U);
  EXPECT_EQ(write(&*store, false)->runs, 1U);
  RunFilter later;
  later.since_utc = "2026-11-21";
  EXPECT_EQ(write(&*store, true, later)->runs, 1U);
  RunFilter other;
  other.tags["circuit"] = "line 2";
  EXPECT_EQ(write(&*store, true, other)->runs, 0U);
}

}  // namespace
}  // namespace vqas
