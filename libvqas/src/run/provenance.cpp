#include "vqas/run/provenance.h"

#include "vqas/score/score.h"

namespace vqas {

Provenance current_provenance() {
  const ModelError error = model_error();
  return {VQAS_VERSION, kScoreVersion, error.mos, error.label, error.source};
}

}  // namespace vqas
