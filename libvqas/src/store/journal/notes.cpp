#include "vqas/store/notes.h"

#include <string_view>
#include <system_error>

#include "run/about_json.h"
#include "run/run_json.h"
#include "store/journal/append_file.h"
#include "store/journal/read_file.h"

namespace vqas {

Status append_note(const std::filesystem::path& folder, const OperatorNote& note) {
  const store::Json json = store::to_json(note);
  if (const auto back = store::note_from_json(json, "the note"); !back) return back.error();
  auto file = store::AppendFile::open(folder / kNotesFile);
  if (!file) return file.error();
  return file->append(store::to_line(json) + "\n");
}

std::vector<OperatorNote> read_notes(const std::filesystem::path& folder) {
  std::vector<OperatorNote> notes;
  std::error_code failed;
  if (!std::filesystem::exists(folder / kNotesFile, failed)) return notes;
  const auto text = store::read_file(folder / kNotesFile);
  if (!text) return notes;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const auto json = parse_json_text(rest.substr(0, end), kNotesFile);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!json) continue;
    if (auto note = store::note_from_json(*json, kNotesFile)) notes.push_back(*std::move(note));
  }
  return notes;
}

}  // namespace vqas
