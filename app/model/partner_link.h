#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>

#include "model/worker_thread.h"
#include "vqas/node/node_watch.h"
#include "vqas/node/peer_trust.h"

namespace vqas::app {

/// How a partner's end is reached, as it was typed.
struct PartnerWish {
  QString address;       ///< "192.0.2.7", "wss://192.0.2.7:7811"
  QString code;          ///< six words, or a token; may be empty
  QString pairing_file;  ///< absolute path of a pairing or token file; empty: none
};

/// A partner's end that answers.
struct PartnerSeen {
  QString address;             ///< complete, "wss://192.0.2.7:7811"
  QString code;                ///< as a node takes it; empty: none is needed
  QString fingerprint, words;  ///< of its certificate, and that to be read out; empty without TLS
  NodeSighting node;
};

/// What went wrong, for a person at the line.
struct PartnerTrouble {
  QString what, next_step;              ///< a sentence each
  QString shown_words, expected_words;  ///< fingerprints that differ; else empty
};

/// A link to a partner's end, which it watches without measuring, from start() on. All signals come in the thread of
/// the session. Destroying a link ends it.
class PartnerLink : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual void start() = 0;
  /// Answers asked_to_trust(): yes continues and remembers the partner, no ends the link.
  virtual void trust(bool yes) = 0;

 signals:
  /// The partner was never seen before: its fingerprint, and that in words.
  void asked_to_trust(QString fingerprint, QString words);
  /// About once a second.
  void seen(vqas::app::PartnerSeen partner);
  /// The last one.
  void failed(vqas::app::PartnerTrouble trouble);
};

/// Does the work of a link. Lives in one thread with an event loop; its functions may wait for the network.
class PartnerWorker : public PartnerLink {
 public:
  PartnerWorker(PartnerWish wish, std::filesystem::path known_peers);

  void start() override;
  void trust(bool yes) override;

 private:
  void watch();
  void fail(const QString& what, const QString& next_step);
  void refuse_certificate();

  const PartnerWish wish_;
  const std::filesystem::path known_peers_;
  std::optional<PeerTrust> trust_;
  std::string pinned_;  // the fingerprint in the pairing file; empty without one
  NodeAccess access_;
  PartnerSeen partner_;
  std::unique_ptr<NodeWatch> watch_;
};

/// A PartnerWorker on a thread of its own. No function blocks, but destroying it waits while a partner is looked for.
class ThreadedPartner : public PartnerLink {
 public:
  ThreadedPartner(const PartnerWish& wish, const std::filesystem::path& known_peers);

  void start() override;
  void trust(bool yes) override;

 private:
  WorkerThread<PartnerWorker> worker_;
};

/// The complete address of what was typed: "wss://" unless another scheme is given, port 7811 unless another one is.
/// Nothing if it is no address. Pure.
std::optional<QString> partner_address(const QString& typed);

/// What to tell a person about this fault of the node at `address`; `has_code`: a code or token was sent. Pure.
PartnerTrouble trouble_of(NodeFault fault, const QString& address, bool has_code);

}  // namespace vqas::app
