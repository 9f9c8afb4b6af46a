// A harness that scores tables of files: it needs no Qt, although the room is built with those that do.
#include "vqas/batch/long_differences.h"
#include "vqas/batch/long_explanation.h"
#include "vqas/batch/long_recording.h"
#include "vqas/batch/score_manifest.h"

vqas::Result<vqas::BatchSummary> score_table(const vqas::BatchOptions& options) {
  return vqas::score_manifest(options);
}
