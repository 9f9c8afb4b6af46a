#include "model/end_session.h"

#include <QUrl>

#include "vqas/node/machine_hosts.h"
#include "vqas/node/peers.h"
#include "vqas/node/spoken_words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr const char* kPartner = "partner";  // the name of the code's owner

QString at_host(const std::string& address, const QString& host) {
  QUrl url(QString::fromStdString(address));
  url.setHost(host);
  return url.toString();
}

// The page itself shows who holds this end; who else knocks at its port is for the log of a machine that serves.
bool is_about_clients(const std::string& line) {
  for (const char* const begin : {"refused ", "the connection of ", "the lease of ", "released from "})
    if (line.starts_with(begin)) return true;
  return line.ends_with(" more were refused");
}

}  // namespace

void EndWorker::start() {
  NodeOptions options;
  options.end = settings_.end;
  options.line = settings_.line.toStdString();
  options.corpus = settings_.corpus;
  options.data = settings_.data;
  options.device_delay_ms = settings_.device_delay_ms;
  options.tell_operator = [this](const std::string& what) { emit told(QString::fromStdString(what)); };
  options.log = [this](const std::string& what) {
    if (!is_about_clients(what)) emit told(QString::fromStdString(what));
  };
  EndReady end;
  const std::string port = std::to_string(settings_.port);
  options.control = "127.0.0.1:" + port;
  if (settings_.for_partner) {
    options.control = "0.0.0.0:" + port;
    const auto code = renew_node_code(settings_.data, kPartner);
    if (!code) return emit ended(QString::fromStdString(code.error().message));
    end.code = QString::fromStdString(*code);
  }
  std::unique_lock<std::mutex> opening;
  if (settings_.sound_system) opening = std::unique_lock(*settings_.sound_system);
  auto node = Node::start(options);
  if (opening) opening.unlock();
  if (!node) return emit ended(QString::fromStdString(node.error().message));
  node_ = *std::move(node);
  const std::string address = node_->address();
  end.own_address = QString::fromStdString(address);
  if (settings_.for_partner) {
    end.own_address = at_host(address, u"127.0.0.1"_s);
    for (const std::string& host : machine_hosts()) end.addresses += at_host(address, QString::fromStdString(host));
    end.fingerprint = QString::fromStdString(node_->fingerprint());
    end.words = QString::fromStdString(fingerprint_in_words(node_->fingerprint()));
  }
  watch_ = std::make_unique<NodeWatch>(end.own_address.toStdString(),
                                       NodeAccess{node_->fingerprint(), end.code.toStdString()});
  connect(watch_.get(), &NodeWatch::seen, this,
          [this](const NodeSighting& node_seen) { emit held(QString::fromStdString(node_seen.held_by)); });
  watch_->start();
  emit ready(end);
}

void EndWorker::stop() {
  watch_.reset();
  node_.reset();
  emit ended({});
}

ThreadedEnd::ThreadedEnd(const EndSettings& settings) : worker_(u"end"_s, new EndWorker(settings)) {
  worker_.pass_on(this, &EndSession::ready, &EndSession::held, &EndSession::told, &EndSession::ended);
}

void ThreadedEnd::start() {
  worker_.call(&EndWorker::start);
}

void ThreadedEnd::stop() {
  worker_.call(&EndWorker::stop);
}

}  // namespace vqas::app
