#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "services.h"
#include "support/places.h"
#include "view/direction_panel.h"
#include "view/main_window.h"
#include "view/message_bar.h"
#include "vqas/node/node.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

/// Nothing of these tests takes this long; what does hangs.
constexpr int kDeadlineMs = 120'000;

/// A window with everything behind it, in a home of its own.
class WholeWindow : public testing::Test {
 protected:
  WholeWindow() {
    for (const auto& [name, place] :
         {std::pair{"HOME", ""}, std::pair{"XDG_DATA_HOME", "data"}, std::pair{"XDG_CONFIG_HOME", "config"}}) {
      before_.emplace_back(name, qgetenv(name));
      qputenv(name, home_.filePath(QString::fromLatin1(place)).toUtf8());
    }
    QDir(home_.path()).mkpath(u"config"_s);
  }
  ~WholeWindow() override {
    for (const auto& [name, value] : before_) value.isEmpty() ? qunsetenv(name) : qputenv(name, value);
  }
  WindowServices services() const {
    WindowServices made =
        services_of_machine({test::vqas_command(), std::filesystem::path(test::source_dir()) / "corpus"});
    made.find_lines = {};
    made.home = home_.path();
    return made;
  }
  static void show(const MainWindow& window, const QString& page) {
    auto* const pages = window.findChild<QTabWidget*>(u"pages"_s);
    for (int i = 0; i < pages->count(); ++i)
      if (pages->tabText(i) == page) pages->setCurrentIndex(i);
  }
  static QAbstractButton* button(const MainWindow& window, const QString& name) {
    return window.findChild<QAbstractButton*>(name);
  }
  static bool wait(const std::function<bool()>& done) { return QTest::qWaitFor(done, kDeadlineMs); }
  static QString figure(const MainWindow& window, int panel) {
    return window.findChild<DirectionPanel*>(u"panel_%1"_s.arg(panel))->findChild<QLabel*>(u"figure"_s)->text();
  }

  /// What a panel warns of; empty: nothing.
  static QString warning(const MainWindow& window, int panel) {
    const auto* const label =
        window.findChild<DirectionPanel*>(u"panel_%1"_s.arg(panel))->findChild<QLabel*>(u"warning"_s);
    return label->isVisible() ? label->text() : QString();
  }
  /// Nothing under way is waited for.
  static void stop_at_once(MainWindow& window) {
    window.stop();
    EXPECT_EQ(button(window, u"stop"_s)->text(), u"Stop now"_s);
    ASSERT_TRUE(wait([&window] { return button(window, u"stop"_s)->isEnabled() || !is_running(window.phase()); }));
    button(window, u"stop"_s)->click();
  }
  static QString state(const MainWindow& window) { return window.findChild<QLabel*>(u"state"_s)->text(); }
  static QString message(const MainWindow& window) { return window.findChild<MessageBar*>()->message(); }
  /// Two nodes in this process, whose lines are opened by `open`.
  std::array<std::unique_ptr<Node>, 2> start_nodes(
      const std::function<Result<std::unique_ptr<Line>>(End)>& open) const {
    std::array<std::unique_ptr<Node>, 2> nodes;
    for (const End end : {End::a, End::b}) {
      NodeOptions options;
      options.end = end;
      options.corpus = std::filesystem::path(test::source_dir()) / "corpus";
      options.data = home_.filePath(end == End::a ? u"node-a"_s : u"node-b"_s).toStdString();
      options.open_line = open;
      auto node = Node::start(options);
      EXPECT_TRUE(node) << node.error().message;
      if (node) nodes.at(end == End::a ? 0 : 1) = *std::move(node);
    }
    return nodes;
  }
  /// Every sentence, as often as `cap` says.
  static SettingsForm form_of(const std::array<std::unique_ptr<Node>, 2>& nodes, const QString& stimuli,
                              const QString& cap) {
    SettingsForm form;
    form.line = LineKind::nodes;
    form.node_a = QString::fromStdString(nodes[0]->address());
    form.node_b = QString::fromStdString(nodes[1]->address());
    form.goal = GoalOf::each_stimulus;
    form.stimuli = stimuli;
    form.cap = cap;
    return form;
  }

  QTemporaryDir home_;
  std::vector<std::pair<const char*, QByteArray>> before_;
};

}  // namespace vqas::app
