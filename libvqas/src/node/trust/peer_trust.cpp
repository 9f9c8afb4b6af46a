#include "vqas/node/peer_trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "node/trust/private_file.h"

namespace vqas {

namespace fs = std::filesystem;

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
  const char* const cure = "make its content with \"vqas node token add\" at the node";
  const auto text = read_private_file(path, {"token file", 4096, cure});
  if (!text) return text.error();
  std::string token;
  if (std::istringstream(*text) >> token) return token;
  return Error{ErrorCode::bad_input, fmt::format("the token file {} is empty; {}", path.string(), cure)};
}

}  // namespace vqas
