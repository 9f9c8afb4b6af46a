#include "vqas/trend/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "trend/site_record.h"
#include "vqas/corpus/digest.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndexFile = "index.html";
constexpr const char* kCircuits = "circuits";
constexpr std::uint64_t kLargestPage = 1ULL << 30;

Status check_place(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder / kIndexFile, failed) && !fs::exists(folder / kSiteFile, failed))
    return Error{ErrorCode::bad_input,
                 fmt::format("{} holds an {} but no {}: it is not a site of VQAS; name another folder", folder.string(),
                             kIndexFile, kSiteFile)};
  fs::create_directories(folder / kCircuits, failed);
  if (failed)
    return Error{ErrorCode::io, fmt::format("cannot make the folder {}: {}", folder.string(), failed.message())};
  return success();
}

/// Counts the file when it was new or has changed.
Status renew(const fs::path& file, const std::string& content, std::size_t& written) {
  std::error_code failed;
  if (fs::exists(file, failed)) {
    const auto before = read_whole_file(file, {"page of a site", kLargestPage, "remove it"});
    if (before && *before == content) return success();
  }
  ++written;
  return write_file_atomically(file, content);
}

}  // namespace

std::string circuit_file_name(const Circuit& circuit) {
  constexpr std::size_t kLongest = 40, kDigits = 16;
  std::string name;
  for (const char c : shown_name(circuit)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (plain || capital) {
      name += capital ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
    if (name.size() == kLongest) break;
  }
  if (!name.empty() && name.back() != '-') name += '-';
  // No name has a zero byte, so it parts the mode from the name.
  std::string whole = circuit.name;
  if (circuit.mode != ScoreMode::narrowband) whole.append(1, '\0').append(to_string(circuit.mode));
  return name + sha256_hex(whole).substr(0, kDigits);
}

Result<WrittenSite> write_site(const fs::path& folder, const TrendSources& sources, const SiteOptions& options) {
  if (const Status fit = check_place(folder); !fit) return fit.error();
  trend::SiteRecord record = trend::SiteRecord::read(folder);
  auto collected = trend::collect_runs(sources, record);
  if (!collected) return collected.error();
  WrittenSite site{.index = folder / kIndexFile,
                   .runs = collected->runs.size(),
                   .read = collected->read,
                   .left_out = collected->left_out,
                   .why_left_out = collected->why_left_out};
  std::map<Circuit, std::vector<RunOfTrend>> circuits;
  for (RunOfTrend& run : collected->runs) {
    Circuit circuit = circuit_of(run);
    circuits[std::move(circuit)].push_back(std::move(run));
  }
  site.circuits = circuits.size();
  TrendOptions how = options.trend;
  how.now_s = options.now_s;
  std::vector<trend::IndexEntry> index;
  std::vector<std::string> pages;
  for (auto& [circuit, runs] : circuits) {
    const std::string file = circuit_file_name(circuit);
    trend::IndexEntry entry{trend_of(std::move(runs), how, std::move(collected->missed[circuit])),
                            fmt::format("{}/{}.html", kCircuits, file)};
    const TrendPage place{.page_folder = (folder / kCircuits).string(),
                          .index = "../index.html",
                          .json = file + ".json",
                          .now_s = options.now_s};
    for (const auto& [ending, content] :
         {std::pair(".json", trend_json(entry.trend)), std::pair(".html", trend_html(entry.trend, place))}) {
      if (const Status done = renew(folder / kCircuits / (file + ending), content, site.written); !done)
        return done.error();
      pages.push_back(file + ending);
    }
    index.push_back(std::move(entry));
  }
  const std::vector<std::string> before = record.pages();
  record.set_pages(pages);
  if (const Status done = renew(site.index, trend::index_html(index, options.now_s), site.written); !done)
    return done.error();
  if (const Status done = renew(folder / kSiteFile, record.text(), site.written); !done) return done.error();
  // Only files of this site go, whatever its record says.
  std::error_code failed;
  for (const std::string& old : before) {
    const bool own = old.find('/') == std::string::npos && !old.starts_with('.') &&
                     (old.ends_with(".html") || old.ends_with(".json"));
    if (own && std::ranges::find(pages, old) == pages.end()) fs::remove(folder / kCircuits / old, failed);
  }
  return site;
}

}  // namespace vqas
