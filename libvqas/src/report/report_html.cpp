#include "report/escape.h"
#include "report/page.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, Helvetica, Arial, sans-serif; color: #222; background: #fff; margin: 0; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 28px 48px; }
h1 { font-size: 26px; margin: 0 0 2px; }
h2 { font-size: 19px; margin: 34px 0 8px; border-bottom: 1px solid #c9cdd3; padding-bottom: 4px; }
p { margin: 6px 0 10px; max-width: 80ch; }
.quiet { color: #555; }
.cards { display: flex; flex-wrap: wrap; gap: 16px; margin: 18px 0 6px; }
.card { flex: 1 1 320px; border: 1px solid #c9cdd3; border-radius: 6px; padding: 12px 16px; }
.card .number { font-size: 34px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card .unit { font-size: 17px; color: #555; }
.card svg, td svg { vertical-align: -2px; }
.note { border-left: 4px solid #b36b00; background: #fff7e8; padding: 8px 12px; margin: 10px 0; max-width: 90ch; }
.verdict { font-size: 20px; font-weight: 600; padding: 8px 12px; border-left: 6px solid #8a8f98; background: #f4f5f7; }
.verdict.pass { border-color: #009E73; } .verdict.fail { border-color: #D55E00; }
h3 { font-size: 16px; margin: 18px 0 4px; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; margin: 8px 0 14px; }
th, td { padding: 4px 11px; border-bottom: 1px solid #e1e4e8; text-align: right; vertical-align: top; }
th { border-bottom: 2px solid #8a8f98; font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
td.zero { color: #8a8f98; }
pre { background: #f4f5f7; padding: 10px 12px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
svg { max-width: 100%; }
.plot { overflow-x: auto; }
.plot svg { display: block; min-width: 760px; }
@media print {
  .plot svg { min-width: 0; }
  body { font-size: 11pt; } main { max-width: none; padding: 0; }
  table { font-size: 9pt; } th, td { padding: 2px 6px; }
  h2, h3 { break-after: avoid; } p + .scroll, p + ul { break-before: avoid; } p, li { orphans: 3; widows: 3; }
  .plot, .verdict, .note, .card, pre, table, tr { break-inside: avoid; } section.long table { break-inside: auto; }
}
)css";

}  // namespace

const char* page_style() {
  return kStyle;
}

std::string report_html(const RunResults& results, const Provenance& provenance, const std::string& command) {
  report::PageData data{results, provenance, command.empty() ? reproduce_command(results) : command, {}};
  for (const DirectionRun& direction : results.directions)
    data.summaries.push_back(summarise(direction, results.sampling));

  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<title>Voice quality of " + report::escape(report::line_title(results)) + "</title>\n<style>" + kStyle;
  page += "</style>\n</head>\n<body>\n<main>\n";
  page += report::headline_section(data);
  page += report::verdict_section(data);
  page += report::plot_section(data);
  page += report::stimuli_section(data);
  page += report::time_section(data);
  page += report::outcomes_section(data);
  page += report::notes_section(data);
  page += report::conversation_section(data);
  page += report::conditions_section(data);
  page += report::meaning_section(data);
  page += report::provenance_section(data);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace vqas
