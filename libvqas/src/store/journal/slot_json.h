#pragma once

#include <string>

#include "run/json.h"
#include "vqas/store/slot_journal.h"

namespace vqas::store {

/// The text without line ends and other control characters, cut to a kilobyte: messages of the system may have several
/// lines.
std::string one_line(std::string text);

// The lines of slots.jsonl. Each object has one member that says what it is.
Json to_json(const SlotTimes& times);
Json to_json(const SlotRecord& slot);
Json to_json(const ClockStep& step);

/// Adds a line after the first to `log`. Fails with bad_input.
Status add_line(const Json& json, const std::string& where, SlotLog& log);

}  // namespace vqas::store
