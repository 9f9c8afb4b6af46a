#include "report/escape.h"
#include "report/page.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, Helvetica, Arial, sans-serif; color: #222; background: #fff; margin: 0; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 28px 48px; }
h1 { font-size: 26px; margin: 0 0 6px; string-set: title content(); overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 34px 0 8px; border-bottom: 1px solid #c9cdd3; padding-bottom: 4px; }
h3 { font-size: 16px; margin: 18px 0 4px; }
p { margin: 6px 0 10px; max-width: 80ch; }
.quiet { color: #555; }
.small { font-size: 14px; }
.lead { font-size: 20px; margin: 12px 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 10px 0 14px; }
.facts dt { color: #555; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.facts .run { string-set: run content(); }
.cards { display: flex; flex-wrap: wrap; gap: 16px; margin: 18px 0 6px; }
.card { flex: 1 1 300px; border: 1px solid #c9cdd3; border-radius: 6px; padding: 12px 16px; }
.card .number { font-size: 44px; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card .unit { font-size: 17px; font-weight: 400; color: #555; }
.card svg, td svg { vertical-align: -2px; }
.card svg.gauge { display: block; width: 100%; max-width: 420px; margin: 4px 0 8px; }
.note { border-left: 4px solid #b36b00; background: #fff7e8; padding: 8px 12px; margin: 10px 0; max-width: 90ch; }
.verdict { font-size: 22px; font-weight: 600; padding: 8px 12px; border-left: 6px solid #8a8f98; background: #f4f5f7; }
.verdict.pass { border-color: #009E73; } .verdict.fail { border-color: #D55E00; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; margin: 8px 0 14px; }
th, td { padding: 4px 11px; border-bottom: 1px solid #e1e4e8; text-align: right; vertical-align: top; }
th { border-bottom: 2px solid #8a8f98; font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
td.zero { color: #8a8f98; }
pre { background: #f4f5f7; padding: 10px 12px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
code { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
svg { max-width: 100%; }
.plot svg { display: block; }
.plot.narrow { display: none; }
table.slots th, table.slots td { text-align: left; } .when { white-space: nowrap; }
table.stimuli td { white-space: nowrap; } table.stimuli td.minor { white-space: normal; }
table.stimuli td span { display: block; }
@media screen and (max-width: 640px) {
  main { padding: 14px 14px 32px; }
  h1 { font-size: 22px; } .lead { font-size: 18px; }
  .plot.wide { display: none; } .plot.narrow { display: block; }
  .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: 6px; }
  ul { padding-left: 20px; } li { overflow-wrap: anywhere; }
  table { font-size: 13px; width: 100%; } th, td { padding: 3px 5px; } th { font-size: 12px; }
  td.text { overflow-wrap: anywhere; min-width: 12em; }
  table.stack, table.stack tbody { display: block; } table.stack thead { display: none; }
  table.stack tr { display: flex; flex-wrap: wrap; column-gap: 12px; border-bottom: 1px solid #e1e4e8; padding: 5px 0; }
  table.stack td { border: 0; padding: 0; text-align: left; min-width: 0; }
  table.reasons td:nth-child(3)::before { content: "no. "; }
  table.reasons td:last-child, table.runs td:first-child, table.ranks td:last-child { flex-basis: 100%; }
  table.stimuli { font-size: 12px; } table.stimuli th { font-size: 11px; }
  table.stimuli th, table.stimuli td { padding: 3px 2px; } .minor { display: none; }
}
@page {
  size: A4; margin: 20mm 16mm 18mm;
  @top-left { content: string(title); font: 8.5pt Helvetica, Arial, sans-serif; color: #555; }
  @top-right { content: "run " string(run); font: 8.5pt Helvetica, Arial, sans-serif; color: #555; }
  @bottom-left { content: "VQAS, voice quality assessment"; font: 8.5pt Helvetica, Arial, sans-serif; color: #555; }
  @bottom-right { content: "page " counter(page) " of " counter(pages); font: 8.5pt Helvetica, Arial, sans-serif; color: #555; }
}
@page :first { @top-left { content: none; } @top-right { content: none; } }
@media print {
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  .small { font-size: 9pt; } .lead { font-size: 14pt; } .card .number { font-size: 34pt; }
  .cards { display: block; } .card { display: inline-block; width: 48%; margin-right: 1%; vertical-align: top; }
  table { font-size: 8.5pt; } th, td { padding: 2px 6px; }
  thead { display: table-header-group; } tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; } p + .scroll, p + ul { break-before: avoid; } p, li { orphans: 3; widows: 3; }
  .plot, .verdict, .note, .card, pre { break-inside: avoid; }
  .plot svg { max-height: 92mm; }
  pre.plan { break-inside: auto; font-size: 7.5pt; line-height: 1.3; } p.before-plan { break-after: avoid; }
  table { break-inside: avoid; } section.long table { break-inside: auto; }
  section.by-stimulus { break-before: page; } .scroll { overflow: visible; }
  .facts { display: block; } .facts dt { float: left; clear: left; width: 28mm; } .facts dd { margin-left: 30mm; }
}
)css";

}  // namespace

const char* page_style() {
  return kStyle;
}

std::string report_html(const RunResults& results, const Provenance& provenance, const std::string& command,
                        const std::string& plan, const std::string& recordings) {
  report::PageData data{results, provenance, command.empty() ? reproduce_command(results) : command,
                        plan,    {},         recordings};
  for (const DirectionRun& direction : results.directions)
    data.summaries.push_back(summarise(direction, results.sampling));

  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<title>Voice quality of " + report::escape(report::line_title(results)) + "</title>\n<style>" + kStyle;
  page += "</style>\n</head>\n<body>\n<main>\n";
  page += report::headline_section(data);
  page += report::plot_section(data);
  page += report::time_section(data);
  page += report::stimuli_section(data);
  page += report::outcomes_section(data);
  page += report::conditions_section(data);
  page += report::notes_section(data);
  page += report::conversation_section(data);
  page += report::meaning_section(data);
  page += report::provenance_section(data);
  page += report::annex_section(data);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace vqas
