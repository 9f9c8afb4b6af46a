#include "store/database/database.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <QUrl>
#include <QUrlQuery>
#include <QUuid>
#include <utility>

#include "store/database/schema.h"
#include "vqas/signal/plain_text.h"

namespace vqas::store {
namespace {

bool is_ssl_mode(const QString& word) {
  return QStringList{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}.contains(word);
}

// The engine's own text; Qt's text around it says less.
QString words_of(const QSqlError& error) {
  return error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
}

struct Cause {
  int code;  ///< SQLite's (sqlite.org/rescode.html)
  ErrorCode means;
  const char* advice;
};
constexpr Cause kCauses[] = {
    {8, ErrorCode::io, "; make it writable or name another store"},                   // SQLITE_READONLY
    {11, ErrorCode::bad_input, "; name another store"},                               // SQLITE_CORRUPT
    {13, ErrorCode::io, "; make room there or name another store"},                   // SQLITE_FULL
    {26, ErrorCode::bad_input, "; name a file that \"vqas results take\" has made"},  // SQLITE_NOTADB
};

}  // namespace

// `advice` is for an error without a cause in the table.
Error Connection::failure(const QSqlError& error, const char* advice) const {
  Cause cause{0, ErrorCode::io, advice};
  // The higher bits hold extended codes. PostgreSQL's codes are others.
  const int code = sqlite_ ? error.nativeErrorCode().toInt() & 0xFF : 0;
  for (const Cause& one : kCauses) cause = one.code == code ? one : cause;
  return {cause.means,
          fmt::format("the store {}: {}{}", url_, words_of(error).simplified().toStdString(), cause.advice)};
}

Connection::Connection(Connection&& other) noexcept
    : url_(std::move(other.url_)), name_(std::exchange(other.name_, QString())), sqlite_(other.sqlite_) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(url_, other.url_);
  std::swap(name_, other.name_);
  std::swap(sqlite_, other.sqlite_);
  return *this;
}

Connection::~Connection() {
  if (name_.isEmpty()) return;
  QSqlDatabase::database(name_, false).close();
  QSqlDatabase::removeDatabase(name_);
}

// A connection with its address parsed, not open yet.
Result<Connection> Connection::named(const std::string& url) {
  Connection connection(url);
  const QUrl parsed(QString::fromStdString(url));
  const bool postgres = parsed.scheme() == "postgresql" || parsed.scheme() == "postgres";
  if (url.empty() || (!postgres && url.find("://") != std::string::npos))
    return Error{ErrorCode::bad_input,
                 fmt::format("\"{}\" is not a store; give a file or postgresql://USER@HOST/DATABASE",
                             parsed.toString(QUrl::RemovePassword).toStdString())};
  connection.sqlite_ = !postgres;
  connection.name_ = QUuid::createUuid().toString();
  if (postgres) connection.url_ = parsed.toString(QUrl::RemovePassword | QUrl::RemoveQuery).toStdString();
  QSqlDatabase database = QSqlDatabase::addDatabase(postgres ? "QPSQL" : "QSQLITE", connection.name_);
  if (!database.isValid())
    return Error{ErrorCode::unsupported, fmt::format("the driver for {} is missing; install {}", connection.url_,
                                                     postgres ? "libqt6sql6-psql" : "libqt6sql6-sqlite")};
  if (postgres) {
    database.setHostName(parsed.host());
    database.setPort(parsed.port(5432));
    database.setDatabaseName(parsed.path().mid(1));
    database.setUserName(parsed.userName(QUrl::FullyDecoded));
    database.setPassword(parsed.password(QUrl::FullyDecoded));
    QString options = "connect_timeout=10";
    for (const auto& [name, value] : QUrlQuery(parsed).queryItems(QUrl::FullyDecoded)) {
      if (name == "host") {
        database.setHostName(value);  // a folder of sockets, which cannot be given as a host in the address
      } else if (name == "sslmode" && is_ssl_mode(value)) {
        options += ";sslmode=" + value;
      } else {
        return Error{ErrorCode::bad_input,
                     fmt::format("the store {}: {} is not understood; ?host=FOLDER and ?sslmode=require are",
                                 connection.url_, name.toStdString())};
      }
    }
    database.setConnectOptions(options);
  } else {
    const std::string file = url.starts_with("sqlite:") ? url.substr(7) : url;
    connection.url_ = file;
    database.setDatabaseName(QString::fromStdString(file));
    database.setConnectOptions("QSQLITE_BUSY_TIMEOUT=10000");
  }
  return connection;
}

Result<Connection> Connection::open(const std::string& url) {
  auto connection = named(url);
  if (!connection) return connection;
  if (Status up = connection->connect(); !up) return up.error();
  if (Status made = connection->migrate(); !made) return made.error();
  return connection;
}

Result<Connection> Connection::open_to_read(const std::string& url) {
  {
    auto connection = named(url);
    if (!connection) return connection;
    if (connection->sqlite_) {
      if (!QFileInfo::exists(QString::fromStdString(connection->url_)))
        return Error{ErrorCode::bad_input,
                     fmt::format("there is no store {}; check its name, or put runs into it first", connection->url_)};
      QSqlDatabase database = QSqlDatabase::database(connection->name_, false);
      database.setConnectOptions(database.connectOptions() + QStringLiteral(";QSQLITE_OPEN_READONLY"));
    }
    // What an interrupted writer left can be tidied up only by opening for writing.
    if (connection->connect()) {
      const auto version = connection->schema_version();
      if (!version)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}; name a store that \"vqas results take\" has made", version.error().message)};
      if (*version == static_cast<int>(migrations().size())) return connection;
    }
  }
  return open(url);
}

// Fails where no store was ever made.
Result<int> Connection::schema_version() {
  auto asked = run("SELECT version FROM vqas_schema");
  if (!asked) return asked.error();
  return asked->next() ? asked->value(0).toInt() : 0;
}

Status Connection::connect() {
  QSqlDatabase database = QSqlDatabase::database(name_, false);
  if (!database.open()) {
    return failure(database.lastError(), sqlite_ ? "; name a file in an existing, writable folder"
                                                 : "; check the address, the name and the password");
  }
  if (!sqlite_) {
    // Suppresses "already exists, skipping".
    auto done = run("SET client_min_messages = warning");
    return done ? success() : Status(done.error());
  }
  // What is reported as stored is on the disk, as in the journal. The file may come from elsewhere: its schema must not
  // call functions with side effects (sqlite.org/security.html).
  for (const char* const pragma :
       {"PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON", "PRAGMA trusted_schema = OFF"}) {
    if (auto done = run(pragma); !done) return done.error();
  }
  return check_tables();
}

// A view or a trigger in place of a table would run statements that another program wrote, perhaps without end.
Status Connection::check_tables() {
  auto found =
      run("SELECT name FROM sqlite_master WHERE tbl_name IN ('vqas_schema', 'runs', 'tags', 'measurements', 'notes', "
          "'replaced') AND (type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL%' OR (type = 'table' AND EXISTS "
          "(SELECT 1 FROM pragma_table_xinfo(sqlite_master.name) WHERE hidden <> 0)))");
  if (!found) return found.error();
  if (!found->next()) return success();
  return Error{
      ErrorCode::bad_input,
      fmt::format("the store {}: \"{}\" is not a table of VQAS; name a file that \"vqas results take\" has made", url_,
                  plain_text(found->value(0).toString().toStdString()))};
}

Result<QSqlQuery> Connection::run(const QString& statement, const QVariantList& values) {
  QSqlQuery query(QSqlDatabase::database(name_, false));
  query.setForwardOnly(true);
  // PostgreSQL cannot prepare BEGIN and CREATE, so only statements with values are prepared.
  bool done = values.isEmpty() ? query.exec(statement) : query.prepare(statement);
  if (done && !values.isEmpty()) {
    for (const QVariant& value : values) query.addBindValue(value);
    done = query.exec();
  }
  if (!done) return failure(query.lastError());
  return query;
}

Status Connection::begin() {
  // A deferred transaction of SQLite would notice another writer only after it has read.
  auto done = run(sqlite_ ? "BEGIN IMMEDIATE" : "BEGIN");
  return done ? success() : Status(done.error());
}

Status Connection::commit() {
  auto done = run("COMMIT");
  return done ? success() : Status(done.error());
}

void Connection::roll_back() {
  (void)run("ROLLBACK");
}

Status Connection::migrate() {
  if (Status begun = begin(); !begun) return begun;
  Status made = migrate_within();
  if (made) return commit();
  roll_back();
  return made;
}

Status Connection::migrate_within() {
  if (!sqlite_) {
    // If two processes open an empty store, the second one waits here until the first has created the tables.
    if (auto locked = run("SELECT pg_advisory_xact_lock(7165)"); !locked) return locked.error();
  }
  if (auto made = run("CREATE TABLE IF NOT EXISTS vqas_schema (version INTEGER NOT NULL)"); !made) return made.error();
  auto asked = run("SELECT version FROM vqas_schema");
  if (!asked) return asked.error();
  const bool fresh = !asked->next();
  const int version = fresh ? 0 : asked->value(0).toInt();
  asked->finish();
  const auto known = static_cast<int>(migrations().size());
  if (version > known || version < 0)
    return Error{ErrorCode::bad_input,
                 fmt::format("the store {} has schema {}, this program supports up to {}; use a newer VQAS", url_,
                             version, known)};
  for (int i = version; i < known; ++i) {
    for (const QString& statement : migrations()[static_cast<std::size_t>(i)]) {
      if (auto done = run(statement); !done) return done.error();
    }
  }
  // Runs even if there was nothing to do, so that a read-only or full store is reported now.
  auto told =
      run(fresh ? "INSERT INTO vqas_schema (version) VALUES (?)" : "UPDATE vqas_schema SET version = ?", {known});
  return told ? success() : Status(told.error());
}

}  // namespace vqas::store
