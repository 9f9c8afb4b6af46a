#include "model/repeats/campaign_worker.h"

#include <QDateTime>
#include <utility>

#include "model/plan_form.h"
#include "model/words.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/campaign/stored_runs.h"
#include "vqas/receive/idle_input.h"
#include "vqas/store/plan_text.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPublishMs = 100;

// By the clock on the wall, with the day where it is not today.
QString due_words(double due_s) {
  const QDateTime due = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(due_s * 1000));
  return due.toString(due.date() == QDate::currentDate() ? u"HH:mm"_s : u"yyyy-MM-dd HH:mm"_s);
}

// Read from its own text, so that it holds what "vqas measure" reads from it, and is refused where that refuses it.
Result<PlanOnDisk> plan_on_disk(const RunSettings& settings) {
  PlanOnDisk plan;
  plan.file = std::filesystem::path(settings.folder.toStdString()) / "plan.toml";
  CampaignPlan asked = plan_with(settings, CampaignPlan{});
  // A profile's file is relative to the working directory, and not to the plan's folder.
  if (asked.profile.ends_with(".toml")) asked.profile = std::filesystem::absolute(asked.profile).string();
  plan.text = plan_text(asked);
  auto read = parse_plan(plan.text, plan.file);
  if (!read) return read.error();
  plan.plan = *std::move(read);
  return plan;
}

// The copy with which the campaign began.
Result<PlanOnDisk> plan_in(const std::filesystem::path& folder) {
  auto kept = kept_plan(folder);
  if (!kept) return kept.error();
  if (!*kept) return Error{ErrorCode::bad_input, "the folder " + folder.string() + " holds no campaign to resume"};
  return **std::move(kept);
}

}  // namespace

CampaignWorker::CampaignWorker(RunSettings settings, MeasuringTools tools)
    : settings_(std::move(settings)), tools_(std::move(tools)), told_(this) {
  told_.setSingleShot(true);
  told_.setInterval(kPublishMs);
  connect(&told_, &QTimer::timeout, this, &CampaignWorker::publish);
}

CampaignWorker::~CampaignWorker() = default;

// Nodes over TLS are identified once before anything is measured, and again before each run.
Status CampaignWorker::open_access(RunPlan& plan) {
  auto access = NodeAccessControl::open(plan, tools_.known_peers, settings_);
  if (!access) return access.error();
  access_.emplace(*std::move(access));
  return access_->see_nodes(plan);
}

void CampaignWorker::start() {
  if (over_) return;
  emit phase_changed(RunPhase::preparing);
  auto read = settings_.resumes ? plan_in(settings_.folder.toStdString()) : plan_on_disk(settings_);
  if (!read) return end(RunPhase::failed, read.error());
  plan_ = *std::move(read);
  if (plan_.plan.node_a.empty()) return begin();  // a simulated line
  RunPlan plan;
  plan.node_a = plan_.plan.node_a;
  plan.node_b = plan_.plan.node_b;
  const Status seen = open_access(plan);
  if (over_) return;  // cancelled meanwhile
  if (!seen) return end(RunPhase::failed, seen.error());
  const QString question = access_->question();
  if (question.isEmpty()) return begin();
  asking_ = true;
  emit asked_to_trust(question);
}

void CampaignWorker::trust(bool yes) {
  if (over_ || !std::exchange(asking_, false)) return;
  if (!yes)
    return end(RunPhase::cancelled,
               Error{ErrorCode::cancelled, "the nodes were not trusted; nothing was sent to them"});
  if (const Status kept = access_->trust_strangers(); !kept) return end(RunPhase::failed, kept.error());
  begin();
}

void CampaignWorker::begin() {
  CampaignOptions options;
  options.folder = settings_.folder.toStdString();
  options.corpus = plan_.plan.corpus.empty() ? tools_.corpus : plan_.plan.corpus;
  options.program = tools_.program;
  options.archive = archive_folder({plan_.plan.store, {}});
  options.resume = settings_.resumes;
  if (settings_.resumes) options.before = plan_;
  options.admit = [this](RunPlan& run) -> std::optional<RunVerdict> {
    Status admitted = open_access(run);
    if (admitted && !access_->question().isEmpty())
      admitted = Error{ErrorCode::bad_input, access_->question().toStdString()};
    if (admitted) return std::nullopt;
    emit noticed(QString::fromStdString(admitted.error().message));
    return verdict_of(admitted.error());
  };
  auto campaign = Campaign::open(plan_, std::move(options), events());
  if (!campaign) return end(RunPhase::failed, campaign.error());
  campaign_ = *std::move(campaign);
  emit phase_changed(RunPhase::measuring);
  campaign_->start();
}

CampaignEvents CampaignWorker::events() {
  CampaignEvents events;
  events.run_begins = [this](const CampaignRun& run) {
    run_folder_ = run.folder;
    emit run_begins(QString::fromStdString(run_folder_.string()));
    emit waiting({});
    return run_events();
  };
  events.next_slot = [this](std::optional<double> due_s) {
    if (due_s) emit waiting(u"the next run, at %1"_s.arg(due_words(*due_s)));
  };
  events.away = [this](const std::string& why) {
    emit waiting(why.empty() ? QString() : u"the line"_s);
    if (!why.empty()) emit noticed(u"the run waits: "_s + QString::fromStdString(why));
  };
  events.noticed = [this](const std::string& what) { emit noticed(QString::fromStdString(what)); };
  events.failed = [this](const Error& why) { fault_ = why; };
  // The object that tells its end is destroyed later.
  events.finished = [this](const EndOfCampaign& campaign) {
    const bool well = campaign.verdict <= RunVerdict::not_measured;  // every run was measured
    end(cancelled_ ? RunPhase::cancelled
        : well     ? RunPhase::finished
                   : RunPhase::failed,
        cancelled_ || well ? std::nullopt : fault_, campaign);
  };
  return events;
}

RunEvents CampaignWorker::run_events() {
  RunEvents events;
  events.begun = [this](const RunResults& results) {
    current_ = &results;
    publish();
  };
  events.progressed = [this](const RunResults&, const RunProgress& progress) {
    if (!told_.isActive()) told_.start();
    emit progressed(progress, {});
  };
  events.stop_requested = [this] {
    emit noticed(u"another program asked to stop; this ends all runs to come, too"_s);
    cancel();
  };
  events.noticed = [this](const std::string& what) { emit noticed(QString::fromStdString(what)); };
  events.waiting = [this](const MarkWait& wait) { emit silent(wait.from, QString::fromStdString(in_words(wait))); };
  events.paused = [this](const std::string& why) {
    emit waiting(why.empty() ? QString() : u"the line"_s);
    emit noticed(why.empty() ? u"the line is there again; the run continues"_s
                             : u"the run waits: "_s + QString::fromStdString(why));
  };
  events.out_of_reach = [this](const std::string& node) { emit waiting(QString::fromStdString(node)); };
  events.finished = [this](const EndOfRun& end) {
    told_.stop();
    current_ = end.begun ? &end.results : nullptr;
    publish();
    current_ = nullptr;
  };
  return events;
}

void CampaignWorker::publish() {
  if (current_ == nullptr) return;
  last_ = std::make_shared<const RunResults>(*current_);
  emit updated(last_);
}

void CampaignWorker::cancel() {
  if (over_) return;
  cancelled_ = true;
  emit phase_changed(RunPhase::stopping);
  if (campaign_) return campaign_->cancel();
  end(RunPhase::cancelled, std::nullopt);
}

void CampaignWorker::hold(bool) {
  emit held(false);
  emit noticed(u"runs by the clock cannot be paused; stop them"_s);
}

void CampaignWorker::note(const OperatorNote& note) {
  const auto kept = write_note(run_folder_, note, note.from == End::a ? "a-to-b" : "b-to-a");
  if (kept)
    emit noted({}, QString::fromStdString(*kept));
  else
    emit noted(QString::fromStdString(kept.error().message));
}

void CampaignWorker::end(RunPhase phase, const std::optional<Error>& why, const EndOfCampaign& campaign) {
  if (std::exchange(over_, true)) return;
  RunEnd how;
  how.phase = phase;
  how.verdict = campaign.verdict;
  if (!run_folder_.empty() || campaign.slots_in_all > 0) how.folder = settings_.folder;
  how.report = QString::fromStdString(campaign.page.string());
  if (why) {
    how.code = why->code;
    how.message = QString::fromStdString(why->message);
  }
  if (campaign.was_complete) how.message = u"the campaign is complete, so nothing is left to measure"_s;
  const bool slots_are_left = campaign.records.size() < campaign.slots_in_all;
  if (slots_are_left) {
    if (!how.message.isEmpty()) how.message += u"; "_s;
    how.message += u"%1 of %2 repeats are over"_s.arg(campaign.records.size()).arg(campaign.slots_in_all);
    how.resumable = true;
  }
  emit finished(how, last_);
}

CampaignSession::CampaignSession(const RunSettings& settings, const MeasuringTools& tools)
    : worker_(u"campaign"_s, new CampaignWorker(settings, tools)) {
  worker_.pass_on(this, &RunSession::phase_changed, &RunSession::updated, &RunSession::progressed, &RunSession::held,
                  &RunSession::noted, &RunSession::run_begins, &RunSession::noticed, &RunSession::waiting,
                  &RunSession::silent, &RunSession::asked_to_trust, &RunSession::finished);
}

}  // namespace vqas::app
