#include "view/partner_page.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QLabel>
#include <QPointer>
#include <QSignalSpy>

#include "app/partner_fakes.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

class PartnerView : public testing::Test {
 protected:
  PartnerView()
      : page_({[this](const EndSettings& settings) {
                 auto made = std::make_unique<FakeEnd>(settings);
                 end_ = made.get();
                 return made;
               },
               [this](const PartnerWish& wish) {
                 auto made = std::make_unique<FakeLink>(wish);
                 link_ = made.get();
                 return made;
               }}) {
    page_.show();
  }
  QAbstractButton* button(const QString& name) const { return page_.findChild<QAbstractButton*>(name); }
  QLabel* label(const QString& name) const { return page_.findChild<QLabel*>(name); }
  void start_end(const EndReady& ready) {
    page_.findChild<EndPanel*>()->set_line(u"rtp:127.0.0.1:20000/127.0.0.1:20002"_s);
    button(u"own_toggle"_s)->click();
    ASSERT_TRUE(end_);
    emit end_->ready(ready);
  }
  PartnerSeen partner(End end = End::b) const {
    PartnerSeen seen;
    seen.address = u"wss://192.0.2.7:7811"_s;
    seen.code = u"acorn-album"_s;
    seen.words = u"acorn zipper"_s;
    seen.node.end = end;
    seen.node.line = "audio:";
    seen.node.round_trip_ms = 12.34;
    return seen;
  }

  QPointer<FakeEnd> end_;
  QPointer<FakeLink> link_;
  PartnerPage page_;
};

TEST_F(PartnerView, UsesTheLineWhenBothEndsAreReady) {
  QSignalSpy asked(&page_, &PartnerPage::measure_requested);
  EXPECT_FALSE(button(u"partner_measure"_s)->isEnabled());
  start_end({u"ws://127.0.0.1:5000"_s, {}, {}, {}, {}});
  EXPECT_FALSE(end_->settings.for_partner) << "only this window uses it";
  button(u"partner_toggle"_s)->click();
  ASSERT_TRUE(link_);
  emit link_->seen(partner());
  EXPECT_TRUE(label(u"partner_state"_s)->text().contains(u"12.3 ms"_s));
  EXPECT_TRUE(label(u"partner_state"_s)->text().contains(u"The line is free"_s));
  button(u"partner_measure"_s)->click();
  ASSERT_EQ(asked.count(), 1);
  const auto line = asked.first().first().value<PartnerLine>();
  EXPECT_EQ(line.node_a, u"ws://127.0.0.1:5000"_s);
  EXPECT_EQ(line.node_b, u"wss://192.0.2.7:7811"_s);
  EXPECT_EQ(line.codes.at(line.node_b), u"acorn-album"_s);
}

TEST_F(PartnerView, RefusesTwoEndsWithOneLetter) {
  start_end({u"ws://127.0.0.1:5000"_s, {}, {}, {}, {}});
  button(u"partner_toggle"_s)->click();
  emit link_->seen(partner(End::a));
  EXPECT_FALSE(button(u"partner_measure"_s)->isEnabled());
  EXPECT_TRUE(label(u"partner_hint"_s)->text().contains(u"same letter"_s));
}

TEST_F(PartnerView, AsksToCompareTheFingerprintAndPassesOnTheAnswer) {
  button(u"partner_toggle"_s)->click();
  emit link_->asked_to_trust(u"sha256:00ff"_s, u"acorn zipper"_s);
  EXPECT_EQ(label(u"partner_words"_s)->text(), u"acorn zipper"_s);
  ASSERT_TRUE(button(u"partner_trust"_s)->isVisible());
  button(u"partner_trust"_s)->click();
  EXPECT_EQ(link_->trusted, true);
  EXPECT_FALSE(button(u"partner_trust"_s)->isVisible());
}

TEST_F(PartnerView, ShowsTroubleWithTheNextStepAndLetsOneTryAgain) {
  button(u"partner_toggle"_s)->click();
  emit link_->failed(trouble_of(NodeFault::unreachable, u"wss://192.0.2.7:7811"_s, true));
  EXPECT_TRUE(label(u"partner_state"_s)->text().contains(u"not reachable"_s));
  EXPECT_TRUE(label(u"partner_state"_s)->text().contains(u"firewall"_s));
  const QPointer<FakeLink> first = link_;
  button(u"partner_toggle"_s)->click();
  EXPECT_NE(link_, first);
}

TEST_F(PartnerView, AWaitingEndShowsWhatToReadOutAndWhoMeasures) {
  page_.set_waiting(true);
  start_end(
      {u"wss://127.0.0.1:7811"_s, {u"wss://192.0.2.8:7811"_s}, u"sha256:00"_s, u"acorn album"_s, u"lion-tiger"_s});
  EXPECT_TRUE(end_->settings.for_partner);
  EXPECT_EQ(end_->settings.end, End::b);
  EXPECT_EQ(label(u"own_address"_s)->text(), u"wss://192.0.2.8:7811"_s);
  EXPECT_EQ(label(u"own_words"_s)->text(), u"acorn album"_s);
  EXPECT_EQ(label(u"own_code"_s)->text(), u"lion tiger"_s);
  emit end_->held(u"vqas-gui at desk"_s);
  EXPECT_TRUE(label(u"own_state"_s)->text().contains(u"vqas-gui at desk"_s));
  emit end_->told(u"the other end sent the digits 12"_s);
  EXPECT_TRUE(label(u"own_state"_s)->text().contains(u"vqas-gui at desk"_s)) << "what is told hides nothing";
  EXPECT_TRUE(label(u"own_told"_s)->text().contains(u"digits 12"_s));
  emit end_->held({});
  EXPECT_TRUE(label(u"own_told"_s)->text().isEmpty());
  button(u"own_toggle"_s)->click();
  EXPECT_FALSE(label(u"own_code"_s)->isVisible()) << "the code is of no use any more";
}

TEST_F(PartnerView, AnEndWithoutALineSaysWhatToChoose) {
  button(u"own_toggle"_s)->click();
  EXPECT_FALSE(end_);
  EXPECT_TRUE(label(u"own_state"_s)->text().contains(u"sound device"_s));
}

}  // namespace
}  // namespace vqas::app
