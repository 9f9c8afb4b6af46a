// Runs of the window over nodes: a node is lost, the folder is released, nodes over TLS.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <fstream>
#include <functional>
#include <memory>

#include "model/measuring_session.h"
#include "node/node_harness.h"
#include "node/tcp_proxy.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/report/report.h"
#include "vqas/run/session_record.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

constexpr int kDeadlineMs = 240'000;

class NodeSession : public test::NodeTest {
 protected:
  void SetUp() override {
    test::NodeTest::SetUp();
    settings_.line = LineKind::nodes;
    settings_.cap = 5;
    settings_.stimuli = QStringList{u"M1"_s};
    settings_.folder = QString::fromStdString((folder_ / "run").string());
    tools_.corpus = test::corpus_folder();
    tools_.known_peers = folder_ / "known-peers";
  }
  void start_nodes(bool tls = false) {
    NodeOptions options;
    options.tls = tls;
    bench_.emplace(test::varied_line(1e-4, 7), folder_, options, options);
    settings_.node_a = QString::fromStdString(bench_->node_a->address());
    settings_.node_b = QString::fromStdString(bench_->node_b->address());
  }
  /// Begins a run; `act` may listen to it.
  void begin(const std::function<void(MeasuringSession&)>& act = {}) {
    session_ = std::make_unique<MeasuringSession>(settings_, tools_);
    finished_ = std::make_unique<QSignalSpy>(session_.get(), &RunSession::finished);
    asked_ = std::make_unique<QSignalSpy>(session_.get(), &RunSession::asked_to_trust);
    if (act) act(*session_);
    session_->start();
  }
  /// Waits for its end; the session stays, as it does in an open window.
  RunEnd end() {
    if (finished_->isEmpty() && !finished_->wait(kDeadlineMs)) {
      ADD_FAILURE() << "the run hangs";
      return {};
    }
    return finished_->first().at(0).value<RunEnd>();
  }
  std::size_t scored() const {
    const auto run = load_run(folder_ / "run");
    EXPECT_TRUE(run) << run.error().message;
    std::size_t count = 0;
    if (!run) return 0;
    for (const DirectionRun& direction : run->results.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) count += stimulus.interval.n;
    }
    return count;
  }
  void stop_after_first(MeasuringSession& session) {
    QObject::connect(&session, &RunSession::progressed, &session, [&session](const RunProgress& progress) {
      if (progress.measured > 0) session.cancel();
    });
  }
  QString pairing_of(const Node& node, const std::string& end, const std::string& token) {
    const fs::path file = folder_ / (end + ".json");
    EXPECT_TRUE(write_pairing(file, {node.address(), node.fingerprint(), token}));
    return QString::fromStdString(file.string());
  }

  RunSettings settings_;
  MeasuringTools tools_;
  std::optional<test::Bench> bench_;
  std::unique_ptr<MeasuringSession> session_;
  std::unique_ptr<QSignalSpy> finished_, asked_;
};

TEST_F(NodeSession, ReleasesTheFolderWhenTheRunHasEnded) {
  start_nodes();
  begin();
  const RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::finished) << how.message.toStdString();
  EXPECT_FALSE(run_goes_on(folder_ / "run")) << "the window is still open";
  EXPECT_FALSE(fs::exists(folder_ / "run" / kRunLockFile));
}

TEST_F(NodeSession, HoldsTheFolderWhileItMeasures) {
  start_nodes();
  bool held = false;
  begin([&](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::phase_changed, &session, [&](RunPhase phase) {
      if (phase == RunPhase::measuring) held = run_goes_on(folder_ / "run");
    });
  });
  (void)end();
  EXPECT_TRUE(held);
}

TEST_F(NodeSession, ResumesARunThatWasStoppedAndLeavesItsStoppedPartAsItWas) {
  start_nodes();
  settings_.stimuli = QStringList{u"M1"_s, u"M2"_s, u"M3"_s, u"F1"_s, u"F2"_s, u"F3"_s};
  constexpr std::size_t kAll = 60;
  begin([this](MeasuringSession& session) { stop_after_first(session); });
  RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::cancelled) << how.message.toStdString();
  EXPECT_TRUE(how.resumable);
  const std::size_t before = scored();
  EXPECT_LT(before, kAll);
  const std::string uuid = load_run(folder_ / "run")->results.about.uuid;
  EXPECT_EQ(uuid.size(), 36U);
  // The open window does not block the next run.
  const RunSettings first = settings_;
  const std::unique_ptr<MeasuringSession> open_window = std::move(session_);
  settings_ = RunSettings{};
  settings_.line = LineKind::nodes;
  settings_.resumes = true;
  settings_.folder = first.folder;
  begin();
  how = end();
  EXPECT_EQ(how.phase, RunPhase::finished) << how.message.toStdString();
  EXPECT_GE(scored(), kAll);
  const auto run = load_run(folder_ / "run");
  EXPECT_EQ(run->results.ended_because, "");
  EXPECT_EQ(run->damaged, 0U);
  EXPECT_EQ(run->results.about.uuid, uuid);
  EXPECT_EQ(read_results(folder_ / "run")->results.about.uuid, uuid);
}

TEST_F(NodeSession, SaysThatARunIsCompleteInsteadOfResumingIt) {
  start_nodes();
  begin();
  (void)end();
  settings_.resumes = true;
  begin();
  const RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::failed);
  EXPECT_TRUE(how.message.contains(u"is complete"_s)) << how.message.toStdString();
  EXPECT_FALSE(run_goes_on(folder_ / "run"));
  EXPECT_TRUE(fs::exists(folder_ / "run" / "report.html"));
}

TEST_F(NodeSession, WaitsForAnUnreachableNodeAndNamesIt) {
  start_nodes();
  test::TcpProxy link(bench_->node_b->address(), 0);
  settings_.node_b = QString::fromStdString(link.address());
  QStringList waited;
  begin([&](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::waiting, &session, [&](const QString& what) { waited.append(what); });
    QObject::connect(&session, &RunSession::progressed, &session, [&](const RunProgress& progress) {
      if (progress.measured > 0 && link.cuts() == 0) link.cut(6500);
    });
  });
  const RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::finished) << how.message.toStdString();
  EXPECT_EQ(link.cuts(), 1);
  EXPECT_EQ(scored(), 10U);
  ASSERT_EQ(waited.size(), 2) << waited.join(u'|').toStdString();
  EXPECT_TRUE(waited[0].startsWith(u"node b at "_s));
  EXPECT_TRUE(waited[1].isEmpty());
}

TEST_F(NodeSession, IsAsPatientAsTheCommandLine) {
  settings_.node_a = u"ws://127.0.0.1:1"_s;
  EXPECT_EQ(plan_of(settings_, tools_).link_patience_s, kLinkPatience_s);
  settings_.line = LineKind::simulated;
  EXPECT_EQ(plan_of(settings_, tools_).link_patience_s, 0) << "nodes of its own that died do not come back";
}

TEST_F(NodeSession, MeasuresOverTlsWithPairingFiles) {
  start_nodes(true);
  ASSERT_TRUE(settings_.node_a.startsWith(u"wss://"_s));
  settings_.access_a = pairing_of(*bench_->node_a, "pair-a", *add_node_token(folder_ / "a", "anna"));
  settings_.access_b = pairing_of(*bench_->node_b, "pair-b", *add_node_token(folder_ / "b", "anna"));
  begin();
  const RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::finished) << how.message.toStdString();
  EXPECT_EQ(asked_->count(), 0) << "a pairing file gives the trust";
  EXPECT_EQ(scored(), 10U);
}

TEST_F(NodeSession, AsksOnceWhetherToTrustNodesWithBothFingerprintsAndRemembers) {
  start_nodes(true);
  for (const auto& [end, field] : {std::pair{"a", &RunSettings::access_a}, std::pair{"b", &RunSettings::access_b}}) {
    const fs::path file = folder_ / (std::string("token-") + end);
    std::ofstream(file) << *add_node_token(folder_ / end, "anna") << "\n";
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    settings_.*field = QString::fromStdString(file.string());
  }
  const auto trusting = [](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::asked_to_trust, &session, [&session] { session.trust(true); });
  };
  begin(trusting);
  RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::finished) << how.message.toStdString();
  ASSERT_EQ(asked_->count(), 1);
  const QString question = asked_->first().first().toString();
  EXPECT_TRUE(question.contains(QString::fromStdString(bench_->node_a->fingerprint()))) << question.toStdString();
  EXPECT_TRUE(question.contains(QString::fromStdString(bench_->node_b->fingerprint())));
  settings_.folder = QString::fromStdString((folder_ / "again").string());
  begin();
  how = end();
  EXPECT_EQ(how.phase, RunPhase::finished) << how.message.toStdString();
  EXPECT_EQ(asked_->count(), 0) << "they are known now";
}

TEST_F(NodeSession, SendsNothingToUntrustedNodes) {
  start_nodes(true);
  begin([](MeasuringSession& session) {
    QObject::connect(&session, &RunSession::asked_to_trust, &session, [&session] { session.trust(false); });
  });
  const RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::cancelled);
  EXPECT_TRUE(how.message.contains(u"not trusted"_s)) << how.message.toStdString();
  EXPECT_FALSE(fs::exists(tools_.known_peers));
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(NodeSession, RefusesANodeWhoseCertificateIsNotThatOfItsPairingFile) {
  start_nodes(true);
  settings_.access_b = pairing_of(*bench_->node_a, "pair-b", "x");
  begin();
  const RunEnd how = end();
  EXPECT_EQ(how.phase, RunPhase::failed);
  EXPECT_EQ(asked_->count(), 0);
  EXPECT_TRUE(how.message.contains(u"another certificate"_s)) << how.message.toStdString();
}

}  // namespace
}  // namespace vqas::app
