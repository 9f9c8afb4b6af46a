#include "model/node_access.h"

#include <utility>

#include "vqas/node/peers.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace fs = std::filesystem;

namespace {

bool is_tls(const std::string& address) {
  return address.starts_with("wss://");
}

}  // namespace

Result<NodeAccessControl> NodeAccessControl::open(const RunPlan& plan, const fs::path& known_peers,
                                                  const RunSettings& settings) {
  std::vector<Pairing> pairings;
  std::string token_a, token_b;
  const auto take = [&](const std::string& address, const QString& file_name, std::string& token) -> Status {
    if (!is_tls(address)) return success();
    if (const auto code = settings.codes.find(QString::fromStdString(address)); code != settings.codes.end())
      token = code->second.toStdString();
    if (file_name.isEmpty()) return success();
    const fs::path file = file_name.toStdString();
    const auto read = read_access_file(file);
    if (!read) return read.error();
    if (const auto* const word = std::get_if<std::string>(&*read)) {
      token = *word;
      return success();
    }
    // The file was chosen for this node, at any address. Its token counts, not an earlier code.
    token.clear();
    pairings.push_back(std::get<Pairing>(*read));
    pairings.back().address = address;
    return success();
  };
  if (const Status taken = take(plan.node_a, settings.access_a, token_a); !taken) return taken.error();
  if (const Status taken = take(plan.node_b, settings.access_b, token_b); !taken) return taken.error();
  auto trust = PeerTrust::read(known_peers, std::move(pairings));
  if (!trust) return trust.error();
  return NodeAccessControl(*std::move(trust), std::move(token_a), std::move(token_b));
}

Status NodeAccessControl::see_nodes(RunPlan& plan) {
  if (Status seen = see("A", plan.node_a, token_a_, plan.access_a); !seen) return seen;
  return see("B", plan.node_b, token_b_, plan.access_b);
}

Status NodeAccessControl::see(const std::string& end, const std::string& address, const std::string& token,
                              NodeAccess& access) {
  if (!is_tls(address)) return success();
  const auto seen = peer_fingerprint(address);
  if (!seen) return seen.error();
  const PeerStanding standing = trust_.standing(address, *seen);
  if (standing == PeerStanding::changed) return trust_.refusal(address, *seen);
  // A node with a pairing file is known from now on. If this cannot be saved, the file is needed again.
  if (standing == PeerStanding::trusted) (void)trust_.remember(address, *seen);
  if (standing == PeerStanding::unknown) strangers_.push_back({end, address, *seen});
  access.fingerprint = *seen;
  access.token = token.empty() ? trust_.token(*seen) : token;
  return success();
}

QString NodeAccessControl::question() const {
  if (strangers_.empty()) return {};
  QString text;
  for (const Stranger& one : strangers_) {
    text += u"Node %1 at %2 is not known yet. Its fingerprint is\n%3\n"_s.arg(
        QString::fromStdString(one.end), QString::fromStdString(one.address), QString::fromStdString(one.fingerprint));
  }
  return text +
         u"A node prints its own fingerprint when it starts. Have it read out to you by telephone. Trust it only if "
         u"all digits are the same"_s;
}

Status NodeAccessControl::trust_strangers() {
  for (const Stranger& one : std::exchange(strangers_, {})) {
    if (Status kept = trust_.remember(one.address, one.fingerprint); !kept) return kept;
  }
  return success();
}

}  // namespace vqas::app
