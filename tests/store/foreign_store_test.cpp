// Stores (SQLite) that another program has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>

#include "support/temporary_folder.h"
#include "vqas/store/run_store.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

/// A store in a file in which another program has executed these statements.
std::string changed_store(const std::filesystem::path& folder, const QStringList& statements) {
  const std::string file = (folder / "store.sqlite").string();
  EXPECT_TRUE(RunStore::open(file));
  {
    QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "past the store");
    database.setDatabaseName(QString::fromStdString(file));
    EXPECT_TRUE(database.open());
    for (const QString& statement : statements) {
      QSqlQuery query(database);
      EXPECT_TRUE(query.exec(statement)) << query.lastError().text().toStdString();
    }
  }
  QSqlDatabase::removeDatabase("past the store");
  return file;
}

// A list from such a view would never end.
TEST(ForeignStore, AViewInPlaceOfATableIsRefused) {
  const test::TemporaryFolder folder;
  const std::string file = changed_store(
      folder.path(), {"ALTER TABLE runs RENAME TO other",
                      "CREATE VIEW runs AS WITH RECURSIVE more AS (SELECT * FROM other UNION ALL SELECT * FROM more) "
                      "SELECT * FROM more"});
  for (const auto access : {RunStore::Access::read, RunStore::Access::write}) {
    const auto store = RunStore::open(file, access);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::bad_input);
    EXPECT_THAT(store.error().message, HasSubstr("\"runs\" is not a table of VQAS"));
  }
}

TEST(ForeignStore, ATriggerAndAComputedColumnAreRefused) {
  for (const char* const statement : {"CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
                                      "ALTER TABLE runs ADD COLUMN large AS (hex(zeroblob(400000000)))"}) {
    const test::TemporaryFolder folder;
    EXPECT_FALSE(RunStore::open(changed_store(folder.path(), {statement}))) << statement;
  }
}

TEST(ForeignStore, AUsersOwnViewBesideTheTablesIsAllowed) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(RunStore::open(changed_store(folder.path(), {"CREATE VIEW mine AS SELECT uuid FROM runs"})));
}

}  // namespace
}  // namespace vqas
