#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/json_text.h"
#include "vqas/trend/site.h"

namespace vqas::trend {

/// The runs of a site as they were when it was last written, with the stamps of their sources.
class SiteRecord {
 public:
  /// Of the site in `folder`; an empty one when there is none, or it is damaged or of another release.
  static SiteRecord read(const std::filesystem::path& folder);

  /// The run from `source`, if it was known with the same `stamp`.
  std::optional<RunOfTrend> known(const std::string& source, const std::string& stamp) const;
  void keep(const std::string& source, const std::string& stamp, const RunOfTrend& run);
  const std::vector<std::string>& pages() const { return pages_; }
  void set_pages(std::vector<std::string> pages) { pages_ = std::move(pages); }
  /// As the content of kSiteFile; only what was kept since.
  std::string text() const;

 private:
  struct Entry {
    std::string stamp;
    Json run;
  };
  std::map<std::string, Entry> before_, now_;
  std::vector<std::string> pages_;
};

/// collect_runs() with what is known already.
Result<CollectedRuns> collect_runs(const TrendSources& sources, SiteRecord& record);

/// A circuit's line on the index page.
struct IndexEntry {
  CircuitTrend trend;
  std::string page;  ///< relative
};
std::string index_html(const std::vector<IndexEntry>& circuits, double now_s);

}  // namespace vqas::trend
