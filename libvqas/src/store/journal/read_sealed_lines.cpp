#include "store/journal/read_sealed_lines.h"

#include <fmt/format.h>

#include "store/journal/line_seal.h"
#include "store/journal/read_file.h"

namespace vqas::store {

Result<SealedLines> read_sealed_lines(const std::filesystem::path& path, const TakeLine& take) {
  const auto text = read_file(path);
  if (!text) return text.error();
  SealedLines lines;
  SealChain chain;
  std::string_view rest = *text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    const SealedLine sealed = unseal(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    lines.length = text->size() - rest.size();
    const SealChain::Fault fault = chain.next(sealed);
    if (fault != SealChain::Fault::none) ++lines.damaged;
    if (fault == SealChain::Fault::changed || fault == SealChain::Fault::unsealed) continue;
    const std::string where = fmt::format("{}, line {}", path.string(), number);
    const auto json = parse_json_text(sealed.object, where);
    const auto taken = json && json->is_object() ? take(*json, where) : Result<bool>(false);
    if (!taken) return taken.error();
    if (!*taken) ++lines.damaged;
  }
  lines.last = chain.last();
  return lines;
}

}  // namespace vqas::store
