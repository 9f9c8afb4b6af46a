#include "model/partner_link.h"

#include <QUrl>
#include <variant>

#include "model/words.h"
#include "vqas/node/spoken_words.h"
#include "vqas/run/node_address.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPatienceMs = 10000;
constexpr int kUsualPort = 7811;

}  // namespace

std::optional<QString> partner_address(const QString& typed) {
  QString text = typed.trimmed().toLower();
  if (!text.contains(u"://"_s)) text.prepend(u"wss://"_s);
  QUrl url(text, QUrl::StrictMode);
  if (!url.isValid() || url.host().isEmpty()) return std::nullopt;
  if (url.port() < 0) url.setPort(kUsualPort);
  url.setPath({});
  const QString address = url.toString();
  return check_node_address("", address.toStdString()) ? std::optional(address) : std::nullopt;
}

PartnerTrouble trouble_of(NodeFault fault, const QString& address, bool has_code) {
  switch (fault) {
    case NodeFault::unreachable:
      return {
          u"Your partner is not reachable: nothing answers at %1."_s.arg(address),
          u"Ask your partner whether VQAS is waiting there and shows this address. If it does, a firewall may block "
          u"the way."_s,
          {},
          {}};
    case NodeFault::wrong_certificate:
      return {u"Another program than your partner's answers at %1."_s.arg(address),
              u"Compare the fingerprints on the telephone, and connect only if they are the same."_s,
              {},
              {}};
    case NodeFault::token_refused:
      if (!has_code)
        return {u"Your partner's end asks for a code."_s,
                u"Have the six words of the code read out to you, and type them here."_s,
                {},
                {}};
      return {u"Your partner's end refused the code."_s,
              u"Have it read out again: it is a new one each time the partner begins to wait."_s,
              {},
              {}};
    case NodeFault::no_node:
      return {u"What answers at %1 is not VQAS, or another release of it."_s.arg(address),
              u"Check address and port with your partner, and the release at both ends."_s,
              {},
              {}};
    case NodeFault::gone:
      return {u"Your partner's end does not answer any more."_s,
              u"Ask whether VQAS still waits there, and look at your network; then connect again."_s,
              {},
              {}};
  }
  return {};
}

PartnerWorker::PartnerWorker(PartnerWish wish, std::filesystem::path known_peers)
    : wish_(std::move(wish)), known_peers_(std::move(known_peers)) {}

void PartnerWorker::fail(const QString& what, const QString& next_step) {
  emit failed({sentence(what), next_step, {}, {}});
}

void PartnerWorker::start() {
  const auto address = partner_address(wish_.address);
  if (!address)
    return fail(u"\"%1\" is not an address"_s.arg(wish_.address.left(100)),
                u"Write what your partner's page shows, for example 192.0.2.7 or wss://192.0.2.7:7811."_s);
  partner_.address = *address;
  const auto code = typed_code(wish_.code.toStdString());
  if (!code)
    return fail(QString::fromStdString(code.error().message),
                u"The code has six words, as your partner's page shows."_s);
  access_.token = *code;
  std::vector<Pairing> pairings;
  if (!wish_.pairing_file.isEmpty()) {
    const auto file = read_access_file(wish_.pairing_file.toStdString());
    if (!file) return fail(QString::fromStdString(file.error().message), u"Choose the file that your partner saved."_s);
    if (const auto* const pairing = std::get_if<Pairing>(&*file)) {
      pairings.push_back(*pairing);
      pairings.back().address = address->toStdString();
      pinned_ = pairing->fingerprint;
      access_.token = pairing->token;
    } else {
      access_.token = std::get<std::string>(*file);
    }
  }
  partner_.code = QString::fromStdString(access_.token);
  if (!address->startsWith(u"wss://"_s)) return watch();
  auto known = PeerTrust::read(known_peers_, std::move(pairings));
  if (!known) return fail(QString::fromStdString(known.error().message), u"Mend the file, or remove it."_s);
  trust_.emplace(*std::move(known));
  const auto seen_there = peer_fingerprint(address->toStdString(), kPatienceMs);
  if (!seen_there) return emit failed(trouble_of(NodeFault::unreachable, *address, !access_.token.empty()));
  access_.fingerprint = *seen_there;
  partner_.fingerprint = QString::fromStdString(*seen_there);
  partner_.words = QString::fromStdString(fingerprint_in_words(*seen_there));
  switch (trust_->standing(address->toStdString(), *seen_there)) {
    case PeerStanding::trusted:
      return trust(true);
    case PeerStanding::unknown:
      return emit asked_to_trust(partner_.fingerprint, partner_.words);
    case PeerStanding::changed:
      return refuse_certificate();
  }
}

void PartnerWorker::refuse_certificate() {
  const auto known = KnownPeers::read(known_peers_);
  const std::string before = !pinned_.empty() ? pinned_
                             : known          ? known->fingerprint(partner_.address.toStdString()).value_or("")
                                              : "";
  PartnerTrouble trouble = trouble_of(NodeFault::wrong_certificate, partner_.address, true);
  trouble.next_step += u" If your partner's machine is new, remove the line of this address from %1 first."_s.arg(
      QString::fromStdString(known_peers_.string()));
  trouble.shown_words = partner_.words;
  trouble.expected_words = QString::fromStdString(fingerprint_in_words(before));
  emit failed(trouble);
}

void PartnerWorker::trust(bool yes) {
  if (!trust_ || watch_) return;
  if (!yes) return fail(u"You did not trust this partner, and nothing was sent there"_s, u"Check the address."_s);
  const Status kept = trust_->remember(partner_.address.toStdString(), access_.fingerprint);
  if (!kept) return fail(QString::fromStdString(kept.error().message), u"Then connect again."_s);
  watch();
}

void PartnerWorker::watch() {
  watch_ = std::make_unique<NodeWatch>(partner_.address.toStdString(), access_);
  connect(watch_.get(), &NodeWatch::seen, this, [this](const NodeSighting& node) {
    partner_.node = node;
    emit seen(partner_);
  });
  connect(watch_.get(), &NodeWatch::lost, this, [this](NodeFault fault, const QString&) {
    emit failed(trouble_of(fault, partner_.address, !access_.token.empty()));
  });
  watch_->start();
}

ThreadedPartner::ThreadedPartner(const PartnerWish& wish, const std::filesystem::path& known_peers)
    : worker_(u"partner"_s, new PartnerWorker(wish, known_peers)) {
  worker_.pass_on(this, &PartnerLink::asked_to_trust, &PartnerLink::seen, &PartnerLink::failed);
}

void ThreadedPartner::start() {
  worker_.call(&PartnerWorker::start);
}

void ThreadedPartner::trust(bool yes) {
  worker_.call(&PartnerWorker::trust, yes);
}

}  // namespace vqas::app
