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

TEST(CsvLine, OfOneEmptyFieldIsNoBlankLine) {
  EXPECT_EQ(csv_line({""}), "\"\"\n");
  EXPECT_EQ(csv_line({"", ""}), ",\n");
  EXPECT_EQ(csv_line({"a", "b,c", ""}), "a,\"b,c\",\n");
}

}  // namespace
}  // namespace vqas
