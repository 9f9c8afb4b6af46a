// Rows of CSV as RFC 4180 writes them.
#include "vqas/signal/csv.h"

#include <gtest/gtest.h>

namespace vqas {
namespace {

TEST(CsvField, OfPlainTextStaysAsItIs) {
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field(" a; 'b' "), " a; 'b' ");
}

TEST(CsvField, WithACommaAQuoteOrALineEndIsQuoted) {
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv_quoted("a"), "\"a\"");
}

// A reader takes such bytes from the front of a file, or refuses them as UTF-16.
TEST(CsvField, ThatBeginsLikeAByteOrderMarkIsQuoted) {
  for (const std::string mark : {"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"}) {
    EXPECT_EQ(csv_field(mark + "a"), "\"" + mark + "a\"");
    EXPECT_EQ(csv_field("a" + mark), "a" + mark);
  }
}

TEST(CsvLine, OfOneEmptyFieldIsNoBlankLine) {
  EXPECT_EQ(csv_line({""}), "\"\"\n");
  EXPECT_EQ(csv_line({"", ""}), ",\n");
  EXPECT_EQ(csv_line({"a", "b,c", ""}), "a,\"b,c\",\n");
}

}  // namespace
}  // namespace vqas
