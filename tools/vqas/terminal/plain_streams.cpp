#include "terminal/plain_streams.h"

#include <unistd.h>

#include <iostream>
#include <string>

#include "vqas/signal/plain_text.h"

namespace vqas::cli {
namespace {

/// Filters the text from a stream to the terminal.
class PlainBuffer : public std::streambuf {
 public:
  explicit PlainBuffer(std::streambuf* terminal) : terminal_(terminal) {}
  std::streambuf* terminal() const { return terminal_; }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  // A character may arrive in pieces.
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    waiting_.append(text, static_cast<std::size_t>(count));
    const std::size_t whole = whole_characters(waiting_);
    const std::string plain = plain_text(std::string_view(waiting_).substr(0, whole), "\n\t");
    waiting_.erase(0, whole);
    const auto length = static_cast<std::streamsize>(plain.size());
    return terminal_->sputn(plain.data(), length) == length ? count : 0;
  }
  int sync() override { return terminal_->pubsync(); }

 private:
  std::streambuf* const terminal_;
  std::string waiting_;
};

}  // namespace

class PlainStreams::Filter {
 public:
  explicit Filter(std::ostream& stream) : stream_(stream), buffer_(stream.rdbuf()) { stream_.rdbuf(&buffer_); }
  // rdbuf() clears the stream's error state.
  ~Filter() {
    const auto state = stream_.rdstate();
    stream_.rdbuf(buffer_.terminal());
    stream_.setstate(state);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

 private:
  std::ostream& stream_;
  PlainBuffer buffer_;
};

PlainStreams::PlainStreams() : errors_(std::make_unique<Filter>(std::cerr)) {
  if (::isatty(STDOUT_FILENO) == 1) output_ = std::make_unique<Filter>(std::cout);
}

PlainStreams::~PlainStreams() = default;

void move_cursor(std::ostream& terminal, std::string_view sequence) {
  auto* const filter = dynamic_cast<PlainBuffer*>(terminal.rdbuf());
  std::streambuf* const to = filter != nullptr ? filter->terminal() : terminal.rdbuf();
  to->sputn(sequence.data(), static_cast<std::streamsize>(sequence.size()));
  to->pubsync();
}

}  // namespace vqas::cli
