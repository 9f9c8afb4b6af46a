// What the relay reads besides packets: changed conditions from its control socket.
#include "fuzz.h"
#include "relay/relay_json.h"

using namespace vqas;

namespace {

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
  check_changes(text);
  return 0;
}
