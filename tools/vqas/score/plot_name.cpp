#include "score/plot_name.h"

#include <fmt/format.h>

namespace vqas::cli {

Status check_plot_name(const std::filesystem::path& path) {
  if (path.extension() == ".svg" || path.extension() == ".png") return success();
  return Error{ErrorCode::bad_input, fmt::format("the plot {} must end in .svg or .png; name it so", path.string())};
}

}  // namespace vqas::cli
