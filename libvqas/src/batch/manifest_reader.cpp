#include "batch/manifest_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "batch/score_columns.h"

namespace vqas::batch {
namespace {

Error bad_manifest(const std::filesystem::path& path, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("the manifest {} {}", path.string(), what)};
}

std::size_t place_of(const CsvRow& header, const std::string& column) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin());
}

constexpr const char* kBlanks = " \t";

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// A file name may begin or end with blanks, so they are a fault only if no file has that name.
bool is_spoilt_by_blanks(const std::filesystem::path& folder, const std::string& name) {
  const std::string bare = without_blanks(name);
  std::error_code ignored;
  return bare != name && !std::filesystem::exists(folder / name, ignored);
}

Status check(const CsvRow& header, const std::filesystem::path& path, const CsvRow& reserved) {
  for (const char* column : {"reference", "degraded"}) {
    if (place_of(header, column) < header.size()) continue;
    if (std::any_of(header.begin(), header.end(),
                    [&](const std::string& name) { return without_blanks(name) == column; })) {
      return bad_manifest(path, fmt::format("has blanks around its column {}; remove them", column));
    }
    const bool other_separator = header.size() == 1 && header.front().find_first_of(";\t") != std::string::npos;
    return bad_manifest(path, fmt::format("has no column {}; {}", column,
                                          other_separator ? "separate its columns by commas"
                                                          : "its first row must name reference and degraded"));
  }
  for (const std::string& column : header) {
    if (std::count(header.begin(), header.end(), column) > 1) {
      return bad_manifest(path, fmt::format("names the column \"{}\" twice; rename one", column));
    }
    if (std::find(reserved.begin(), reserved.end(), column) != reserved.end()) {
      return bad_manifest(path, fmt::format("has a column {}, which is a column of the scores; rename it", column));
    }
  }
  return success();
}

}  // namespace

ManifestReader::ManifestReader(CsvReader reader, CsvRow header, const BatchOptions& options)
    : reader_(std::move(reader)),
      header_(std::move(header)),
      folder_(options.manifest.parent_path()),
      reference_channel_(options.reference_channel),
      degraded_channel_(options.degraded_channel),
      reference_(place_of(header_, "reference")),
      degraded_(place_of(header_, "degraded")) {}

Result<ManifestReader> ManifestReader::open(const BatchOptions& options) {
  const std::filesystem::path& path = options.manifest;
  auto reader = CsvReader::open(path);
  if (!reader) return reader.error();
  auto first = reader->next();
  if (!first) return first.error();
  if (!*first) return bad_manifest(path, "holds blank lines only; its first row must name reference and degraded");
  CsvRow header = *std::move(*first);
  if (auto checked = check(header, path, score_columns(options.columns)); !checked) return checked.error();
  return ManifestReader(*std::move(reader), std::move(header), options);
}

Result<std::optional<ManifestPair>> ManifestReader::next() {
  auto row = reader_.next();
  if (!row) return row.error();
  if (!*row) return std::optional<ManifestPair>{};
  ManifestPair pair;
  pair.fields = *std::move(*row);
  pair.files.reference_channel = reference_channel_;
  pair.files.degraded_channel = degraded_channel_;
  if (pair.fields.size() != header_.size()) {
    pair.fault = fmt::format(
        "the row has {} fields, but the manifest's header has {}; complete it, or quote a field that holds a comma",
        pair.fields.size(), header_.size());
    pair.fields.resize(header_.size());
    return std::optional{std::move(pair)};
  }
  for (const std::size_t column : {reference_, degraded_}) {
    const std::string& name = pair.fields[column];
    if (name.empty()) pair.fault = fmt::format("the field {} is empty; name a recording", header_[column]);
    if (name.find('\0') != std::string::npos) {
      pair.fault = fmt::format("the field {} holds a zero byte; write the name again", header_[column]);
    }
    if (pair.fault.empty() && is_spoilt_by_blanks(folder_, name)) {
      pair.fault = fmt::format("the field {} has blanks around the path, and no file is named \"{}\"; remove them",
                               header_[column], name);
    }
    // An absolute path stays unchanged.
    (column == reference_ ? pair.files.reference : pair.files.degraded) = folder_ / name;
  }
  return std::optional{std::move(pair)};
}

Result<std::size_t> count_pairs(const BatchOptions& options) {
  auto manifest = ManifestReader::open(options);
  if (!manifest) return manifest.error();
  std::size_t pairs = 0;
  while (true) {
    const auto pair = manifest->next();
    if (!pair) return pair.error();
    if (!*pair) break;
    ++pairs;
  }
  if (pairs == 0) return bad_manifest(options.manifest, "names no pair; add rows below its header");
  return pairs;
}

}  // namespace vqas::batch
