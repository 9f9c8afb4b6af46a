#include "node/controller/run_preparation.h"

#include <fmt/format.h>

#include <QUuid>
#include <algorithm>
#include <system_error>

#include "node/play/outgoing.h"
#include "vqas/corpus/corpus.h"
#include "vqas/run/node_address.h"
#include "vqas/signal/wide_rate.h"
#include "vqas/sync/mark.h"

namespace vqas {
namespace {

Status check_sampling(const SamplerOptions& options) {
  const auto wrong = [](const char* what) { return Error{ErrorCode::bad_input, what}; };
  if (options.first_count < 2) return wrong("first_count must be at least 2");
  if (options.step < 1) return wrong("step must be at least 1");
  if (options.max_failures < 1) return wrong("max_failures must be at least 1");
  if (options.cap_count < options.first_count) {
    return Error{ErrorCode::bad_input, fmt::format("the cap of measurements is {}, but must be at least {}",
                                                   options.cap_count, options.first_count)};
  }
  // Sequence numbers have 16 bits; 12 stimuli of 1000 measurements leave room for repeats.
  if (options.cap_count > 1000) return wrong("the cap of measurements must be at most 1000");
  return success();
}

std::string random_word() {
  return QUuid::createUuid().toString(QUuid::Id128).toStdString();  // 122 bits
}

}  // namespace

Result<PlannedCorpus> check_plan(const RunPlan& plan) {
  if (const Status a = check_node_address("a", plan.node_a); !a) return a.error();
  if (const Status b = check_node_address("b", plan.node_b); !b) return b.error();
  return check_planned_corpus(plan);
}

Result<PlannedCorpus> check_planned_corpus(const RunPlan& plan) {
  if (const Status sampling = check_sampling(plan.sampling); !sampling) return sampling.error();
  if (!plan.a_to_b && !plan.b_to_a) return Error{ErrorCode::bad_input, "no direction is selected; select at least one"};
  const auto corpus = Corpus::load(plan.corpus);
  if (!corpus) return corpus.error();
  PlannedCorpus planned{corpus->digest(), {}, {}};
  const double beside_s = gap_for_guard(plan.guard_s) + 2 * plan.guard_s +
                          static_cast<double>(leading_mark_length() + trailing_mark_length()) / kLineRateHz;
  for (const Stimulus& one : corpus->stimuli()) {
    if (!plan.stimuli.empty() && std::ranges::find(plan.stimuli, one.id) == plan.stimuli.end()) continue;
    planned.stimuli.push_back(one.id);
    if (plan.mode == ScoreMode::wideband && !one.files.contains(kWideRateHz)) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the corpus {} has no recording of {} at 16 kHz, which wideband needs; import it from "
                               "recordings of 16 kHz or more, or choose other stimuli",
                               plan.corpus.string(), one.id)};
    }
    planned.line_seconds.push_back(beside_s + one.files.at(kLineRateHz).duration_s);
  }
  for (const std::string& one : plan.stimuli) {
    if (corpus->find(one) != nullptr) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("the corpus {} has no stimulus \"{}\"; list its stimuli with \"vqas corpus list\"",
                             plan.corpus.string(), one)};
  }
  return planned;
}

Status check_continuation(const RunPlan& plan, const std::string& digest) {
  if (plan.continues->so_far.mode != plan.mode) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("the run was started with the mode \"{}\"; scores of the other mode have another scale, so "
                    "measure them into another folder",
                    to_string(plan.continues->so_far.mode))};
  }
  const std::string& before = plan.continues->so_far.corpus_digest;
  if (before == digest) return success();
  return Error{ErrorCode::bad_input,
               fmt::format("the run was started with another corpus (digest {}, {} has {}); give the same one", before,
                           plan.corpus.string(), digest)};
}

Status make_run_folder(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder / "recordings", fault);
  if (!fault) return success();
  return Error{ErrorCode::io, fmt::format("cannot make the folder {}: {}; choose another one",
                                          (folder / "recordings").string(), fault.message())};
}

SessionRecord new_session(const RunPlan& plan) {
  SessionRecord session;
  session.id = random_word();
  session.key = random_word();
  session.key += random_word();
  describe(plan, session);
  return session;
}

}  // namespace vqas
