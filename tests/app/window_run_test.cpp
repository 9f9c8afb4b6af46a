// The window with everything behind it: a campaign from Start to a printed report, and two windows that pair over TLS.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "app/whole_window.h"
#include "lines/free_ports.h"
#include "support/places.h"
#include "support/process.h"
#include "view/end_panel.h"
#include "view/export_dialog.h"
#include "view/link_panel.h"
#include "view/message_bar.h"
#include "view/partner_page.h"
#include "view/results_page.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

TEST_F(WholeWindow, ACampaignIsClickedFromStartToAPrintedReport) {
  MainWindow window(services());
  window.show();
  SettingsForm form;
  form.stimuli = u"M1, F1"_s;
  form.site = u"Exeter"_s;
  window.set_form(form);
  show(window, u"Start"_s);
  window.findChild<QSpinBox*>(u"start_minutes"_s)->setValue(1);
  button(window, u"start_measure"_s)->click();
  ASSERT_TRUE(wait([&window] { return window.phase() == RunPhase::finished; }));
  const QString a_to_b = figure(window, 0), b_to_a = figure(window, 1);
  ASSERT_GT(a_to_b.toDouble(), 1);

  show(window, u"Results"_s);
  auto* const table = window.findChild<QTableView*>(u"runs"_s);
  ASSERT_TRUE(wait([table] { return table->model()->rowCount() == 1; }));
  table->selectRow(0);
  button(window, u"export"_s)->click();
  auto* const dialog = window.findChild<ExportDialog*>();
  ASSERT_TRUE(dialog);
  dialog->findChild<QAbstractButton*>(u"export_print"_s)->click();
  dialog->findChild<QAbstractButton*>(u"export_choose"_s)->click();
  auto* const folder = dialog->findChild<QFileDialog*>();
  ASSERT_TRUE(folder);
  bool worked = false;
  QObject::connect(window.findChild<ResultsPage*>(), &ResultsPage::worked, &window, [&worked] { worked = true; });
  emit folder->fileSelected(home_.filePath(u"exports"_s));
  folder->close();
  ASSERT_TRUE(wait([&worked] { return worked; }));
  const auto found = QDir(home_.filePath(u"exports"_s)).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
  ASSERT_EQ(found.size(), 1) << window.findChild<MessageBar*>()->message().toStdString();
  EXPECT_TRUE(found.front().fileName().startsWith(u"Exeter"_s));
  const QString pdf = found.front().filePath() + u"/report.pdf"_s;
  ASSERT_TRUE(QFileInfo::exists(pdf));
  const auto info = test::run_command("pdfinfo '" + pdf.toStdString() + "'");
  EXPECT_EQ(info.exit_code, 0) << info.output;
  EXPECT_NE(info.output.find("Pages:"), std::string::npos) << info.output;
  const auto text = test::run_command("pdftotext -layout '" + pdf.toStdString() + "' -");
  for (const QString& mean : {a_to_b, b_to_a})
    EXPECT_NE(text.output.find(mean.toStdString()), std::string::npos) << mean.toStdString() << " is in the window";
  EXPECT_NE(text.output.find("Exeter"), std::string::npos);
}

TEST_F(WholeWindow, TwoWindowsPairOverTlsByWordsReadOut) {
  const int port = test::free_ports(4);
  ASSERT_GT(port, 0);
  const auto rtp = [](int here, int there) { return u"rtp:127.0.0.1:%1/127.0.0.1:%2"_s.arg(here).arg(there); };
  WindowServices of_partner = services();
  of_partner.partner.make_end = [this](EndSettings settings) {
    settings.data = home_.filePath(u"partner"_s).toStdString();
    settings.corpus = fs::path(test::source_dir()) / "corpus";
    return std::make_unique<ThreadedEnd>(settings);
  };
  MainWindow measures(services()), waits(of_partner);
  for (MainWindow* const window : {&measures, &waits}) {
    window->show();
    show(*window, u"Partner"_s);
  }
  button(waits, u"start_waiting"_s)->click();
  auto& there = *waits.findChild<EndPanel*>();
  there.set_line(rtp(port + 2, port));
  there.set_port(0);
  there.toggle();
  ASSERT_TRUE(wait([&there] { return there.ready_end().has_value(); }))
      << waits.findChild<QLabel*>(u"own_state"_s)->text().toStdString();
  auto& here = *measures.findChild<EndPanel*>();
  here.set_line(rtp(port, port + 2));
  here.set_port(0);
  here.toggle();
  ASSERT_TRUE(wait([&here] { return here.ready_end().has_value(); }));

  measures.findChild<QLineEdit*>(u"partner_address"_s)->setText(there.ready_end()->own_address);
  measures.findChild<QLineEdit*>(u"partner_code"_s)->setText(waits.findChild<QLabel*>(u"own_code"_s)->text());
  auto& link = *measures.findChild<LinkPanel*>();
  link.toggle();
  auto* const trust = button(measures, u"partner_trust"_s);
  ASSERT_TRUE(wait([trust] { return trust->isVisible(); }))
      << measures.findChild<QLabel*>(u"partner_state"_s)->text().toStdString();
  EXPECT_EQ(measures.findChild<QLabel*>(u"partner_words"_s)->text(), waits.findChild<QLabel*>(u"own_words"_s)->text())
      << "both people see the same words";
  trust->click();
  ASSERT_TRUE(wait([&link] { return link.partner().has_value(); }));
  ASSERT_TRUE(button(measures, u"partner_measure"_s)->isEnabled());
  button(measures, u"partner_measure"_s)->click();
  EXPECT_EQ(measures.findChild<QLineEdit*>(u"node_b"_s)->text(), link.partner()->address);
  EXPECT_TRUE(link.partner()->address.startsWith(u"wss://"_s));
}

}  // namespace
}  // namespace vqas::app
