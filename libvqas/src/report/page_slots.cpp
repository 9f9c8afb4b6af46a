// The slots of a campaign: how many were measured, and what became of the others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "report/escape.h"
#include "report/page.h"
#include "vqas/report/slot_words.h"
#include "vqas/store/utc_text.h"

namespace vqas {

std::string in_words(SlotOutcome outcome) {
  switch (outcome) {
    case SlotOutcome::measured:
      return "measured";
    case SlotOutcome::cut_short:
      return "broken off; what was measured is kept";
    case SlotOutcome::line_away:
      return "the line or a node was away";
    case SlotOutcome::disk_full:
      return "files could not be written";
    case SlotOutcome::failed:
      return "could not be measured";
    case SlotOutcome::overran:
      return "left out: the run before took too long";
    case SlotOutcome::stopped:
      return "left out: stopped by the user";
    case SlotOutcome::not_running:
      return "left out: the machine was off, or the command did not run";
    case SlotOutcome::clock_step:
      return "left out: the system's clock was set forward, or the machine slept";
    case SlotOutcome::not_recorded:
      break;
  }
  return "lost: neither a record nor a run is left";
}

std::string in_words(const SlotRecord& slot) {
  if (slot.why.empty()) return in_words(slot.outcome);
  return (was_left_out(slot.outcome) ? "left out" : in_words(slot.outcome)) + ": " + slot.why;
}

std::string without_underscores(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string slots_in_words(std::span<const SlotRecord> records) {
  const auto counts = count_slots(records);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts.at(i) > 0)
      parts.push_back(fmt::format("{} {}", counts.at(i), without_underscores(to_string(kSlotOutcomes.at(i)))));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<SlotRange> unmeasured_slots(std::span<const SlotRecord> records) {
  std::vector<SlotRange> ranges;
  for (const SlotRecord& one : records) {
    if (one.outcome == SlotOutcome::measured) continue;
    const SlotRecord* const before = ranges.empty() ? nullptr : ranges.back().last;
    const bool follows = before != nullptr && before->number + 1 == one.number && before->outcome == one.outcome &&
                         before->run.empty() && one.run.empty();
    if (follows) {
      ranges.back().last = &one;
    } else {
      ranges.push_back({&one, &one});
    }
  }
  return ranges;
}

std::string numbers_in_words(const SlotRange& range) {
  const std::string first = std::to_string(range.first->number);
  return range.first == range.last ? first : fmt::format("{} to {}", first, range.last->number);
}

std::string due_in_words(const SlotRange& range) {
  const std::string first = utc_words(range.first->due_s);
  return range.first == range.last ? first : fmt::format("{} to {}", first, utc_words(range.last->due_s));
}

namespace report {
namespace {

std::string unbroken(const std::string& html) {
  return "<span class=\"when\">" + html + "</span>";
}

}  // namespace

std::string link_to_run(const std::string& name) {
  return unbroken("<a href=\"" + escape(name) + "/report.html\">" + escape(name) + "</a>");
}

std::string slots_section(std::span<const SlotRecord> records) {
  if (records.empty()) return "";
  std::string rows;
  for (const SlotRange& range : unmeasured_slots(records))
    rows += table_row({unbroken(numbers_in_words(range)), unbroken(due_in_words(range)),
                       escape(in_words(range.first->outcome)), escape(range.first->why),
                       range.first->run.empty() ? "" : link_to_run(range.first->run)});
  std::string section = fmt::format("<section>\n<h2>Slots</h2>\n<p>{} slots are over: {}.</p>\n", records.size(),
                                    escape(slots_in_words(records)));
  if (!rows.empty())
    section += "<div class=\"scroll\"><table class=\"stack slots\">\n<thead>" +
               table_row({"slot", "due, UTC", "what became of it", "why", "run"}, "th") + "</thead>\n<tbody>\n" + rows +
               "</tbody>\n</table></div>\n";
  return section + "</section>\n";
}

}  // namespace report
}  // namespace vqas
