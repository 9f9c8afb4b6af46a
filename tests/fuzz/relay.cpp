// What the relay reads besides packets: changed conditions from its control socket, and the notes on a pattern.
#include "fuzz.h"
#include "relay/pattern_file.h"
#include "relay/relay_json.h"

using namespace vqas;

namespace {

void check_notes(const std::string& text) {
  const fuzz::Folder& folder = fuzz::folder();
  folder.put("in.bits.json", text);
  const auto notes = read_pattern_notes(folder.path() / "in.bits");
  if (!notes) return;
  const std::string written = notes_text(*notes);
  folder.put("out.bits.json", written);
  const auto again = read_pattern_notes(folder.path() / "out.bits");
  fuzz::require(again && notes_text(*again) == written, "what was written reads as the same notes");
}

void check_changes(const std::string& text) {
  RelayConditions conditions;
  // Several changes, one a line: each begins with the conditions that the one before left.
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto changed = with_changes(conditions, text.substr(begin, end - begin));
    begin = end + 1;
    if (!changed) continue;
    fuzz::require(static_cast<bool>(validate(*changed)), "changed conditions are valid");
    for (const Relayed relayed : {Relayed::packets, Relayed::sound}) (void)to_json(*changed, relayed).dump();
    conditions = *changed;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  check_notes(text);
  check_changes(text);
  return 0;
}
