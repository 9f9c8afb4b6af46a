// The window in German: nothing of it stays English, and a change of the language changes nothing else.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableView>
#include <algorithm>
#include <map>

#include "app/window_harness.h"
#include "model/languages.h"
#include "model/partner_link.h"
#include "model/phrases.h"
#include "model/words.h"
#include "vqas/channel/profile_library.h"

namespace vqas::app {
namespace {

using Texts = std::map<std::pair<const QObject*, QString>, QString>;

void settle() {
  for (int i = 0; i < 4; ++i) QApplication::processEvents();
}

void add_table(Texts& texts, const QTableView& table) {
  const QAbstractItemModel& model = *table.model();
  for (int column = 0; column < model.columnCount(); ++column) {
    texts[{&table, u"column %1"_s.arg(column)}] = model.headerData(column, Qt::Horizontal).toString();
    for (int row = 0; row < model.rowCount(); ++row)
      texts[{&table, u"cell %1, %2"_s.arg(row).arg(column)}] = model.index(row, column).data().toString();
  }
}

/// Every text of a window that a person can see or hear, shown or not.
Texts texts_of(const QWidget& window) {
  Texts texts;
  for (const QWidget* const one : window.findChildren<QWidget*>()) {
    // Qt names the buttons that scroll tabs once and for all.
    if (one->objectName().startsWith(u"Scroll"_s) || one->objectName() == u"language"_s ||
        qobject_cast<const QComboBox*>(one->parentWidget()) != nullptr)
      continue;
    texts[{one, u"tip"_s}] = one->toolTip();
    texts[{one, u"name"_s}] = one->accessibleName();
    texts[{one, u"description"_s}] = one->accessibleDescription();
    if (const auto* const label = qobject_cast<const QLabel*>(one)) texts[{one, u"text"_s}] = label->text();
    if (const auto* const button = qobject_cast<const QAbstractButton*>(one)) texts[{one, u"text"_s}] = button->text();
    if (const auto* const group = qobject_cast<const QGroupBox*>(one)) texts[{one, u"text"_s}] = group->title();
    if (const auto* const edit = qobject_cast<const QLineEdit*>(one)) texts[{one, u"hint"_s}] = edit->placeholderText();
    if (const auto* const number = qobject_cast<const QSpinBox*>(one)) texts[{one, u"unit"_s}] = number->suffix();
    if (const auto* const table = qobject_cast<const QTableView*>(one)) add_table(texts, *table);
    if (const auto* const tabs = qobject_cast<const QTabBar*>(one))
      for (int i = 0; i < tabs->count(); ++i) texts[{one, u"tab %1"_s.arg(i)}] = tabs->tabText(i);
    if (const auto* const box = qobject_cast<const QComboBox*>(one))
      for (int i = 0; i < box->count(); ++i) texts[{one, u"item %1"_s.arg(i)}] = box->itemText(i);
  }
  return texts;
}

/// Names, units and words that are the same in both languages.
bool is_the_same_in_both(const QString& text) {
  static const QStringList same{
      u"MOS-LQON"_s, u"Budget"_s, u"Port"_s, u"Code"_s,      u"Name"_s,  u"Original"_s,
      u"Start"_s,    u"Pause"_s,  u"min"_s,  u"Blind A/B"_s, u"Codec"_s, u"VQAS"_s,
      u"Bits"_s,     u"ms"_s,     u"A"_s,    u"B"_s,         u"…"_s,     u"Language / Sprache"_s};
  static const QRegularExpression no_words(
      u"^[^\\p{L}]*$|^[MF][1-6](, [MF][1-6])*$|^(rtp|sip|ws|wss|audio):|^1e-\\d$"_s);
  const QString bare = QString(text).remove(u'&').trimmed();
  const auto is_profile = [&bare](const Profile& one) { return bare == QString::fromStdString(one.name); };
  if (std::ranges::any_of(built_in_profiles(), is_profile)) return true;  // as plans and the command have them
  return same.contains(bare) || no_words.match(bare).hasMatch() || bare == QSysInfo::machineHostName() ||
         bare == u"Exeter"_s;
}

QStringList left_in_english(const Texts& english, const Texts& german) {
  QStringList left;
  for (const auto& [place, text] : german) {
    const auto before = english.find(place);
    if (before != english.end() && before->second == text && !is_the_same_in_both(text))
      left += u"%1 %2 (%3): %4"_s.arg(QString::fromUtf8(place.first->metaObject()->className()),
                                      place.first->objectName(), place.second, text);
  }
  return left;
}

RunResults measured() {
  RunResults results = test::empty_results({"M1", "M2"});
  for (int i = 0; i < 6; ++i) test::add_score(results, 0, 0, 3.5);
  test::add_unscored(results, 0, 1, Outcome::not_found, "nothing was received when it was due");
  test::add_unscored(results, 1, 0, Outcome::no_speech,
                     "what was received is silent or too weak; check the call, the connection and the levels");
  return results;
}

class German : public Window {
 protected:
  /// What stays the same when the language changes.
  void expect_all_german() {
    const Texts english = texts_of(window_);
    languages_.choose(u"de"_s);
    settle();
    const QStringList left = left_in_english(english, texts_of(window_));
    EXPECT_TRUE(left.isEmpty()) << left.join(u'\n').toStdString();
    languages_.choose(u"en"_s);
    settle();
    const Texts again = texts_of(window_);
    for (const auto& [place, text] : english) {
      const auto now = again.find(place);
      if (now == again.end()) continue;
      EXPECT_EQ(now->second, text) << place.first->objectName().toStdString();
    }
  }

  Languages languages_;
};

TEST_F(German, NoTextStaysEnglishBeforeAnythingIsMeasured) {
  expect_all_german();
}

TEST_F(German, NoTextStaysEnglishWhileMeasuringAndAfterwards) {
  window_.start();
  session_->measure(measured(), u"M1"_s);
  emit session_->silent(End::b,
                        u"end a hears nothing of end b: no packet arrived; the call is not connected: dial, or "
                        u"wait until the other end answers"_s);
  expect_all_german();
  session_->end(RunPhase::failed, measured(), u"the run was cancelled; its measurements so far are kept"_s, true);
  expect_all_german();
}

TEST_F(German, AFaultOfAFieldIsGerman) {
  SettingsForm wrong;
  wrong.ber = u"2"_s;
  wrong.seed = u"y"_s;
  window_.set_form(wrong);
  window_.start();
  expect_all_german();
}

TEST_F(German, AChangeOfTheLanguageKeepsThePageTheFieldsAndTheRun) {
  window_.findChild<QLineEdit*>(u"site"_s)->setText(u"Exeter"_s);
  window_.start();
  session_->measure(measured(), u"M1"_s);
  auto* const tabs = window_.findChild<QTabWidget*>(u"tabs"_s);
  auto* const table = window_.findChild<QTableView*>(u"measurements"_s);
  tabs->setCurrentIndex(tabs->count() - 1);
  table->selectRow(3);
  const int at = pages()->currentIndex(), tab = tabs->currentIndex();
  languages_.choose(u"de"_s);
  settle();
  EXPECT_EQ(page(), u"Messung"_s);
  EXPECT_EQ(state(), u"Messung M1: 1 von etwa 20, noch 12 s"_s);
  EXPECT_EQ(figure(0), u"3,50 gut"_s);
  EXPECT_EQ(pages()->currentIndex(), at);
  EXPECT_EQ(tabs->currentIndex(), tab);
  EXPECT_TRUE(session_);
  EXPECT_EQ(window_.phase(), RunPhase::measuring);
  EXPECT_EQ(window_.findChild<QLineEdit*>(u"site"_s)->text(), u"Exeter"_s);
  EXPECT_TRUE(table->selectionModel()->isRowSelected(3, {}));
  EXPECT_EQ(button(u"stop"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Period));
  button(u"pause"_s)->click();
  EXPECT_EQ(button(u"pause"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_P));
}

/// The mnemonics of the widgets that are shown.
QStringList mnemonics(const QWidget& window) {
  static const QRegularExpression letter(u"&([^&])"_s);
  QStringList found;
  const auto add = [&found](const QString& text) {
    if (const auto match = letter.match(text); match.hasMatch()) found += match.captured(1).toLower();
  };
  for (const QWidget* const one : window.findChildren<QWidget*>()) {
    if (!one->isVisible()) continue;
    if (const auto* const label = qobject_cast<const QLabel*>(one); label != nullptr && label->buddy() != nullptr)
      add(label->text());
    if (const auto* const button = qobject_cast<const QAbstractButton*>(one)) add(button->text());
  }
  return found;
}

TEST_F(German, NoMnemonicIsTwiceOnAPage) {
  languages_.choose(u"de"_s);
  settle();
  button(u"more"_s)->click();
  for (const QString& line : {u"simulated"_s, u"nodes"_s}) {
    button(line)->click();
    for (int i = 0; i < pages()->count(); ++i) {
      pages()->setCurrentIndex(i);
      settle();
      QStringList all = mnemonics(window_);
      all.sort();
      QStringList once = all;
      once.removeDuplicates();
      EXPECT_EQ(all.join(u""_s), once.join(u""_s)) << page().toStdString();
    }
  }
}

TEST_F(German, TextsOfTheLibrariesAreTranslatedWithTheirParts) {
  languages_.choose(u"de"_s);
  EXPECT_EQ(translated(u"the goal, ±0.1 at 99 %, was reached"_s), u"das Ziel, ±0,1 bei 99 %, ist erreicht"_s);
  EXPECT_EQ(translated(u"good: clear speech, with occasional noise and gaps in words"_s),
            u"gut: klare Sprache, mit gelegentlich Geräusch und Lücken in Wörtern"_s);
  EXPECT_EQ(translated(u"12.5 dB"_s), u"12,5 dB"_s);
  EXPECT_EQ(translated(u"wss://192.0.2.7:7811"_s), u"wss://192.0.2.7:7811"_s);
  EXPECT_EQ(message_words(u"Permission denied"_s), u"Meldung: „Permission denied“"_s);
  EXPECT_EQ(told(u"the check was stopped"_s), u"Die Prüfung wurde angehalten."_s);
  EXPECT_EQ(duration_words(80), u"1 min 20 s"_s);
  EXPECT_EQ(mos_words(4.12), u"4,12"_s);
}

TEST_F(German, WhatALineACampaignAndAStoreTellIsGerman) {
  languages_.choose(u"de"_s);
  for (const QString& told :
       {u"a call from 4711 was refused (486): busy"_s, u"round 3 failed: the line"_s,
        u"run 3 of 7 is not begun: the line"_s, u"another program asked to stop"_s,
        u"there is no store /a.sqlite; check its name, or put runs into it first"_s, u"the run measures more of M1"_s})
    EXPECT_FALSE(message_words(told).startsWith(u"Meldung"_s)) << told.toStdString();
}

TEST_F(German, WhatIsToldOfAPartnerIsInTheCatalogue) {
  languages_.choose(u"de"_s);
  for (const NodeFault fault : {NodeFault::unreachable, NodeFault::wrong_certificate, NodeFault::token_refused,
                                NodeFault::no_node, NodeFault::gone}) {
    for (const bool has_code : {false, true}) {
      const PartnerTrouble trouble = trouble_of(fault, u"wss://192.0.2.7:7811"_s, has_code);
      EXPECT_NE(translated(trouble.what), trouble.what);
      EXPECT_NE(translated(trouble.next_step), trouble.next_step);
    }
  }
}

TEST(LanguagesOfTheProgram, TheChoiceIsRememberedAndAnOptionCountsMore) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(u"gui.ini"_s), QSettings::IniFormat);
  {
    Languages languages(&settings);
    languages.begin(u"en"_s);
    EXPECT_EQ(languages.code(), u"en"_s);
    languages.choose(u"de"_s);
  }
  Languages languages(&settings);
  languages.begin();
  EXPECT_EQ(languages.code(), u"de"_s);
  EXPECT_EQ(mos_words(4.5), u"4,50"_s);
  languages.begin(u"en"_s);
  EXPECT_EQ(mos_words(4.5), u"4.50"_s);
  languages.choose(u"xx"_s);
  EXPECT_EQ(languages.code(), u"en"_s) << "not a language";
}

}  // namespace
}  // namespace vqas::app
