#pragma once

#include <QString>
#include <vector>

namespace vqas::store {

/// The statements that bring a store from version i to i + 1, from an empty one on; SQL that both SQLite 3.24 and
/// PostgreSQL 12 know. Only ever added to.
const std::vector<std::vector<QString>>& migrations();

}  // namespace vqas::store
