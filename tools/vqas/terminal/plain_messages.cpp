#include "terminal/plain_messages.h"

#include <QString>
#include <QtGlobal>
#include <cstdio>
#include <string>

#include "vqas/signal/plain_text.h"

namespace vqas::cli {
namespace {

// Qt's messages, also those of the relay and of nodes, do not go through std::cerr. They may come from any thread.
void say_plainly(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  const std::string line = plain_text(qFormatLogMessage(type, context, message).toStdString(), "\n\t") + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

PlainMessages::PlainMessages() {
  qInstallMessageHandler(say_plainly);
}

PlainMessages::~PlainMessages() {
  qInstallMessageHandler(nullptr);
}

}  // namespace vqas::cli
