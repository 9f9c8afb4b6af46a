#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/store/journal.h"

namespace vqas::test {

/// The journal of sample_run(), complete, in a folder of its own.
class RunInAFolder {
 public:
  RunInAFolder() {
    run_.about.uuid = "11111111-2222-3333-4444-555555555555";
    auto journal = RunJournal::create(home_.path(), run_);
    EXPECT_TRUE(journal) << journal.error().message;
    for (const DirectionRun& direction : run_.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements)
          EXPECT_TRUE(journal->append(direction.from, stimulus.stimulus, one));
      }
    }
    EXPECT_TRUE(journal->close(run_));
  }
  const std::filesystem::path& folder() const { return home_.path(); }

  /// Makes the journal's second line unreadable.
  void damage_first_measurement() const {
    std::string journal = read_text(folder() / kJournalFile);
    journal[journal.find('\n') + 1] = '#';
    write_text(folder() / kJournalFile, journal);
  }

 private:
  TemporaryFolder home_;
  RunResults run_ = sample_run();
};

}  // namespace vqas::test
