#include "node/agent/node_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "node/play/outgoing.h"
#include "run/measurement_limits.h"
#include "vqas/line/open_line.h"
#include "vqas/signal/resample.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

constexpr int kLeaseLookMs = 250;

}  // namespace

NodeService::NodeService(NodeOptions options, Corpus corpus, Notify notify)
    : options_(std::move(options)), corpus_(std::move(corpus)), notify_(std::move(notify)) {
  QObject::connect(&lease_looks_, &QTimer::timeout, &context_, [this] { expire(); });
  lease_looks_.start(kLeaseLookMs);
}

NodeService::~NodeService() {
  loop_.reset();
  worker_.reset();
}

Result<std::unique_ptr<NodeService>> NodeService::create(const NodeOptions& options, Notify notify) {
  auto corpus = Corpus::load(options.corpus);
  if (!corpus) return corpus.error();
  std::unique_ptr<NodeService> service(new NodeService(options, std::move(corpus).value(), std::move(notify)));
  for (const Stimulus& stimulus : service->corpus_.stimuli()) {
    auto recording = service->corpus_.recording(stimulus.id);
    if (!recording) return recording.error();
    service->references_.emplace(stimulus.id, ReferenceSpeech(std::move(recording).value()));
  }
  auto archive = NodeArchive::open(options.data);
  if (!archive) return archive.error();
  service->archive_ = std::move(archive).value();
  service->worker_ = std::make_unique<Worker>();
  const Status opened = service->open_line_again();
  if (!opened) return opened.error();
  return service;
}

Status NodeService::open_line_again() {
  loop_.reset();
  trace_.open_line();
  auto line = options_.open_line ? options_.open_line(options_.end) : open_line(options_.line, options_.end);
  if (!line) return line.error();
  line_ = (*line)->description();
  if (line_.rate_hz == kWideRateHz && wide_references_.empty()) {
    if (Status done = read_wide_references(); !done) return done;
  }
  line_lost_ = false;
  loop_ = std::make_unique<AudioLoop>(std::move(line).value(), options_.end, loop_events(line_.packets));
  return success();
}

// A stimulus that has 8 kHz alone can still be scored in narrowband.
Status NodeService::read_wide_references() {
  std::map<std::string, ReferenceSpeech> read;
  for (const Stimulus& stimulus : corpus_.stimuli()) {
    const bool wide = stimulus.files.contains(kWideRateHz);
    auto recording = wide ? corpus_.recording(stimulus.id, kWideRateHz)
                          : resample(references_.at(stimulus.id).at_8_khz(), kWideRateHz);
    if (!recording) return recording.error();
    read.emplace(stimulus.id, ReferenceSpeech(std::move(recording).value()));
  }
  wide_references_ = std::move(read);
  return success();
}

const ReferenceSpeech& NodeService::reference(const std::string& stimulus, int rate_hz) const {
  return (rate_hz == kWideRateHz ? wide_references_ : references_).at(stimulus);
}

// These run in the audio thread. Captures pass through the scoring thread, and so do the ends of the round and of the
// line, so that measurements are always reported before them. They get what they need of the line as a value: `line_`
// belongs to the service's own thread and changes when the line is opened again.
LoopEvents NodeService::loop_events(bool packets) {
  LoopEvents events;
  events.sent = [this](std::uint32_t sequence, std::int64_t left_at_ns, std::optional<std::int64_t> clock_offset_ns) {
    in_session(running(), [this, sequence, left_at_ns, clock_offset_ns] {
      keep_departure(sequence, left_at_ns + half_device_ns(), clock_offset_ns);
    });
  };
  events.played = [this](std::uint32_t sequence, const DeviceNotes& notes) {
    in_session(running(), [this, sequence, notes] { keep_played(PlayedNotice{sequence, notes}); });
  };
  events.captured = [this, packets](Capture capture, std::optional<std::int64_t> arrived_at_ns, DeviceNotes notes) {
    in_session(running(), [this] { ++scoring_; });
    const bool no_packets = packets && notes.noticed.packets == 0;
    worker_->post([this, session = running(), capture = std::move(capture), arrived_at_ns, no_packets,
                   notes = std::move(notes)] { score(session, capture, arrived_at_ns, notes, no_packets); });
  };
  events.done = [this](std::uint64_t round, std::int64_t line_time_ns) {
    worker_->post([this, session = running(), round, line_time_ns] {
      in_session(session, [this, round, line_time_ns] {
        if (!round_.running()) return;
        line_time_ns_ += line_time_ns;
        // A job appended while this round ended is a round of its own.
        if (round != round_.number) return;
        round_.state = "done";
        tell("round.done", {{"number", round}, {"line_time_ns", line_time_ns}});
      });
    });
  };
  events.warned = [this](const std::string& warning) {
    QMetaObject::invokeMethod(
        &context_,
        [this, warning] {
          log(warning);
          tell("line.warning", {{"message", warning}});
        },
        Qt::QueuedConnection);
  };
  events.traced = [this](const std::vector<LineTrace>& entries) {
    QMetaObject::invokeMethod(
        &context_,
        [this, entries] {
          trace_.add(entries);
          tell_trace();
        },
        Qt::QueuedConnection);
  };
  events.silent = [this, packets](MarkSilence silence) {
    worker_->post([this, packets, session = running(), silence = std::move(silence)] {
      const bool no_packets = packets && silence.noticed.packets == 0;
      const Json told = to_json(SilenceNotice{silence.awaited.sequence, silence.awaited.waited_s,
                                              silence.awaited.left_s, judge_idle_input(silence.heard, no_packets)});
      in_session(session, [this, told] { tell("silence", told); });
    });
  };
  events.lost = [this](const Error& error) {
    worker_->post([this, error] {
      QMetaObject::invokeMethod(
          &context_,
          [this, error] {
            line_lost_ = true;
            fail_round(error);
          },
          Qt::QueuedConnection);
    });
  };
  return events;
}

// Samples leave the device later than they were written, and arrived earlier than they were read.
std::int64_t NodeService::half_device_ns() const {
  return std::llround(options_.device_delay_ms.value_or(0) * 1e6 / 2);
}

NodeService::Session NodeService::running() const {
  const std::lock_guard lock(running_mutex_);
  return running_;
}

void NodeService::in_session(const Session& session, std::function<void()> task) {
  QMetaObject::invokeMethod(
      &context_,
      [this, session, task = std::move(task)] {
        if (session && session == session_) task();
      },
      Qt::QueuedConnection);
}

void NodeService::tell(const std::string& method, const Json& params) const {
  if (session_ && connection_ != 0) notify_(connection_, rpc::notification(method, params));
}

void NodeService::log(const std::string& line) const {
  if (options_.log) options_.log(line);
}

void NodeService::tell_trace() {
  if (!session_ || connection_ == 0) return;
  if (const std::string text = trace_.take(); !text.empty()) tell("line.trace", {{"text", text}});
}

// A departure is known to a connected client; it is stored only for a client that resumes, for which the system's
// memory suffices.
void NodeService::keep_departure(std::uint32_t sequence, std::int64_t left_at_ns,
                                 std::optional<std::int64_t> clock_offset_ns) {
  Json sent = {{"sequence", sequence}, {"left_at_ns", left_at_ns}};
  if (clock_offset_ns) sent["clock_offset_ns"] = *clock_offset_ns;
  ++transmissions_;
  if (keep_sent(sequence, sent)) tell("sent", sent);
}

void NodeService::keep_played(const PlayedNotice& notice) {
  Json sent = sent_[notice.sequence];
  const Json played = to_json(notice);
  sent["played"] = played;
  if (keep_sent(notice.sequence, sent)) tell("played", played);
}

bool NodeService::keep_sent(std::uint32_t sequence, const Json& sent) {
  sent_[sequence] = sent;
  const Status kept = archive_->append(Json{{"session", session_->id}, {"sent", sent}}.dump(), false);
  if (!kept) fail_round(kept.error());
  return static_cast<bool>(kept);
}

std::int64_t NodeService::line_time_ns() const {
  return line_time_ns_ + (loop_ && round_.running() ? loop_->line_time_ns() : 0);
}

void NodeService::fail_round(const Error& error) {
  line_time_ns_ = line_time_ns();
  if (loop_) loop_->abandon();
  log((round_.running() ? "round " + std::to_string(round_.number) + " failed: " : "") + error.message);
  round_.state = "failed";
  ++rounds_failed_;
  round_.code = error.code == ErrorCode::line_lost ? "line_lost" : "io";
  round_.message = error.message;
  tell("round.failed", {{"code", round_.code}, {"message", error.message}, {"line_time_ns", line_time_ns_}});
}

void NodeService::score(const Session& session, const Capture& capture, std::optional<std::int64_t> arrived_at_ns,
                        const DeviceNotes& notes, bool no_packets) {
  if (!session) return;
  const MarkData& data = capture.expectation.data;
  ReceivedMeasurement received;
  received.stimulus = session->stimuli.at(data.stimulus);
  judge_.score_as(session->mode, session->narrowband_too);
  JudgedCapture judged =
      judge_.judge(capture, reference(received.stimulus, capture.recording.rate_hz), notes, no_packets);
  received.measurement = std::move(judged.measurement);
  received.evidence = judged.evidence;
  received.clock_offset_ns = judged.clock_offset_ns;
  received.clock_step_ms = judged.clock_step_ms;
  received.heard = judged.heard;
  received.number_guessed = capture.marks != MarksFound::none && !capture.data_confirmed;
  received.arrived_at_ns = arrived_at_ns;
  if (received.arrived_at_ns) *received.arrived_at_ns -= half_device_ns();
  if (received.measurement.outcome == Outcome::not_found) received.heard_until_ns = notes.heard_until_ns;
  if (!judged.recording.empty()) {
    received.measurement.recording =
        fmt::format("{}-{}-to-{}-{}-{:04}.flac", session->id, name_of(data.sender), name_of(other_end(data.sender)),
                    as_file_name(received.stimulus), data.sequence);
  }
  Status kept = success();
  if (!judged.recording.empty()) kept = archive_->keep(received.measurement.recording, judged.recording);
  const Json json = to_json(received);
  if (kept) kept = archive_->append(Json{{"session", session->id}, {"measurement", json}}.dump());
  in_session(session, [this, kept, json, sequence = data.sequence] {
    --scoring_;
    if (!kept) return fail_round(kept.error());
    measured_[sequence] = json;
    ++outcomes_[json["outcome"].get<std::string>()];
    tell("measurement", json);
  });
}

void NodeService::take_up(const NodeSession& session, bool look_at_disk) {
  end_session();
  if (look_at_disk) {
    // Captures from before the end of the session may still be on their way to the disk.
    worker_->drain();
    SessionHistory history = archive_->history(session.id);
    if (history.known() && history.key_digest == session.key_digest) {
      measured_ = std::move(history.measured);
      sent_ = std::move(history.sent);
    }
  }
  session_ = std::make_shared<const NodeSession>(session);
  trace_.begin_session();
  ++sessions_;
  since_ = std::chrono::system_clock::now();
}

void NodeService::end_session() {
  {
    const std::lock_guard lock(running_mutex_);
    running_.reset();
  }
  earlier_line_time_ns_ += line_time_ns();
  if (loop_) loop_->abandon();
  session_.reset();
  trace_.end_session();
  connection_ = 0;
  measured_.clear();
  sent_.clear();
  last_expected_ = 0;
  scoring_ = 0;
  line_time_ns_ = 0;
  round_.state = "none";
  round_.request.clear();
}

void NodeService::heard(int connection) {
  if (held_by(connection)) heard_ = Clock::now();
}

void NodeService::disconnected(int connection) {
  if (!held_by(connection)) return;
  if (session_->key_digest.empty()) return end_session();
  log("the connection of \"" + as_plain_text(session_->holder) +
      "\" is closed; its session is kept until its lease expires");
  connection_ = 0;
}

void NodeService::expire() {
  if (!session_ || Clock::now() - heard_ < session_->lease) return;
  log("the lease of \"" + as_plain_text(session_->holder) + "\" has expired");
  tell("session.ended", {{"code", "expired"}, {"message", "the lease expired without a sign of life"}});
  end_session();
}

bool NodeService::release() {
  if (!session_) return false;
  log("released from \"" + as_plain_text(session_->holder) + "\" by an operator at this node");
  tell("session.ended", {{"code", "taken_back"}, {"message", "an operator released the node"}});
  taken_back_.insert(session_->id);
  end_session();
  return true;
}

MarkData NodeService::mark_data(End sender, const std::string& stimulus, std::uint32_t sequence) const {
  MarkData data;
  data.sender = sender;
  data.run_id = session_->run_id;
  data.stimulus = *session_->place(stimulus);
  data.sequence = static_cast<std::uint16_t>(sequence);
  data.corpus_digest = static_cast<std::uint16_t>(std::stoul(corpus_.digest().substr(0, 4), nullptr, 16));
  return data;
}

RoundJob NodeService::make_job(const RoundRequest& request) const {
  RoundJob job;
  job.number = request.number;
  job.in_turn = request.in_turn;
  job.transmission.guard_s = session_->guard_s;
  for (const auto& one : request.send) {
    job.send.push_back(compose_outgoing(reference(one.stimulus, line_.rate_hz).at_line_rate(),
                                        mark_data(options_.end, one.stimulus, one.sequence), job.transmission,
                                        options_));
  }
  for (const auto& one : request.expect) {
    job.expect.push_back({mark_data(other_end(options_.end), one.stimulus, one.sequence),
                          length_at_mark_rate(reference(one.stimulus, line_.rate_hz).at_line_rate()), one.within_s});
  }
  return job;
}

}  // namespace vqas
