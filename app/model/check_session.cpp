#include "model/check_session.h"

#include <QTemporaryDir>
#include <utility>

namespace vqas::app {

CheckWorker::CheckWorker(RunSettings settings, MeasuringTools tools)
    : settings_(std::move(settings)), tools_(std::move(tools)) {}

CheckWorker::~CheckWorker() = default;

void CheckWorker::start() {
  if (over_) return;
  folder_ = std::make_unique<QTemporaryDir>();
  if (!folder_->isValid())
    return end({ErrorCode::io, "no temporary folder can be made; free space on the disk of temporary files"});
  RunPlan plan = plan_of(settings_, tools_);
  plan.folder = folder_->path().toStdString();
  if (plan.stimuli.empty()) plan.stimuli.assign(kUsualCheckStimuli.begin(), kUsualCheckStimuli.end());
  auto access = NodeAccessControl::open(plan, tools_.known_peers, settings_);
  if (!access) return end(access.error());
  access_.emplace(*std::move(access));
  const Status seen = access_->see_nodes(plan);
  if (over_) return;  // cancelled meanwhile
  if (!seen) return end(seen.error());
  const QString question = access_->question();
  if (question.isEmpty()) return begin(std::move(plan));
  asking_ = std::move(plan);
  emit asked_to_trust(question);
}

void CheckWorker::trust(bool yes) {
  if (over_ || !asking_) return;
  RunPlan plan = *std::exchange(asking_, std::nullopt);
  if (!yes) return end({ErrorCode::cancelled, "the nodes were not trusted; nothing was sent to them"});
  if (const Status kept = access_->trust_strangers(); !kept) return end(kept.error());
  begin(std::move(plan));
}

void CheckWorker::begin(RunPlan plan) {
  LineCheckEvents events;
  events.on_part = [this](std::size_t part, std::size_t parts, double) {
    emit part_begun(static_cast<int>(part), static_cast<int>(parts));
  };
  events.on_waiting = [this](const MarkWait& wait) { emit noticed(QString::fromStdString(in_words(wait))); };
  events.on_noticed = [this](const std::string& what) { emit noticed(QString::fromStdString(what)); };
  events.on_found = [this](const LineCheckResult& result) {
    emit found(std::make_shared<const LineCheckResult>(result));
  };
  events.on_finished = [this](const LineCheckResult& result) {
    over_ = true;
    emit finished(std::make_shared<const LineCheckResult>(result));
  };
  check_.emplace(std::move(plan), std::move(events));
  check_->start();
}

void CheckWorker::cancel() {
  if (over_) return;
  if (check_) return check_->cancel();
  end({ErrorCode::cancelled, "the check was stopped"});
}

void CheckWorker::end(const Error& why) {
  over_ = true;
  LineCheckResult result;
  result.error = why;
  emit finished(std::make_shared<const LineCheckResult>(std::move(result)));
}

ThreadedCheck::ThreadedCheck(const RunSettings& settings, const MeasuringTools& tools)
    : worker_(QStringLiteral("check"), new CheckWorker(settings, tools)) {
  worker_.pass_on(this, &CheckSession::part_begun, &CheckSession::noticed, &CheckSession::found,
                  &CheckSession::asked_to_trust, &CheckSession::finished);
}

void ThreadedCheck::start() {
  worker_.call(&CheckWorker::start);
}

void ThreadedCheck::cancel() {
  worker_.call(&CheckWorker::cancel);
}

void ThreadedCheck::trust(bool yes) {
  worker_.call(&CheckWorker::trust, yes);
}

}  // namespace vqas::app
