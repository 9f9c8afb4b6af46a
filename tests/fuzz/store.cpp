// The store of runs: a database file that somebody else made, or a journal that is taken into a new one.
#include "fuzz.h"
#include "qt_application.h"
#include "vqas/store/run_store.h"

using namespace vqas;

namespace {

void read_all(RunStore& store) {
  const auto runs = store.list({.tags = {}, .campaign = {}, .since_utc = "2026", .until_utc = {}});
  if (!runs) return;
  for (const StoredRunInfo& run : *runs) {
    const auto loaded = store.load(run.uuid);
    fuzz::require(loaded || !loaded.error().message.empty(), "a refusal has a reason");
  }
}

void check_database(const std::string& bytes) {
  const auto file = fuzz::folder().put("in.sqlite", bytes).string();
  for (const char* const behind : {"-journal", "-wal", "-shm"}) std::filesystem::remove(file + behind);
  if (auto store = RunStore::open(file, RunStore::Access::read)) read_all(*store);
}

void check_journal(const std::string& text) {
  fuzz::folder().put(kJournalFile, text);
  auto store = RunStore::open("sqlite::memory:");
  fuzz::require(static_cast<bool>(store), "a store in memory can be opened");
  const auto taken = store->take(fuzz::folder().path());
  if (!taken) return;
  const auto again = store->take(fuzz::folder().path());
  fuzz::require(again && again->measurements == 0, "a run that is taken again adds nothing");
  const auto run = store->load(taken->uuid);
  fuzz::require(static_cast<bool>(run) || taken->uuid.empty(), "a run that was taken can be loaded");
  read_all(*store);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::need_qt();
  const std::string content = fuzz::text_of({data, size});
  content.starts_with("SQLite format 3") ? check_database(content) : check_journal(content);
  return 0;
}
