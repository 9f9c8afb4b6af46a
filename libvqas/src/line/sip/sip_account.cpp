#include "line/sip/sip_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "signal/private_file.h"

namespace vqas {
namespace {

constexpr std::uint64_t kMostBytes = 4096;
constexpr const char* kForm = "write the lines \"user = NAME\" and \"password = TEXT\"";

std::string trimmed(const std::string& text) {
  constexpr const char* kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Both go into a header between quotation marks, or into a digest of one line.
bool is_usable(const std::string& text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7F'; });
}

Result<SipAccount> read_account(const std::string& path) {
  const auto text = read_private_file(path, {"SIP account", kMostBytes, kForm});
  if (!text) return text.error();
  SipAccount account;
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    const std::size_t equals = content.find('=');
    const std::string key = trimmed(content.substr(0, equals));
    std::string* const value = key == "user" ? &account.user : key == "password" ? &account.password : nullptr;
    if (equals == std::string::npos || value == nullptr || !value->empty()) {
      return Error{ErrorCode::bad_input, fmt::format("{}: line {} is wrong; {}, each once", path, number, kForm)};
    }
    *value = trimmed(content.substr(equals + 1));
  }
  if (account.password.empty()) return Error{ErrorCode::bad_input, fmt::format("{}: no password; {}", path, kForm)};
  return account;
}

std::string text_of(const char* value) {
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

Result<std::optional<SipAccount>> sip_account(const SipLineOptions& line, const ReadVariable& variable) {
  SipAccount account{text_of(variable("VQAS_SIP_USER")), text_of(variable("VQAS_SIP_PASSWORD"))};
  std::string where = "VQAS_SIP_USER, VQAS_SIP_PASSWORD";
  if (!line.account.empty()) {
    auto read = read_account(line.account);
    if (!read) return read.error();
    account = *std::move(read);
    where = line.account;
  }
  if (account.password.empty()) return std::optional<SipAccount>();
  if (account.user.empty()) account.user = line.own.user;
  if (!is_usable(account.user) || !is_usable(account.password) ||
      account.user.find_first_of("\"\\") != std::string::npos) {
    return Error{ErrorCode::bad_input, where +
                                           ": the account holds signs that SIP cannot carry: control characters, or "
                                           "a quotation mark or backslash in the user"};
  }
  return std::optional(std::move(account));
}

}  // namespace vqas
