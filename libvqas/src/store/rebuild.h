#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "store/json.h"
#include "vqas/store/journal.h"

namespace vqas::store {

/// Fills a run from the lines of a journal, one after the other, wherever they were kept.
class Rebuilder {
 public:
  Status header(const Json& json, const std::string& where);
  Status line(const Json& json, const std::string& where);
  /// A line after the header that cannot be used.
  void leave_out(const Error& why);
  StoredRun finish();

 private:
  Status measurement(const Json& json, const std::string& where);
  Status end(const Json& json, const std::string& where);
  StimulusRun* find(Reader& reader);

  StoredRun run_;
  std::set<std::pair<std::string, std::uint32_t>> sequences_;
  bool ended_ = false;
  std::size_t left_out_ = 0;
  std::string first_fault_;
};

}  // namespace vqas::store
