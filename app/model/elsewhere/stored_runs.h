#pragma once

#include <QString>
#include <vector>

#include "model/kept_run.h"
#include "vqas/signal/result.h"

namespace vqas::app {

/// "runs.sqlite" below home becomes "sqlite:HOME/runs.sqlite"; the address of a server stays as it is. Pure.
QString store_url(const QString& typed, const QString& home);

/// The same without the password that the address of a server may have; empty for an address that is not valid. Pure.
QString without_password(const QString& url);

/// The runs in a store, the newest first: without a folder, with the uuid by which load_kept() finds them. Fails as
/// RunStore::open(). Writes nothing. Re-entrant.
Result<std::vector<KeptRun>> read_stored_runs(const QString& url);

/// Puts the runs of these folders into a store, which is created if needed; gives the number of measurements that were
/// new there. Recordings stay in the runs' folders. Fails as RunStore.
Result<std::size_t> put_into_store(const std::vector<KeptRun>& runs, const QString& url);

}  // namespace vqas::app
