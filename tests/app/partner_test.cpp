// Two windows' models: one waits as an end, the other one connects to it over TLS, and measures.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <optional>

#include "lines/free_ports.h"
#include "model/end_session.h"
#include "model/measuring_session.h"
#include "model/partner_link.h"
#include "node/node_harness.h"
#include "vqas/report/report.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

constexpr int kDeadlineMs = 60'000;

class Partners : public test::NodeTest {
 protected:
  EndSettings end_settings(End end, const QString& line, bool for_partner) const {
    return {end, line, for_partner, 0, folder_ / (end == End::a ? "a" : "b"), test::corpus_folder()};
  }
  /// Nothing if it does not become ready.
  static std::optional<EndReady> start(EndSession& session) {
    QSignalSpy ready(&session, &EndSession::ready), ended(&session, &EndSession::ended);
    session.start();
    EXPECT_TRUE(test::serve_until([&] { return ready.count() + ended.count() > 0; }, kDeadlineMs));
    if (!ended.isEmpty()) ADD_FAILURE() << ended.first().first().toString().toStdString();
    if (ready.isEmpty()) return std::nullopt;
    return ready.first().first().value<EndReady>();
  }
  /// A pair of ends on a line of RTP through this machine's loopback: A for this window, B for a partner.
  void start_ends() {
    const int port = test::free_ports(4);
    ASSERT_GT(port, 0);
    const auto rtp = [](int here, int there) { return u"rtp:127.0.0.1:%1/127.0.0.1:%2"_s.arg(here).arg(there); };
    own_ = std::make_unique<ThreadedEnd>(end_settings(End::a, rtp(port, port + 2), false));
    waiting_ = std::make_unique<ThreadedEnd>(end_settings(End::b, rtp(port + 2, port), true));
    const auto own = start(*own_), there = start(*waiting_);
    ASSERT_TRUE(own && there);
    own_end_ = *own;
    there_ = *there;
  }
  /// Connects, answers the question of trust, and waits for the first news of the partner or of trouble.
  void connect(const PartnerWish& wish) {
    link_ = std::make_unique<ThreadedPartner>(wish, folder_ / "known-peers");
    partner_.reset();
    trouble_.reset();
    asked_ = 0;
    QObject::connect(link_.get(), &PartnerLink::asked_to_trust, [this](const QString&, const QString& words) {
      ++asked_;
      words_ = words;
      link_->trust(true);
    });
    QObject::connect(link_.get(), &PartnerLink::seen, [this](const PartnerSeen& seen) { partner_ = seen; });
    QObject::connect(link_.get(), &PartnerLink::failed, [this](const PartnerTrouble& trouble) { trouble_ = trouble; });
    link_->start();
    EXPECT_TRUE(test::serve_until([this] { return partner_ || trouble_; }, kDeadlineMs));
  }

  std::unique_ptr<EndSession> own_, waiting_;
  EndReady own_end_, there_;
  std::unique_ptr<PartnerLink> link_;
  std::optional<PartnerSeen> partner_;
  std::optional<PartnerTrouble> trouble_;
  QString words_;
  int asked_ = 0;
};

TEST_F(Partners, PairByWordsReadOutAndMeasureOverALineOfRtp) {
  start_ends();
  ASSERT_TRUE(there_.own_address.startsWith(u"wss://"_s));
  EXPECT_EQ(there_.words.split(u' ').size(), 12);
  QString typed = there_.code;
  typed.replace(u'-', u' ');
  connect({there_.own_address, typed.toUpper(), {}});
  ASSERT_TRUE(partner_) << trouble_->what.toStdString();
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(words_, there_.words) << "both people see the same words";
  EXPECT_EQ(partner_->node.end, End::b);
  EXPECT_GT(partner_->node.round_trip_ms, 0);
  EXPECT_EQ(partner_->node.held_by, "");

  QSignalSpy held(waiting_.get(), &EndSession::held);
  RunSettings settings;
  settings.line = LineKind::nodes;
  settings.node_a = own_end_.own_address;
  settings.node_b = partner_->address;
  settings.codes[partner_->address] = partner_->code;
  settings.stimuli = QStringList{u"F4"_s};
  settings.folder = QString::fromStdString((folder_ / "run").string());
  MeasuringTools tools;
  tools.corpus = test::corpus_folder();
  tools.known_peers = folder_ / "known-peers";
  MeasuringSession session(settings, tools);
  QSignalSpy finished(&session, &RunSession::finished), question(&session, &RunSession::asked_to_trust);
  QObject::connect(&session, &RunSession::progressed, &session, [&session](const RunProgress& progress) {
    if (progress.measured >= 2) session.cancel();
  });
  session.start();
  ASSERT_TRUE(test::serve_until([&finished] { return !finished.isEmpty(); }, kDeadlineMs));
  const auto end = finished.first().at(0).value<RunEnd>();
  EXPECT_EQ(end.phase, RunPhase::cancelled) << end.message.toStdString();
  EXPECT_EQ(question.count(), 0) << "the partner is trusted already";
  const auto run = load_run(folder_ / "run");
  ASSERT_TRUE(run);
  // A machine that is held up by other work loses a measurement of a line in real time, and says so.
  std::size_t scored = 0;
  for (const DirectionRun& direction : run->results.directions) {
    ASSERT_FALSE(direction.stimuli.front().measurements.empty());
    const auto& first = direction.stimuli.front().measurements.front();
    if (first.outcome == Outcome::audio_fault) continue;
    EXPECT_EQ(first.outcome, Outcome::scored);
    EXPECT_GT(first.mos_lqo.value_or(0), 3.5) << "G.711 without errors";
    ++scored;
  }
  EXPECT_GT(scored, 0U);
  const auto holder = [](const QList<QVariant>& told) { return !told.first().toString().isEmpty(); };
  EXPECT_TRUE(std::ranges::any_of(held, holder)) << "the waiting end says who measures";
}

TEST_F(Partners, OfALineThatCarriesOneWayOnlyTheRunSaysWhichEndHearsNothing) {
  const int port = test::free_ports(6);
  ASSERT_GT(port, 0);
  const auto rtp = [](int here, int there) { return u"rtp:127.0.0.1:%1/127.0.0.1:%2"_s.arg(here).arg(there); };
  ThreadedEnd a(end_settings(End::a, rtp(port, port + 2), false));
  // What B sends goes to a port at which A does not listen.
  ThreadedEnd b(end_settings(End::b, rtp(port + 2, port + 4), false));
  const auto at_a = start(a), at_b = start(b);
  ASSERT_TRUE(at_a && at_b);
  RunSettings settings;
  settings.line = LineKind::nodes;
  settings.node_a = at_a->own_address;
  settings.node_b = at_b->own_address;
  settings.stimuli = QStringList{u"F4"_s};
  settings.folder = QString::fromStdString((folder_ / "run").string());
  MeasuringTools tools;
  tools.corpus = test::corpus_folder();
  MeasuringSession session(settings, tools);
  QSignalSpy silent(&session, &RunSession::silent), finished(&session, &RunSession::finished);
  session.start();
  ASSERT_TRUE(test::serve_until([&] { return !silent.isEmpty() || !finished.isEmpty(); }, kDeadlineMs));
  ASSERT_FALSE(silent.isEmpty());
  EXPECT_EQ(silent.first().at(0).value<End>(), End::b);
  const QString words = silent.first().at(1).toString();
  EXPECT_TRUE(words.contains(u"a hears nothing of b"_s)) << words.toStdString();
  session.cancel();
  session.cancel();
  EXPECT_TRUE(test::serve_until([&finished] { return !finished.isEmpty(); }, kDeadlineMs));
}

TEST_F(Partners, AreToldApartWhatIsWrongAndWhatToDo) {
  start_ends();
  connect({u"wss://127.0.0.1:1"_s, {}, {}});
  ASSERT_TRUE(trouble_);
  EXPECT_TRUE(trouble_->what.contains(u"not reachable"_s)) << trouble_->what.toStdString();
  connect({there_.own_address, {}, {}});
  ASSERT_TRUE(trouble_);
  EXPECT_TRUE(trouble_->what.contains(u"asks for a code"_s)) << trouble_->what.toStdString();
  connect({there_.own_address, u"acorn acorn acorn acorn acorn acorn"_s, {}});
  ASSERT_TRUE(trouble_);
  EXPECT_TRUE(trouble_->what.contains(u"refused the code"_s)) << trouble_->what.toStdString();
  connect({there_.own_address, u"acorn"_s, {}});
  ASSERT_TRUE(trouble_);
  EXPECT_TRUE(trouble_->what.contains(u"6 words"_s)) << trouble_->what.toStdString();
}

TEST_F(Partners, AChangedFingerprintIsShownBesideTheExpectedOne) {
  start_ends();
  const std::string expected = "sha256:" + std::string(64, '0');
  auto known = KnownPeers::read(folder_ / "known-peers");
  ASSERT_TRUE(known);
  ASSERT_TRUE(known->add(there_.own_address.toStdString(), expected));
  connect({there_.own_address, there_.code, {}});
  ASSERT_TRUE(trouble_);
  EXPECT_EQ(asked_, 0) << "no key pressed by mistake can accept it";
  EXPECT_EQ(trouble_->shown_words, there_.words);
  EXPECT_TRUE(trouble_->expected_words.startsWith(u"acorn acorn"_s));
}

TEST_F(Partners, APairingFileTakesThePlaceOfQuestionAndCode) {
  start_ends();
  const auto file = folder_ / "pairing.json";
  ASSERT_TRUE(write_pairing(
      file, {there_.own_address.toStdString(), there_.fingerprint.toStdString(), there_.code.toStdString()}));
  connect({there_.own_address, {}, QString::fromStdString(file.string())});
  EXPECT_TRUE(partner_) << trouble_->what.toStdString();
  EXPECT_EQ(asked_, 0);
}

TEST_F(Partners, AnEndThatCannotStartSaysWhy) {
  ThreadedEnd session(end_settings(End::a, u"rtp:nonsense"_s, false));
  QSignalSpy ended(&session, &EndSession::ended);
  session.start();
  ASSERT_TRUE(test::serve_until([&ended] { return !ended.isEmpty(); }, kDeadlineMs));
  EXPECT_TRUE(ended.first().first().toString().contains(u"rtp"_s));
}

TEST(PartnerAddress, HasTlsAndTheUsualPortUnlessOthersAreGiven) {
  EXPECT_EQ(partner_address(u" 192.0.2.7 "_s), u"wss://192.0.2.7:7811"_s);
  EXPECT_EQ(partner_address(u"Laptop:9000"_s), u"wss://laptop:9000"_s);
  EXPECT_EQ(partner_address(u"ws://127.0.0.1:7812"_s), u"ws://127.0.0.1:7812"_s);
  EXPECT_FALSE(partner_address({}));
  EXPECT_FALSE(partner_address(u"http://x:1"_s));
}

}  // namespace
}  // namespace vqas::app
