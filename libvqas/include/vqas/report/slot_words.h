#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/store/slot_journal.h"

namespace vqas {

/// "left out: the run before took too long"
std::string in_words(SlotOutcome outcome);
/// The same with the slot's reason. Of a slot that was left out the reason says it all: "left out: the run before it
/// took until 2026-11-23 06:30:00 UTC".
std::string in_words(const SlotRecord& slot);
/// A name of the formats as words: "line away".
std::string without_underscores(std::string_view name);
/// "90 measured, 4 line away"; outcomes without a slot are left out. All of this header is re-entrant.
std::string slots_in_words(std::span<const SlotRecord> records);

/// Slots that follow each other with the same outcome and without a run, or one slot.
struct SlotRange {
  const SlotRecord* first = nullptr;  ///< of the records given
  const SlotRecord* last = nullptr;
};
/// All slots that were not measured.
std::vector<SlotRange> unmeasured_slots(std::span<const SlotRecord> records);
/// "7", "37 to 42"
std::string numbers_in_words(const SlotRange& range);
/// "2026-11-23 06:30:00", "2026-11-23 06:30:00 to 2026-11-23 08:30:00"
std::string due_in_words(const SlotRange& range);

}  // namespace vqas
