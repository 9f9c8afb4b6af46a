#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>

#include "node/trust/node_identity.h"
#include "node/wire/node_archive.h"
#include "node/wire/node_session.h"
#include "signal/private_file.h"
#include "vqas/node/spoken_words.h"

namespace vqas {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::uint64_t kMostBytes = 16U << 20U;
constexpr const char* kSchema = "vqas-tokens/1";

Result<Json> read_tokens(const std::filesystem::path& path) {
  std::error_code fault;
  if (!std::filesystem::exists(path, fault)) return Json{{"schema", kSchema}, {"tokens", Json::object()}};
  const auto text = read_private_file(path, {"list of tokens", kMostBytes, "restore it"});
  if (!text) return text.error();
  auto json = parse_json_text(*text, path.string());
  const bool usable = json && json->is_object() && json->value("schema", Json()) == kSchema &&
                      json->value("tokens", Json()).is_object();
  if (usable) return json;
  return Error{ErrorCode::bad_input,
               fmt::format("{} is damaged; remove it and make new tokens (vqas node token add)", path.string())};
}

}  // namespace

NodeTokens::NodeTokens(std::filesystem::path folder) : path_(std::move(folder) / "tokens.json") {}

Status NodeTokens::keep(const std::string& name, const std::string& token, bool replaces) const {
  if (name.empty() || name.size() > kLongestName || as_file_name(name) != name) {
    return Error{ErrorCode::bad_input,
                 fmt::format("\"{}\" cannot be a token's name; use 1 to 64 letters, digits, '-' or '_'", name)};
  }
  auto json = read_tokens(path_);
  if (!json) return json.error();
  if (!replaces && (*json)["tokens"].contains(name)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} already has a token for \"{}\"; remove that one first (vqas node token remove)",
                             path_.string(), name)};
  }
  (*json)["tokens"][name] = digest_of(token);
  std::error_code fault;
  std::filesystem::create_directories(path_.parent_path(), fault);
  return write_private_file(path_, json->dump(2) + "\n");
}

Result<std::string> NodeTokens::add(const std::string& name) const {
  std::array<unsigned char, 32> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    return Error{ErrorCode::io, "the system provides no random numbers"};
  }
  std::string token = "vqas-";
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  if (const Status kept = keep(name, token, false); !kept) return kept.error();
  return token;
}

Result<std::string> NodeTokens::renew_code(const std::string& name) const {
  auto code = new_spoken_code();
  if (!code) return code;
  if (const Status kept = keep(name, *code, true); !kept) return kept.error();
  return code;
}

Status NodeTokens::remove(const std::string& name) const {
  auto json = read_tokens(path_);
  if (!json) return json.error();
  if ((*json)["tokens"].erase(name) == 0) {
    return Error{ErrorCode::bad_input, fmt::format("{} has no token for \"{}\"", path_.string(), name)};
  }
  return write_private_file(path_, json->dump(2) + "\n");
}

Result<std::vector<std::string>> NodeTokens::names() const {
  const auto json = read_tokens(path_);
  if (!json) return json.error();
  std::vector<std::string> names;
  for (const auto& [name, digest] : (*json)["tokens"].items()) names.push_back(name);
  return names;
}

std::optional<std::string> NodeTokens::owner(const std::string& token) const {
  const auto json = read_tokens(path_);
  if (!json) return std::nullopt;
  const std::string asked = digest_of(token);
  std::optional<std::string> owner;
  for (const auto& [name, digest] : (*json)["tokens"].items()) {
    const std::string kept = digest.is_string() ? digest.get<std::string>() : std::string();
    if (kept.size() == asked.size() && CRYPTO_memcmp(kept.data(), asked.data(), asked.size()) == 0) owner = name;
  }
  return owner;
}

}  // namespace vqas
