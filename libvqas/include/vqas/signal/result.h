#pragma once

#include <string>
#include <utility>
#include <variant>

namespace vqas {

/// Why an operation failed. Decides the exit code of a command; never shown alone.
enum class ErrorCode {
  bad_input,    ///< a file, option or message is missing, damaged or out of range
  io,           ///< the system refused to read or write
  unsupported,  ///< this build or this line does not support the request
  line_lost,    ///< the line or the other end went away
  protocol,     ///< the other end violated the protocol
  cancelled,    ///< a stop was requested
};

/// A failure in words: `message` names the file or the option and the remedy, without a final full stop.
struct Error {
  ErrorCode code = ErrorCode::bad_input;
  std::string message;
};

/// End the program with a message to standard error, in every build. The cause is a programming error that no caller
/// can handle; an exception would be mistaken for bad input where parser exceptions are caught.
[[noreturn]] void abort_without_value(const Error* error);
[[noreturn]] void abort_without_error();

/// A value, or the reason why there is none. Must be checked: value() without a value and error() without an error end
/// the program. To be replaced by std::expected when the project moves to C++23. Not thread-safe.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<T>(content_); }

  T& value() & { return const_cast<T&>(std::as_const(*this).value()); }
  const T& value() const& {
    if (const T* const value = std::get_if<T>(&content_)) return *value;
    abort_without_value(std::get_if<Error>(&content_));
  }
  T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    if (const Error* const error = std::get_if<Error>(&content_)) return *error;
    abort_without_error();
  }

 private:
  std::variant<T, Error> content_;
};

/// The result of an operation that returns only success or failure.
using Status = Result<std::monostate>;
inline Status success() {
  return std::monostate{};
}

}  // namespace vqas
