#include "model/form_memory.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

class Memory : public testing::Test {
 protected:
  QString file() const { return home_.filePath(u"gui.ini"_s); }
  /// The memory as the program reads it at its next start.
  std::vector<SettingsForm> at_next_start() const {
    QSettings settings(file(), QSettings::IniFormat);
    return FormMemory(settings).recent();
  }
  QTemporaryDir home_;
};

SettingsForm nodes_at(const QString& a) {
  SettingsForm form;
  form.line = LineKind::nodes;
  form.node_a = a;
  form.node_b = u"wss://192.0.2.8:7811"_s;
  form.access_b = u"/home/anna/b.json"_s;
  form.stimuli = u"M1, F5"_s;
  form.cap = u"12"_s;
  form.b_to_a = false;
  return form;
}

TEST_F(Memory, IsEmptyAtTheFirstStart) {
  EXPECT_TRUE(at_next_start().empty());
}

TEST_F(Memory, GivesTheLastSetupsAtTheNextStartLatestFirst) {
  QSettings settings(file(), QSettings::IniFormat);
  FormMemory memory(settings);
  memory.remember(nodes_at(u"ws://192.0.2.7:1"_s));
  memory.remember(nodes_at(u"ws://192.0.2.7:2"_s));
  memory.remember(nodes_at(u"ws://192.0.2.7:1"_s));
  EXPECT_EQ(at_next_start(), (std::vector{nodes_at(u"ws://192.0.2.7:1"_s), nodes_at(u"ws://192.0.2.7:2"_s)}));
}

TEST_F(Memory, ASetupToBeginWithHasNoRepeats) {
  SettingsForm form = nodes_at(u"ws://192.0.2.7:1"_s);
  form.every_min = u"15"_s;
  form.for_h = u"24"_s;
  EXPECT_EQ(measured_once(form), nodes_at(u"ws://192.0.2.7:1"_s));
}

TEST_F(Memory, KeepsEight) {
  QSettings settings(file(), QSettings::IniFormat);
  FormMemory memory(settings);
  for (int i = 1; i <= 20; ++i) memory.remember(nodes_at(u"ws://192.0.2.7:%1"_s.arg(i)));
  ASSERT_EQ(at_next_start().size(), 8U);
  EXPECT_EQ(at_next_start().front().node_a, u"ws://192.0.2.7:20"_s);
}

TEST_F(Memory, KeepsThePathOfAPairingFileAndNoResultsFolder) {
  QSettings settings(file(), QSettings::IniFormat);
  SettingsForm form = nodes_at(u"ws://192.0.2.7:1"_s);
  form.folder = u"/somewhere/of/today"_s;
  FormMemory(settings).remember(form);
  QFile kept(file());
  ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
  const QByteArray text = kept.readAll();
  EXPECT_TRUE(text.contains("/home/anna/b.json"));
  EXPECT_FALSE(text.contains("of/today")) << "it holds a run by now";
}

TEST_F(Memory, ADamagedFileGivesAnEmptyOrUsableMemory) {
  QFile kept(file());
  ASSERT_TRUE(kept.open(QIODevice::WriteOnly));
  kept.write("[setups]\nsize=99999\n1\\line=nodes\n1\\cap=@Invalid()\n\x80\xff");
  kept.close();
  EXPECT_LE(at_next_start().size(), 8U);
}

TEST_F(Memory, DescribesASetupInOneLine) {
  EXPECT_EQ(setup_words(nodes_at(u"ws://192.0.2.7:1"_s)), u"ws://192.0.2.7:1 – wss://192.0.2.8:7811, M1, F5, A to B"_s);
  EXPECT_EQ(setup_words(SettingsForm{}), u"Simulated line, bit error ratio 1e-5, delay 250 ms"_s);
}

}  // namespace
}  // namespace vqas::app
