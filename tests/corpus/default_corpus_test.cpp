#include "vqas/corpus/default_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_corpus.h"

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using DefaultCorpus = test::ScratchFolder;

TEST_F(DefaultCorpus, ANamedFolderIsUsedEvenWhenItIsWrong) {
  const auto project = test::project_corpus();
  EXPECT_EQ(find_default_corpus({"named", "environment", {project}}).value(), "named");
  EXPECT_EQ(find_default_corpus({"", "environment", {project}}).value(), "environment");
}

TEST_F(DefaultCorpus, OtherwiseTheFirstFallbackWithACorpusIsUsed) {
  const auto project = test::project_corpus();
  EXPECT_EQ(find_default_corpus({"", "", {folder_, project}}).value(), project);
  test::write_text(folder_ / "manifest.json", "{}");
  EXPECT_EQ(find_default_corpus({"", "", {folder_, project}}).value(), folder_);
}

TEST_F(DefaultCorpus, WithoutAnyTheErrorNamesThePlacesAndTheRemedy) {
  const auto none = find_default_corpus({"", "", {folder_ / "a", folder_ / "b"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  EXPECT_THAT(none.error().message, AllOf(HasSubstr((folder_ / "a").string()), HasSubstr((folder_ / "b").string()),
                                          HasSubstr("--corpus"), HasSubstr("VQAS_CORPUS")));
  EXPECT_FALSE(find_default_corpus({}));
}

}  // namespace
}  // namespace vqas
