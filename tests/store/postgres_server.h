#pragma once

#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <optional>
#include <string>

namespace vqas::test {

/// A PostgreSQL server from Debian's package with its own cluster in a temporary folder, reachable only by a socket in
/// that folder. It runs as an unprivileged user when the tests run as root, which the server refuses. It ends with this
/// object, or with its process however that ends; the folder of a killed process is removed by the next.
class PostgresServer {
 public:
  PostgresServer() {
    const QStringList versions = QDir("/usr/lib/postgresql").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    if (versions.isEmpty()) {
      error_ = "there is no PostgreSQL in /usr/lib/postgresql; install postgresql (tools/install-packages does)";
      return;
    }
    programs_ = "/usr/lib/postgresql/" + versions.last() + "/bin/";
    clean_up();
    // A socket's path must be short, whatever TMPDIR is.
    folder_.emplace(QString("/tmp/vqas-postgres-%1-XXXXXX").arg(::getpid()));
    choose_user();
    if (!folder_->isValid() ||
        (as_ != nullptr && ::chown(qPrintable(folder_->path()), as_->pw_uid, as_->pw_gid) != 0)) {
      error_ = "cannot make a folder in /tmp: " + folder_->errorString().toStdString();
      return;
    }
    make_cluster();
    if (error_.empty()) start();
  }
  ~PostgresServer() { stop(); }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// Why there is no server; empty if there is one.
  const std::string& error() const { return error_; }
  QString folder() const { return folder_->path(); }
  qint64 process() const { return server_.processId(); }
  std::string url() const { return "postgresql://vqas@localhost/postgres?host=" + folder().toStdString(); }
  void stop() {
    if (server_.state() == QProcess::NotRunning) return;
    ::kill(static_cast<pid_t>(server_.processId()), SIGQUIT);  // immediately; nothing is kept
    if (!server_.waitForFinished(60'000)) server_.kill();
  }

 private:
  /// Removes folders of killed tests. Their servers ended with them.
  static void clean_up() {
    for (const QString& name : QDir("/tmp").entryList({"vqas-postgres-*"}, QDir::Dirs)) {
      const int owner = name.section('-', 2, 2).toInt();
      if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) QDir("/tmp/" + name).removeRecursively();
    }
  }

  void choose_user() {
    if (::geteuid() != 0) return;
    as_ = ::getpwnam("postgres");
    if (as_ == nullptr) as_ = ::getpwnam("nobody");
  }

  /// Starts a program that is ended when this process ends.
  void begin(QProcess& process, const QString& program, const QStringList& arguments) const {
    process.setWorkingDirectory("/");
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardOutputFile(folder() + "/" + program + ".log");
    const pid_t parent = ::getpid();
    process.setChildProcessModifier([this, parent] {
      if (as_ != nullptr && (::setgroups(0, nullptr) != 0 || ::setgid(as_->pw_gid) != 0 || ::setuid(as_->pw_uid) != 0))
        ::_exit(127);
      // After the change of user, which would reset it.
      if (::prctl(PR_SET_PDEATHSIG, SIGQUIT) != 0 || ::getppid() != parent) ::_exit(127);
    });
    process.start(programs_ + program, arguments);
  }

  std::string log_of(const QString& program) const {
    QFile log(folder() + "/" + program + ".log");
    (void)log.open(QIODevice::ReadOnly);
    return program.toStdString() + " failed:\n" + log.readAll().toStdString();
  }

  void make_cluster() {
    QProcess made;
    begin(made, "initdb",
          {"-D", folder() + "/data", "-U", "vqas", "--auth=trust", "--no-sync", "--no-locale", "-E", "UTF8"});
    if (!made.waitForFinished(120'000) || made.exitStatus() != QProcess::NormalExit || made.exitCode() != 0)
      error_ = log_of("initdb");
  }

  void start() {
    QStringList arguments{"-D", folder() + "/data", "-k", folder()};
    for (const char* const setting : {"listen_addresses=", "fsync=off", "synchronous_commit=off",
                                      "full_page_writes=off", "shared_buffers=16MB", "max_connections=20"})
      arguments << "-c" << setting;
    begin(server_, "postgres", arguments);
    // The last line of its lock file tells when it accepts connections.
    const auto ready = [this] {
      QFile lock(folder() + "/data/postmaster.pid");
      return lock.open(QIODevice::ReadOnly) && lock.readAll().trimmed().endsWith("ready");
    };
    QElapsedTimer waited;
    waited.start();
    while (!ready()) {
      if (server_.waitForFinished(20) || waited.elapsed() > 120'000) {
        error_ = log_of("postgres");
        return stop();
      }
    }
  }

  QString programs_;
  const passwd* as_ = nullptr;
  std::optional<QTemporaryDir> folder_;
  QProcess server_;
  std::string error_;
};

}  // namespace vqas::test
