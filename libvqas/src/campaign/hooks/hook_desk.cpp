#include "vqas/campaign/hook_desk.h"

#include <fmt/format.h>

#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include "campaign/hooks/hook_files.h"
#include "campaign/hooks/hook_log.h"
#include "campaign/hooks/hook_program.h"
#include "campaign/hooks/hooks_file.h"
#include "campaign/run_uuid.h"
#include "campaign/tell.h"
#include "vqas/store/utc_text.h"

namespace vqas {

using namespace campaign;

namespace {

// A clock that is set anew is noticed within this time.
constexpr double kLongestNap_s = 60;

double system_utc_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

struct HookDesk::Engine {
  explicit Engine(HookDeskOptions how) : options(std::move(how)), watch(options.campaign, take_up()) {
    nap.setSingleShot(true);
    patience.setSingleShot(true);
    deadline.setSingleShot(true);
    QObject::connect(&nap, &QTimer::timeout, &context, [this] { look(); });
    QObject::connect(&patience, &QTimer::timeout, &context,
                     [this] { enqueue(watch.line_away(away_because, utc_text(now_s()), away_since_utc)); });
    QObject::connect(&deadline, &QTimer::timeout, &context, [this] {
      out_of_time = true;
      // Its end is logged and counted like any other; then the desk is finished.
      program ? program->stop("the campaign ended") : finished();
    });
  }

  double now_s() const { return options.utc_s ? options.utc_s() : system_utc_s(); }
  WatchState take_up();
  void enqueue(std::vector<HookMessage> messages);
  void save();
  void look();
  void start(const QueuedHook& hook);
  void ended(const HookResult& result);
  void finished() {
    deadline.stop();
    if (when_finished && !queue.all().empty())
      tell(options.noticed, fmt::format("{} documents for hooks were not taken; the next start of the campaign sends "
                                        "them (hooks.log says why)",
                                        queue.all().size()));
    if (const auto done = std::exchange(when_finished, nullptr)) done();
  }

  const HookDeskOptions options;
  const std::filesystem::path folder = options.campaign.folder;
  bool hooks_are_new = false;  ///< the campaign was begun without them
  bool file_is_ours = false;   ///< hooks.json is of this campaign, not of one that it replaces
  HookQueue queue;             // take_up() fills it
  HookWatch watch;
  WatchState saved = watch.state();
  QObject context;
  QTimer nap, patience, deadline;
  std::string away_because, away_since_utc;
  std::optional<QueuedHook> sending;
  std::unique_ptr<HookProgram> program;
  std::function<void()> when_finished;
  bool unsaved_told = false;
  bool out_of_time = false;  ///< finish() waits no longer
};

WatchState HookDesk::Engine::take_up() {
  std::error_code failed;
  if (options.resume && std::filesystem::exists(folder / kHooksFile, failed)) {
    auto found = read_hooks_file(folder);
    if (found) {
      queue = HookQueue(std::move(found->queued));
      file_is_ours = true;
      return std::move(found->state);
    }
    tell(options.noticed, found.error().message + "; hooks begin anew");
  }
  hooks_are_new = options.resume;
  return {.campaign = new_run_uuid()};
}

void HookDesk::Engine::enqueue(std::vector<HookMessage> messages) {
  for (HookMessage& one : messages) {
    if (program_for(one.event, options.hooks).empty()) continue;
    for (const HookMessage& dropped : queue.add(std::move(one))) log_dropped(folder, utc_text(now_s()), dropped);
  }
  if (!messages.empty() || watch.state() != saved) save();
  QTimer::singleShot(0, &context, [this] { look(); });
}

void HookDesk::Engine::save() {
  const Status written = write_hooks_file(folder, {watch.state(), queue.all()});
  // Without the file the documents are sent all the same, only not after a kill.
  if (!written && !std::exchange(unsaved_told, true)) tell(options.noticed, written.error().message);
  if (!written) return;
  unsaved_told = false;
  file_is_ours = true;
  saved = watch.state();
}

void HookDesk::Engine::look() {
  if (program) return;
  if (out_of_time) return finished();
  const double now = now_s();
  if (const QueuedHook* const due = queue.due(now, static_cast<bool>(when_finished))) return start(*due);
  if (when_finished) return finished();
  const auto next = queue.next_s(now);
  if (!next) return nap.stop();
  nap.start(std::chrono::milliseconds(std::llround(1000 * std::clamp(*next - now, 0.05, kLongestNap_s))));
}

void HookDesk::Engine::start(const QueuedHook& hook) {
  sending = hook;
  HookProgram::Options how{program_for(hook.message.event, options.hooks), options.hooks.folder,
                           options.hooks.time_limit_s, hook.attempts + 1};
  if (how.words.empty()) return ended({.why = "the plan names no program for it any more"});
  std::error_code failed;
  if (!std::filesystem::is_directory(how.folder, failed)) how.folder = folder;
  program =
      std::make_unique<HookProgram>(std::move(how), hook.message, [this](const HookResult& result) { ended(result); });
}

void HookDesk::Engine::ended(const HookResult& result) {
  program.reset();
  const QueuedHook sent = *std::exchange(sending, std::nullopt);
  const auto& words = program_for(sent.message.event, options.hooks);
  const double now = now_s();
  std::string follows;
  if (result.delivered || words.empty()) {
    queue.delivered(sent.message.id);
  } else if (queue.failed(sent.message.id, now, options.hooks.attempts)) {
    follows = "; it is tried again";
  } else {
    follows = fmt::format("; that was the last of {} attempts", options.hooks.attempts);
    tell(options.noticed, fmt::format("the hook {} took no document {} in {} attempts: {}", words.front(),
                                      to_string(sent.message.event), options.hooks.attempts, result.why));
  }
  log_hook(folder, utc_text(now), sent, words.empty() ? "" : words.front(), result, follows);
  save();
  QTimer::singleShot(0, &context, [this] { look(); });
}

HookDesk::HookDesk(HookDeskOptions options) : engine_(std::make_unique<Engine>(std::move(options))) {
  QTimer::singleShot(0, &engine_->context, [engine = engine_.get()] { engine->look(); });
}

HookDesk::~HookDesk() {
  if (!engine_->program || !engine_->sending) return;
  engine_->program.reset();
  log_hook(engine_->folder, utc_text(engine_->now_s()), *engine_->sending,
           program_for(engine_->sending->message.event, engine_->options.hooks).front(),
           {.why = "the campaign was stopped"}, "; it is sent again");
}

void HookDesk::begin() {
  if (!engine_->file_is_ours) engine_->save();
}

void HookDesk::run_ended(const RunEnd& end, bool anew) {
  engine_->patience.stop();
  engine_->enqueue(engine_->watch.run_ended(end, anew, utc_text(engine_->now_s())));
}

void HookDesk::run_had_ended(const RunEnd& end) {
  if (!engine_->hooks_are_new) return run_ended(end, false);
  engine_->watch.skip(end);
  engine_->enqueue({});
}

void HookDesk::line_away(const std::string& why, double since_s) {
  engine_->away_because = why;
  engine_->away_since_utc = utc_text(since_s);
  if (!engine_->patience.isActive())
    engine_->patience.start(std::chrono::milliseconds(std::llround(1000 * engine_->options.hooks.dead_after_s)));
}

void HookDesk::line_there() {
  engine_->patience.stop();
  engine_->enqueue(engine_->watch.line_there(utc_text(engine_->now_s())));
}

void HookDesk::disk(const DiskForecast& forecast) {
  engine_->enqueue(engine_->watch.disk(forecast, utc_text(engine_->now_s())));
}

void HookDesk::look() {
  engine_->look();
}

void HookDesk::finish(std::function<void()> done) {
  engine_->patience.stop();
  engine_->when_finished = std::move(done);
  engine_->nap.stop();
  engine_->deadline.start(std::chrono::milliseconds(std::llround(2000 * engine_->options.hooks.time_limit_s)));
  QTimer::singleShot(0, &engine_->context, [engine = engine_.get()] { engine->look(); });
}

std::size_t HookDesk::waiting() const {
  return engine_->queue.all().size();
}

std::vector<HookTrial> try_hooks(const CampaignPlan& plan) {
  std::vector<HookTrial> trials;
  for (const HookMessage& message : example_messages(plan, utc_text(system_utc_s()))) {
    HookTrial trial{message.event, program_for(message.event, plan.hooks), false, {}, {}};
    if (trial.program.empty()) continue;
    QEventLoop loop;
    const HookProgram program({trial.program, plan.hooks.folder, plan.hooks.time_limit_s, 1}, message,
                              [&](const HookResult& result) {
                                trial.delivered = result.delivered;
                                trial.why = result.why;
                                trial.output = result.output;
                                loop.quit();
                              });
    loop.exec();
    trials.push_back(std::move(trial));
  }
  return trials;
}

}  // namespace vqas
