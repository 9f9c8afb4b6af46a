// Damaged journals of runs. VQAS_FUZZ_SEED and VQAS_FUZZ_TEXTS change the seed and the length.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "support/fuzz.h"
#include "support/journals.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

TEST(JournalFuzz, ADamagedJournalIsReadInPartOrRefusedAndCanBeResumed) {
  const std::uint64_t seed = test::number_of("VQAS_FUZZ_SEED", 1), texts = test::number_of("VQAS_FUZZ_TEXTS", 2000);
  std::cout << "seed " << seed << ", " << texts << " texts\n";
  const fs::path folder = fs::path(::testing::TempDir()) / "vqas-journal-fuzz";
  fs::remove_all(folder);
  RunResults plan;
  plan.directions = {{End::a, {{.stimulus = "M1", .measurements = {}, .interval = {}}}},
                     {End::b, {{.stimulus = "M1", .measurements = {}, .interval = {}}}}};
  {
    auto journal = RunJournal::create(folder, plan);
    ASSERT_TRUE(journal);
    for (std::uint32_t n = 1; n <= 6; ++n) {
      Measurement one;
      one.sequence = n;
      one.outcome = n == 3 ? Outcome::line_lost : Outcome::scored;
      if (n != 3) one.mos_lqo = 4;
      ASSERT_TRUE(journal->append(n % 2 == 0 ? End::a : End::b, "M1", one));
    }
    ASSERT_TRUE(journal->close(plan));
  }
  std::ifstream file(folder / kJournalFile, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  test::Mutator mutator(seed, {whole});
  std::uint64_t read = 0;
  for (std::uint64_t n = 0; n < texts; ++n) {
    const std::string text = mutator.next();
    std::ofstream(folder / kJournalFile, std::ios::binary | std::ios::trunc) << text;
    const auto results = test::read_journal(folder);
    if (!results) continue;
    ++read;
    for (const DirectionRun& direction : results->directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        std::set<std::uint32_t> sequences;
        for (const Measurement& one : stimulus.measurements) ASSERT_TRUE(sequences.insert(one.sequence).second) << text;
      }
    }
    auto again = RunJournal::resume(folder, *results);
    if (again) {
      ASSERT_TRUE(test::read_journal(folder)) << text;
    }
  }
  EXPECT_GT(read, texts / 4);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace vqas
