// CSV files row by row: their permitted content, and the row of each fault.
#include "batch/csv_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace vqas::batch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CsvReaderTest : public ::testing::Test {
 protected:
  Result<CsvReader> read(const std::string& text) const {
    test::write_text(folder_.path() / "table.csv", text);
    return CsvReader::open(folder_.path() / "table.csv");
  }
  test::TemporaryFolder folder_;
};

std::vector<CsvRow> rows_of(CsvReader& reader, std::string& fault) {
  std::vector<CsvRow> rows;
  while (true) {
    auto row = reader.next();
    if (!row) fault = row.error().message;
    if (!row || !*row) return rows;
    rows.push_back(*std::move(*row));
  }
}

TEST_F(CsvReaderTest, ReadsWhatTheWriterWrote) {
  const std::vector<CsvRow> written{
      {"\xEF\xBB\xBF", "b"}, {"two\r\nlines", "\"quoted\", with a comma"}, {"", " blank "}};
  std::string text;
  for (const CsvRow& row : written) text += csv_line(row);
  auto reader = read(text);
  ASSERT_TRUE(reader);
  std::string fault;
  EXPECT_EQ(rows_of(*reader, fault), written);
  EXPECT_EQ(fault, "");
  EXPECT_TRUE(reader->ended_by_newline());
}

TEST_F(CsvReaderTest, TakesAByteOrderMarkBlankLinesAndAnUnendedLastRow) {
  auto reader = read(
      "\xEF\xBB\xBF"
      "a,b\r\n\r\n1,2");
  ASSERT_TRUE(reader);
  std::string fault;
  EXPECT_THAT(rows_of(*reader, fault), ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "2")));
  EXPECT_FALSE(reader->ended_by_newline());
}

TEST_F(CsvReaderTest, AFaultIsReportedAfterTheRowsBeforeIt) {
  auto reader = read("a,b\n1,2\n\"3,4\n");
  ASSERT_TRUE(reader);
  std::string fault;
  EXPECT_EQ(rows_of(*reader, fault).size(), 2U);
  EXPECT_THAT(fault, HasSubstr("row 3 is not closed"));
  EXPECT_FALSE(reader->next()) << "and every call after it fails";
}

TEST_F(CsvReaderTest, AnEmptyFileAndUtf16AreRefused) {
  const auto empty = read("");
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("is empty"));
  auto wide = read(
      "\xFF\xFE"
      "a");
  ASSERT_TRUE(wide);
  const auto row = wide->next();
  ASSERT_FALSE(row);
  EXPECT_THAT(row.error().message, HasSubstr("UTF-16"));
}

}  // namespace
}  // namespace vqas::batch
