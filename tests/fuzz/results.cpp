// results.json: any text. What was read prints, and reads and prints the same again; every page can be made of it.
#include "fuzz.h"
#include "vqas/report/report.h"

using namespace vqas;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto run = parse_results(fuzz::text_of({data, size}));
  if (!run) return 0;
  const std::string printed = results_json(run->results, run->provenance);
  const auto again = parse_results(printed);
  fuzz::require(static_cast<bool>(again), "what was printed can be read");
  fuzz::require(results_json(again->results, again->provenance) == printed, "what was read prints the same");
  (void)results_csv(run->results);
  const std::string page = report_html(run->results, run->provenance, "vqas measure");
  fuzz::require(page.find("<script>alert") == std::string::npos, "no text of a run becomes part of the page's code");
  return 0;
}
