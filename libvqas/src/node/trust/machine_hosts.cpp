#include "vqas/node/machine_hosts.h"

#include <QHostAddress>
#include <QNetworkInterface>

namespace vqas {

std::vector<std::string> machine_hosts() {
  std::vector<std::string> hosts;
  for (const QHostAddress& address : QNetworkInterface::allAddresses()) {
    const bool usable = address.protocol() == QAbstractSocket::IPv4Protocol && !address.isLoopback();
    if (usable && !address.isLinkLocal()) hosts.push_back(address.toString().toStdString());
  }
  return hosts;
}

}  // namespace vqas
