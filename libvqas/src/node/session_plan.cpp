// What a run's plan and its session record have in common.
#include <array>
#include <utility>

#include "vqas/node/controller.h"

namespace vqas {
namespace {

constexpr std::array<std::pair<Duplex, std::string_view>, 3> kDuplex{
    {{Duplex::automatic, "auto"}, {Duplex::both, "both"}, {Duplex::one, "one"}}};

}  // namespace

std::string_view name_of(Duplex duplex) {
  for (const auto& [one, name] : kDuplex) {
    if (one == duplex) return name;
  }
  return {};
}

std::optional<Duplex> duplex_from_string(std::string_view name) {
  for (const auto& [duplex, known] : kDuplex) {
    if (known == name) return duplex;
  }
  return std::nullopt;
}

void describe(const RunPlan& plan, SessionRecord& record) {
  record.node_a = plan.node_a;
  record.node_b = plan.node_b;
  record.holder = plan.holder;
  record.corpus = plan.corpus;
  record.guard_s = plan.guard_s;
  record.within_s = plan.within_s;
  record.link_patience_s = plan.link_patience_s;
  record.cap_line_time_s = plan.cap_line_time_s;
  record.duplex = plan.duplex;
  record.redial = plan.redial;
  record.most_redials = plan.most_redials;
  record.redial_s = plan.redial_s;
}

void take_plan(const SessionRecord& record, RunPlan& plan) {
  plan.node_a = record.node_a;
  plan.node_b = record.node_b;
  plan.holder = record.holder;
  plan.corpus = record.corpus;
  plan.guard_s = record.guard_s;
  plan.within_s = record.within_s;
  plan.link_patience_s = record.link_patience_s;
  plan.cap_line_time_s = record.cap_line_time_s;
  plan.duplex = record.duplex;
  plan.redial = record.redial;
  plan.most_redials = record.most_redials;
  plan.redial_s = record.redial_s;
}

}  // namespace vqas
