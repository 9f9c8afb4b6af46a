#include "batch/csv_reader.h"

#include <csv.h>
#include <fmt/format.h>

#include <array>
#include <utility>

#include "vqas/signal/input_file.h"

namespace vqas::batch {
namespace {

constexpr std::size_t kLargestRow = 1 << 20;
constexpr std::size_t kChunk = 1 << 14;

struct ParsedRow {
  CsvRow fields;
  bool ended_by_newline = false;
};

}  // namespace

struct CsvReader::Parser {
  Parser(std::filesystem::path file, std::unique_ptr<InputFile> opened)
      : path(std::move(file)), input(std::move(opened)) {
    // Strict: a stray quote is reported, instead of swallowing the rows after it.
    csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI);
    // A space belongs to its field (RFC 4180, 2.4).
    csv_set_space_func(&csv, [](unsigned char) { return 0; });
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { csv_free(&csv); }

  static void on_field(void* text, std::size_t length, void* self) {
    auto& parser = *static_cast<Parser*>(self);
    parser.row.fields.emplace_back(static_cast<const char*>(text), length);
    parser.row_bytes += length + 1;
  }
  static void on_row(int end, void* self) {
    auto& parser = *static_cast<Parser*>(self);
    parser.row.ended_by_newline = end >= 0;
    parser.rows.push_back(std::exchange(parser.row, {}));
    parser.row_bytes = 0;
  }

  void fail(const std::string& what) { fault = Error{ErrorCode::bad_input, what}; }

  void parse(const char* data, std::size_t length) {
    if (csv_parse(&csv, data, length, on_field, on_row, this) != length) {
      // Rows before the fault are returned first.
      fail(
          fmt::format("{}: a quote in row {} is not closed or stands inside a field; put the whole field in quotes "
                      "and double the quotes within",
                      path.string(), given + rows.size() + 1));
    } else if (csv_get_buffer_size(&csv) + row_bytes > kLargestRow) {
      fail(fmt::format("{}: row {} is longer than 1 MiB; look for a quote that is not closed before it", path.string(),
                       given + rows.size() + 1));
    }
  }

  void read_chunk() {
    std::array<char, kChunk> chunk{};
    input->read(chunk.data(), chunk.size());
    auto length = static_cast<std::size_t>(input->gcount());
    if (input->bad()) {
      fault = Error{ErrorCode::io, fmt::format("cannot read {}; check its rights", path.string())};
      return;
    }
    const std::string_view text(chunk.data(), length);
    const std::size_t mark = first && text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    if (first && (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))) {
      fail(fmt::format("{} is UTF-16; save it as CSV in UTF-8", path.string()));
      return;
    }
    first = false;
    parse(chunk.data() + mark, length - mark);
    if (length == chunk.size() || fault) return;
    at_end = true;
    if (csv_fini(&csv, on_field, on_row, this) != 0) {
      fail(fmt::format("{}: a quote in row {} is not closed; close it", path.string(), given + rows.size() + 1));
    }
  }

  std::filesystem::path path;
  const std::unique_ptr<InputFile> input;
  csv_parser csv{};
  ParsedRow row;
  std::size_t row_bytes = 0;
  std::deque<ParsedRow> rows;
  std::size_t given = 0;
  bool first = true;
  bool at_end = false;
  bool last_ended_by_newline = false;
  std::optional<Error> fault;
};

Result<CsvReader> CsvReader::open(const std::filesystem::path& path) {
  auto input = InputFile::open(path, {"CSV file", kAnySize, "name a CSV file"});
  if (!input) return input.error();
  if ((*input)->size() == 0) {
    return Error{ErrorCode::bad_input, fmt::format("{} is empty; its first row must name the columns", path.string())};
  }
  return CsvReader(std::make_unique<Parser>(path, *std::move(input)));
}

CsvReader::CsvReader(std::unique_ptr<Parser> parser) : parser_(std::move(parser)) {}
CsvReader::CsvReader(CsvReader&&) noexcept = default;
CsvReader& CsvReader::operator=(CsvReader&&) noexcept = default;
CsvReader::~CsvReader() = default;

Result<std::optional<CsvRow>> CsvReader::next() {
  while (parser_->rows.empty() && !parser_->fault && !parser_->at_end) parser_->read_chunk();
  if (parser_->rows.empty()) {
    if (parser_->fault) return *parser_->fault;
    return std::optional<CsvRow>{};
  }
  ParsedRow row = std::move(parser_->rows.front());
  parser_->rows.pop_front();
  ++parser_->given;
  parser_->last_ended_by_newline = row.ended_by_newline;
  return std::optional<CsvRow>{std::move(row.fields)};
}

bool CsvReader::ended_by_newline() const {
  return parser_->last_ended_by_newline;
}

}  // namespace vqas::batch
