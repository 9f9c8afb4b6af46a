#include "vqas/sync/marks_found.h"

#include "signal/words.h"

namespace vqas {
namespace {

constexpr Words<MarksFound, 4> kMarksFound{{{"both", MarksFound::both},
                                            {"leading_only", MarksFound::leading_only},
                                            {"trailing_only", MarksFound::trailing_only},
                                            {"none", MarksFound::none}}};

}  // namespace

std::string_view to_string(MarksFound marks) {
  return word_of(kMarksFound, marks);
}

std::optional<MarksFound> marks_found_from_string(std::string_view name) {
  return value_of(kMarksFound, name);
}

}  // namespace vqas
