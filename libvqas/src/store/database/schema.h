#pragma once

#include <QString>
#include <vector>

namespace vqas::store {

/// The statements that bring a store from version i to i + 1, starting with an empty one, in SQL for both SQLite 3.24
/// and PostgreSQL 12. Add to them, never change them.
const std::vector<std::vector<QString>>& migrations();

}  // namespace vqas::store
