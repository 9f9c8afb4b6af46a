#include "vqas/store/notes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/journals.h"
#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

TEST(Notes, NotesAreReadInTheOrderOfWriting) {
  test::TemporaryFolder folder;
  EXPECT_TRUE(read_notes(folder.path()).empty());
  ASSERT_TRUE(append_note(folder.path(), {End::a, 3, true, "a \"click\"", "2026-11-21T10:00:00Z"}));
  ASSERT_TRUE(append_note(folder.path(), {End::b, 1, false, "fine", "2026-11-21T10:01:00Z"}));
  const auto notes = read_notes(folder.path());
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].text, "a \"click\"");
  EXPECT_TRUE(notes[0].sounds_different);
  EXPECT_EQ(notes[1].from, End::b);
  EXPECT_EQ(notes[1].sequence, 1U);
}

TEST(Notes, TornOrDamagedNotesAreLeftOut) {
  test::TemporaryFolder folder;
  ASSERT_TRUE(append_note(folder.path(), {End::a, 3, true, "heard", "2026-11-21T10:00:00Z"}));
  std::ofstream(folder.path() / kNotesFile, std::ios::app) << "{\"from\":\"a\"}\n[1]\nno JSON\n{\"fro";
  EXPECT_EQ(read_notes(folder.path()).size(), 1U);
}

TEST(Notes, NotesAfterATornOneAreRead) {
  test::TemporaryFolder folder;
  std::ofstream(folder.path() / kNotesFile) << R"({"from":"a","to":"b","seq)";
  for (const char* const text : {"first", "second"})
    ASSERT_TRUE(append_note(folder.path(), {End::a, 3, true, text, "2026-11-21T10:00:00Z"}));
  const auto notes = read_notes(folder.path());
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].text, "first");
  EXPECT_EQ(notes[1].text, "second");
}

TEST(Notes, ANoteWithoutAMeasurementIsRefused) {
  test::TemporaryFolder folder;
  EXPECT_FALSE(append_note(folder.path(), {End::a, 0, true, "x", ""}));
  EXPECT_FALSE(append_note(folder.path(), {End::a, 1, true, "two\nlines", ""}));
  EXPECT_EQ(append_note(folder.path() / "missing", {End::a, 1, true, "x", ""}).error().code, ErrorCode::io);
}

TEST(Notes, NotesAreLoadedWithTheirRun) {
  test::TemporaryFolder folder;
  ASSERT_TRUE(RunJournal::create(folder.path(), test::sample_run()));
  ASSERT_TRUE(append_note(folder.path(), {End::a, 1, true, "heard", "2026-11-21T10:00:00Z"}));
  EXPECT_EQ(test::read_journal(folder.path())->notes.size(), 1U);
}

}  // namespace
}  // namespace vqas
