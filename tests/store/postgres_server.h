#pragma once

#include <QDir>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QThread>
#include <optional>
#include <string>

namespace vqas::test {

/// A PostgreSQL server of Debian's package, in a temporary folder, on a free port of loopback, as an unprivileged user
/// (the server refuses root). Ends with this object.
class PostgresServer {
 public:
  PostgresServer() {
    const QStringList versions = QDir("/usr/lib/postgresql").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    if (versions.isEmpty()) return;
    programs_ = "/usr/lib/postgresql/" + versions.last() + "/bin/";
    folder_.emplace("/tmp/vqas-postgres-XXXXXX");
    if (!folder_->isValid()) return;
    data_ = folder_->path() + "/data";
    if (am_root()) QProcess::execute("chown", {"nobody", folder_->path()});
    if (run("initdb", {"-D", data_, "-U", "vqas", "--auth=trust", "--no-sync"}) != 0) return;
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost);
    port_ = probe.serverPort();
    probe.close();
    const QString options =
        QString("-c listen_addresses=127.0.0.1 -c port=%1 -c unix_socket_directories=%2 -c fsync=off")
            .arg(port_)
            .arg(folder_->path());
    if (run("pg_ctl", {"-D", data_, "-l", folder_->path() + "/log", "-w", "-t", "60", "-o", options, "start"}) != 0)
      return;
    running_ = true;
  }
  ~PostgresServer() {
    if (running_) run("pg_ctl", {"-D", data_, "-m", "immediate", "-w", "stop"});
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  bool running() const { return running_; }
  std::string url() const { return QString("postgresql://vqas@127.0.0.1:%1/postgres").arg(port_).toStdString(); }
  void stop() {
    run("pg_ctl", {"-D", data_, "-m", "immediate", "-w", "stop"});
    running_ = false;
  }

 private:
  static bool am_root() { return ::geteuid() == 0; }
  int run(const QString& program, const QStringList& arguments) const {
    QProcess process;
    process.setWorkingDirectory("/");
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    if (am_root()) {
      process.start("setpriv", QStringList{"--reuid=nobody", "--regid=nogroup", "--clear-groups", programs_ + program} +
                                   arguments);
    } else {
      process.start(programs_ + program, arguments);
    }
    return process.waitForFinished(120'000) ? process.exitCode() : -1;
  }

  QString programs_, data_;
  std::optional<QTemporaryDir> folder_;
  quint16 port_ = 0;
  bool running_ = false;
};

}  // namespace vqas::test
