#pragma once

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace vqas::cli {

/// A folder for temporary files, removed with its content at the end.
class ScratchFolder {
 public:
  /// `purpose` is part of its name. In TMPDIR, or else in /tmp.
  explicit ScratchFolder(const std::string& purpose) {
    std::error_code failed;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
    if (failed) return;
    std::string name = (parent / fmt::format("vqas-{}-XXXXXX", purpose)).string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  /// Empty if it could not be made.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace vqas::cli
