#include "view/settings_panel.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

TEST(SettingsPanel, GivesBackTheFormThatItWasGiven) {
  SettingsPanel panel;
  SettingsForm form;
  form.line = LineKind::nodes;
  form.ber = u"3e-4"_s;
  form.delay_ms = u"600"_s;
  form.node_a = u"x:1"_s;
  form.node_b = u"y:2"_s;
  form.seed = u"7"_s;
  form.cap = u"12"_s;
  form.stimuli = u"M1"_s;
  form.a_to_b = false;
  form.folder = u"/somewhere"_s;
  form.goal = GoalOf::above;
  form.limit = u"3.2"_s;
  form.minutes = u"4"_s;
  form.site = u"north"_s;
  form.circuit = u"7"_s;
  form.notes = u"rain"_s;
  panel.set_form(form);
  EXPECT_EQ(panel.form(), form);
}

TEST(SettingsPanel, ShowsTheFieldsOfTheChosenGoalOnly) {
  SettingsPanel panel;
  panel.show();
  const auto visible = [&panel](const QString& name) { return panel.findChild<QLineEdit*>(name)->isVisible(); };
  const auto choose = [&panel](const QString& name) { panel.findChild<QAbstractButton*>(name)->click(); };
  EXPECT_EQ(panel.form().goal, GoalOf::mean);
  EXPECT_TRUE(visible(u"cap"_s) && !visible(u"minutes"_s) && !visible(u"limit"_s));
  choose(u"goal_line_time"_s);
  EXPECT_EQ(panel.form().goal, GoalOf::line_time);
  EXPECT_TRUE(!visible(u"cap"_s) && visible(u"minutes"_s) && !visible(u"limit"_s));
  choose(u"goal_above"_s);
  EXPECT_EQ(panel.form().goal, GoalOf::above);
  EXPECT_TRUE(visible(u"cap"_s) && !visible(u"minutes"_s) && visible(u"limit"_s));
}

TEST(SettingsPanel, OpensTheFoldedFieldsWhereAFaultIsInThem) {
  SettingsPanel panel;
  panel.show();
  const auto* seed = panel.findChild<QLineEdit*>(u"seed"_s);
  EXPECT_FALSE(seed->isVisible());
  panel.show_faults({{Field::seed, u"Seed: write a number"_s}}, false);
  EXPECT_TRUE(seed->isVisible());
}

TEST(SettingsPanel, OpensTheFoldedFieldsWhereOneOfThemDiffersFromAUsualRun) {
  SettingsPanel panel;
  panel.show();
  SettingsForm form;
  panel.set_form(form);
  EXPECT_FALSE(panel.findChild<QLineEdit*>(u"at"_s)->isVisible());
  form.at = u"9:00"_s;
  panel.set_form(form);
  EXPECT_TRUE(panel.findChild<QLineEdit*>(u"at"_s)->isVisible());
  panel.show_zone(u"Europe/Berlin"_s, {});
  EXPECT_EQ(panel.findChild<QLabel*>(u"zone"_s)->text(), u"Times of day in the zone Europe/Berlin"_s);
  panel.show_zone(u"Europe/Berlin"_s, u"Asia/Tokyo"_s);
  EXPECT_TRUE(panel.findChild<QLabel*>(u"zone"_s)->text().contains(u"Asia/Tokyo"_s));
}

TEST(SettingsPanel, ShowsTheFieldsOfTheChosenLineOnly) {
  SettingsPanel panel;
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
  panel.findChild<QAbstractButton*>(u"simulated"_s)->setFocus();
  const auto* ber = panel.findChild<QComboBox*>(u"ber"_s);
  const auto* node_a = panel.findChild<QLineEdit*>(u"node_a"_s);
  EXPECT_TRUE(ber->isVisible());
  EXPECT_FALSE(node_a->isVisible());
  QTest::keyClick(panel.findChild<QAbstractButton*>(u"simulated"_s), Qt::Key_Down);
  EXPECT_EQ(panel.form().line, LineKind::nodes);
  EXPECT_FALSE(ber->isVisible());
  EXPECT_TRUE(node_a->isVisible());
}

TEST(SettingsPanel, NamesEveryFieldForAScreenReader) {
  SettingsPanel panel;
  for (const QLineEdit* edit : panel.findChildren<QLineEdit*>()) {
    if (qobject_cast<QComboBox*>(edit->parentWidget()) != nullptr) continue;
    EXPECT_FALSE(edit->accessibleName().isEmpty()) << edit->objectName().toStdString();
    EXPECT_FALSE(edit->accessibleName().contains(u'&'));
  }
  EXPECT_EQ(panel.findChild<QComboBox*>(u"ber"_s)->accessibleName(), u"Bit error ratio"_s);
}

TEST(SettingsPanel, ShowsFaultsAtTheirFieldsUntilCorrected) {
  SettingsPanel panel;
  panel.show();
  const auto shown = [&panel](const QString& text) {
    for (const QLabel* label : panel.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(text)) return true;
    return false;
  };
  panel.show_faults({{Field::seed, u"Seed: write a number"_s}}, true);
  const auto* seed = panel.findChild<QLineEdit*>(u"seed"_s);
  EXPECT_TRUE(shown(u"Seed: write a number"_s));
  EXPECT_EQ(seed->accessibleDescription(), u"Seed: write a number"_s);
  EXPECT_EQ(panel.focusWidget(), seed);
  panel.show_faults({}, false);
  EXPECT_FALSE(shown(u"Seed: write a number"_s));
  EXPECT_TRUE(seed->accessibleDescription().isEmpty());
}

TEST(SettingsPanel, ReportsEveryEdit) {
  SettingsPanel panel;
  QSignalSpy edited(&panel, &SettingsPanel::edited);
  QTest::keyClicks(panel.findChild<QLineEdit*>(u"seed"_s), u"42"_s);
  EXPECT_EQ(edited.count(), 2);
  panel.findChild<QAbstractButton*>(u"a_to_b"_s)->click();
  EXPECT_EQ(edited.count(), 3);
  panel.findChild<QComboBox*>(u"ber"_s)->setCurrentText(u"1e-4"_s);
  EXPECT_EQ(edited.count(), 4);
}

}  // namespace
}  // namespace vqas::app
