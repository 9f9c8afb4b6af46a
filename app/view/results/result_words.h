#pragma once

#include <QString>
#include <cstddef>
#include <filesystem>

#include "model/run_export.h"

namespace vqas::app {

// Words of the page of results, in the language of the moment.

/// A folder as people write it: "~/vqas-results".
QString at_home(const QString& folder);
QString path_of(const std::filesystem::path& path);
/// "1 run", "12 runs"
QString count_words(std::size_t count);
QString exported_words(const ExportWish& wish, const ExportedRun& done);

}  // namespace vqas::app
