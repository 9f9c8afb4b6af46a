#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lines/guarded.h"
#include "support/child.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"

namespace vqas::test {

/// "vqas node" as a process.
class NodeProcess {
 public:
  /// `before`: words before the command, for example "ip netns exec NAME".
  NodeProcess(const std::string& end, const std::string& line, const std::filesystem::path& folder,
              std::vector<std::string> before = {}, const std::string& control = "127.0.0.1:0")
      : folder_(folder / end), output_(folder / (end + ".out")) {
    before.insert(before.end(), {test::vqas_command(), "node", "--end", end, "--line", line, "--data", folder_.string(),
                                 "--corpus", std::string(test::source_dir()) + "/corpus", "--control", control});
    child_ = std::make_unique<Child>(guarded(std::move(before)), output_);
  }
  /// The control address once it is ready; empty when it did not start.
  std::string address() const {
    std::size_t end = std::string::npos;
    wait_until([&] { return (end = output().find('\n')) != std::string::npos; });
    const auto json = nlohmann::json::parse(output().substr(0, end), nullptr, false);
    return json.is_object() ? json.value("control", std::string()) : std::string();
  }
  std::string output() const { return read_text(output_); }
  const std::filesystem::path& data() const { return folder_; }
  Child& child() { return *child_; }

 private:
  std::filesystem::path folder_, output_;
  std::unique_ptr<Child> child_;
};

}  // namespace vqas::test
