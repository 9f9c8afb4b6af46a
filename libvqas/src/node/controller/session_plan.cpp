// Members common to a run's plan and its session record.
#include "vqas/node/controller.h"

namespace vqas {
namespace {

// Members that shape a run have one name in its plan and in its record.
template <typename From, typename To>
void copy_shape(const From& from, To& to) {
  to.node_a = from.node_a;
  to.node_b = from.node_b;
  to.holder = from.holder;
  to.corpus = from.corpus;
  to.narrowband_too = from.narrowband_too;
  to.guard_s = from.guard_s;
  to.within_s = from.within_s;
  to.link_patience_s = from.link_patience_s;
  to.cap_line_time_s = from.cap_line_time_s;
  to.duplex = from.duplex;
  to.redial = from.redial;
  to.most_redials = from.most_redials;
  to.redial_s = from.redial_s;
}

}  // namespace

void describe(const RunPlan& plan, SessionRecord& record) {
  copy_shape(plan, record);
}

void take_plan(const SessionRecord& record, RunPlan& plan) {
  copy_shape(record, plan);
}

}  // namespace vqas
