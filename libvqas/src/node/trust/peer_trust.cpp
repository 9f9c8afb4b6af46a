#include "vqas/node/peer_trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "signal/private_file.h"

namespace vqas {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTokenCure = "make its content with \"vqas node token add\" at the node";

Result<std::string> parse_token(const std::string& text, const fs::path& path) {
  std::string token;
  if (std::istringstream(text) >> token) return token;
  return Error{ErrorCode::bad_input, fmt::format("the token file {} is empty; {}", path.string(), kTokenCure)};
}

}  // namespace

Result<PeerTrust> PeerTrust::read(const fs::path& known_peers, std::vector<Pairing> pairings) {
  auto known = KnownPeers::read(known_peers);
  if (!known) return known.error();
  return PeerTrust(*std::move(known), std::move(pairings));
}

PeerStanding PeerTrust::standing(const std::string& address, const std::string& fingerprint) const {
  if (std::ranges::find(pairings_, fingerprint, &Pairing::fingerprint) != pairings_.end()) return PeerStanding::trusted;
  if (std::ranges::find(pairings_, address, &Pairing::address) != pairings_.end()) return PeerStanding::changed;
  const auto before = known_.fingerprint(address);
  if (!before) return PeerStanding::unknown;
  return before == fingerprint ? PeerStanding::trusted : PeerStanding::changed;
}

Error PeerTrust::refusal(const std::string& address, const std::string& fingerprint) const {
  const auto paired = std::ranges::find(pairings_, address, &Pairing::address);
  if (paired != pairings_.end()) {
    return {ErrorCode::bad_input,
            fmt::format("the node at {} has another certificate ({}) than its pairing file ({}): another program may "
                        "answer in its place; if the node was set up again, write a new pairing file there",
                        address, fingerprint, paired->fingerprint)};
  }
  return {ErrorCode::bad_input,
          fmt::format("the node at {} has another certificate ({}) than before ({}): another program may answer in its "
                      "place; if the node was set up again, remove its line from the file of known peers",
                      address, fingerprint, known_.fingerprint(address).value_or("none"))};
}

Status PeerTrust::remember(const std::string& address, const std::string& fingerprint) {
  if (known_.fingerprint(address) == fingerprint) return success();
  return known_.add(address, fingerprint);
}

std::string PeerTrust::token(const std::string& fingerprint) const {
  const auto paired = std::ranges::find(pairings_, fingerprint, &Pairing::fingerprint);
  return paired == pairings_.end() ? std::string() : paired->token;
}

fs::path default_known_peers() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config != '\0') return fs::path(config) / "vqas" / "known-peers";
  const char* const home = std::getenv("HOME");
  return fs::path(home != nullptr && *home != '\0' ? home : ".") / ".config" / "vqas" / "known-peers";
}

Result<std::string> read_token_file(const fs::path& path) {
  const auto text = read_private_file(path, {"token file", 4096, kTokenCure});
  return text ? parse_token(*text, path) : text.error();
}

Result<std::variant<Pairing, std::string>> read_access_file(const fs::path& path) {
  const auto text =
      read_private_file(path, {"file of a node's access", 65536, "choose the node's pairing or token file"});
  if (!text) return text.error();
  const auto first = text->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (*text)[first] == '{') {
    auto pairing = parse_pairing(*text, path.string());
    if (!pairing) return pairing.error();
    return std::variant<Pairing, std::string>(*std::move(pairing));
  }
  auto token = parse_token(*text, path);
  if (!token) return token.error();
  return std::variant<Pairing, std::string>(*std::move(token));
}

}  // namespace vqas
