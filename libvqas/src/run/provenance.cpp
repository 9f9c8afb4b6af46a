#include "vqas/run/provenance.h"

#include "vqas/score/score.h"

namespace vqas {

Provenance current_provenance(ScoreMode mode) {
  const ModelError error = model_error(mode);
  return {VQAS_VERSION, score_version(mode), error.mos, error.label, error.source};
}

}  // namespace vqas
