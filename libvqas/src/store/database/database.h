#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::store {

/// A connection to SQLite or PostgreSQL with the tables of this build. For one thread.
class Connection {
 public:
  static Result<Connection> open(const std::string& url);
  /// Writes nothing to a store that already has this build's schema; an older one is opened as by open(). Fails with
  /// bad_input where there is no store.
  static Result<Connection> open_to_read(const std::string& url);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  /// Runs one statement with values for its placeholders. Fails with io, or with bad_input when the file is damaged or
  /// not a database.
  Result<QSqlQuery> run(const QString& statement, const QVariantList& values = {});

  Status begin();
  Status commit();
  void roll_back();

 private:
  explicit Connection(std::string url) : url_(std::move(url)) {}
  static Result<Connection> named(const std::string& url);
  Status connect();
  Status check_tables();
  Status migrate();
  Status migrate_within();
  Result<int> schema_version();
  Error failure(const QSqlError& error, const char* advice = "") const;

  std::string url_;  ///< without the password
  QString name_;
  bool sqlite_ = true;
};

}  // namespace vqas::store
