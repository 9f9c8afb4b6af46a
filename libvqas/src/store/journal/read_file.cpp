#include "store/journal/read_file.h"

#include "vqas/signal/input_file.h"

namespace vqas::store {

Result<std::string> read_file(const std::filesystem::path& path) {
  return read_whole_file(path, {"file of a run", kLargestFile, "name the folder of a run"});
}

}  // namespace vqas::store
