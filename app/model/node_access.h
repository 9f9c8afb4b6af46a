#pragma once

#include <QString>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/run_settings.h"
#include "vqas/node/controller.h"
#include "vqas/node/peer_trust.h"

namespace vqas::app {

/// What a run needs before it connects to nodes over TLS: their certificates, the trust in them, and their tokens. Has
/// the same rules and the same file of known peers as the command line. For one thread.
class NodeAccessControl {
 public:
  /// Uses of `settings`: the pairing or token files of the two nodes, and the codes. Fails with bad_input or io, naming
  /// the file.
  static Result<NodeAccessControl> open(const RunPlan& plan, const std::filesystem::path& known_peers,
                                        const RunSettings& settings);

  /// Asks each "wss://" node of the plan for its certificate and fills the plan's accesses; "ws://" nodes are left as
  /// they are. Waits in an event loop of its own. Fails with line_lost when one does not answer, with bad_input when
  /// one
  /// does not show the expected certificate.
  Status see_nodes(RunPlan& plan);
  /// The question about unknown nodes for a person to decide; empty when there are none.
  QString question() const;
  /// The person agreed: these nodes are known from now on. Fails with io.
  Status trust_strangers();

 private:
  struct Stranger {
    std::string end, address, fingerprint;
  };
  NodeAccessControl(PeerTrust trust, std::string token_a, std::string token_b)
      : trust_(std::move(trust)), token_a_(std::move(token_a)), token_b_(std::move(token_b)) {}
  Status see(const std::string& end, const std::string& address, const std::string& token, NodeAccess& access);

  PeerTrust trust_;
  std::string token_a_, token_b_;
  std::vector<Stranger> strangers_;
};

}  // namespace vqas::app
