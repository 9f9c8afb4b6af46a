// Walks through the pages of the window as a person would, and makes a picture of each, in both themes and two sizes;
// of another language than English in the light theme and the smaller size alone. usage: vqas-gui-pictures VQAS CORPUS
// FOLDER [LANGUAGE]; HOME should be an empty folder.
#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPalette>
#include <QSettings>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <functional>
#include <iostream>
#include <memory>

#include "model/form_memory.h"
#include "model/languages.h"
#include "screenshot.h"
#include "services.h"
#include "view/channel/channel_page.h"
#include "view/end_panel.h"
#include "view/equipment_panel.h"
#include "view/link_panel.h"
#include "view/main_window.h"
#include "view/measure_page.h"
#include "view/partner_page.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

constexpr int kPatienceMs = 180'000;
// Below the system's range of automatic ports.
constexpr int kPort = 21834;

QPalette dark_palette() {
  QPalette palette(QColor(0x2b, 0x2d, 0x30));
  palette.setColor(QPalette::Base, QColor(0x1e, 0x1f, 0x22));
  palette.setColor(QPalette::AlternateBase, QColor(0x26, 0x28, 0x2b));
  palette.setColor(QPalette::ToolTipBase, QColor(0x3a, 0x3d, 0x41));
  for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText, QPalette::ToolTipText})
    palette.setColor(role, QColor(0xe6, 0xe6, 0xe6));
  palette.setColor(QPalette::PlaceholderText, QColor(0x9a, 0x9a, 0x9a));
  palette.setColor(QPalette::Link, QColor(0x6c, 0xb6, 0xff));
  palette.setColor(QPalette::Highlight, QColor(0x2f, 0x65, 0xca));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor(0x80, 0x80, 0x80));
  return palette;
}

/// Serves events until `done`; false if that takes too long.
bool serve_until(const std::function<bool()>& done) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < kPatienceMs) QApplication::processEvents(QEventLoop::AllEvents, 50);
  return done();
}

class Pictures {
 public:
  Pictures(MainWindow& window, QString folder, bool all)
      : window_(window), folder_(std::move(folder)), all_(all), light_(QApplication::palette()) {}

  bool shoot(const QString& name) {
    const std::pair<QString, QPalette> themes[] = {{u"light"_s, light_}, {u"dark"_s, dark_palette()}};
    for (const auto& [theme, palette] : themes) {
      if (!all_ && theme != u"light"_s) continue;
      QApplication::setPalette(palette);
      for (const QSize size : {QSize(1024, 640), QSize(1280, 720)}) {
        if (!all_ && size.width() > 1024) continue;
        window_.resize(size);
        for (int i = 0; i < 5; ++i) QApplication::processEvents(QEventLoop::AllEvents, 50);
        const QString file = u"%1/%2-%3-%4.png"_s.arg(folder_, name, theme).arg(size.width());
        const Status saved = save_screenshot(window_, file);
        if (!saved) std::cerr << saved.error().message << "\n";
        if (!saved || window_.size() != size) return false;
      }
    }
    QApplication::setPalette(light_);
    return true;
  }

  QTabWidget& pages() const { return *window_.findChild<QTabWidget*>(u"pages"_s); }
  QAbstractButton& button(const QString& name) const { return *window_.findChild<QAbstractButton*>(name); }
  QLineEdit& field(const QString& name) const { return *window_.findChild<QLineEdit*>(name); }
  /// By its English title.
  void show(const char* page) const {
    for (int i = 0; i < pages().count(); ++i)
      if (pages().tabText(i) == MainWindow::tr(page)) pages().setCurrentIndex(i);
  }

 private:
  MainWindow& window_;
  const QString folder_;
  const bool all_;
  const QPalette light_;
};

int fail(const char* what) {
  std::cerr << "vqas-gui-pictures: " << what << "\n";
  return 1;
}

int run(const MeasuringTools& tools, const QString& folder, const QString& language) {
  QSettings settings(QDir::home().filePath(u"pictures.ini"_s), QSettings::IniFormat);
  FormMemory memory(settings);
  WindowServices services = services_of_machine(tools);
  services.memory = &memory;
  Languages languages;
  languages.begin(language);
  services.languages = &languages;
  services.find_lines = {};  // pictures do not show the sound devices of the machine that makes them
  MainWindow window(services);
  Pictures pictures(window, folder, language == u"en"_s);
  window.show();

  // Speech through a line with errors.
  pictures.show("Channel");
  pictures.button(u"channel_toggle"_s).click();
  window.findChild<QSlider*>(u"ber_slider"_s)->setValue(31);
  const auto& counters = *window.findChild<ChannelPage*>()->findChild<QTableView*>()->model();
  if (!serve_until([&counters] {
        return counters.rowCount() > 0 && counters.index(0, ChannelModel::kErrors).data().toString().size() > 2;
      }))
    return fail("no errors on the simulated line");
  if (!pictures.shoot(u"channel"_s)) return fail("no picture of the page Channel");

  // A trial on a simulated line.
  SettingsForm form;
  form.ber = u"1e-4"_s;
  form.stimuli = u"M1, M4, F1, F4"_s;
  form.cap = u"10"_s;
  form.site = u"Exeter"_s;
  form.circuit = u"trunk 7"_s;
  window.set_form(form);
  window.start();
  if (!serve_until([&window] { return window.phase() == RunPhase::finished; }))
    return fail("the simulated run did not end");
  if (!pictures.shoot(u"measure"_s)) return fail("no picture of the page Measure");
  auto& tabs = *window.findChild<QTabWidget*>(u"tabs"_s);
  for (const auto& [title, name] : {std::pair{"Over time", u"over-time"_s}, std::pair{"Listen", u"listen"_s}}) {
    for (int i = 0; i < tabs.count(); ++i)
      if (tabs.tabText(i) == MeasurePage::tr(title)) tabs.setCurrentIndex(i);
    if (auto* const table = window.findChild<QTableView*>(u"measurements"_s)) table->selectRow(0);
    if (!pictures.shoot(name)) return fail("no picture of a tab");
  }

  // A partner waits, on a line of RTP in this machine.
  const auto rtp = [](int here, int there) { return u"rtp:127.0.0.1:%1/127.0.0.1:%2"_s.arg(here).arg(there); };
  EndSettings waiting{End::b,      rtp(kPort + 2, kPort), true, 0, QDir::home().filePath(u"partner"_s).toStdString(),
                      tools.corpus};
  ThreadedEnd partner(waiting);
  std::optional<EndReady> there;
  QObject::connect(&partner, &EndSession::ready, &partner, [&there](const EndReady& ready) { there = ready; });
  partner.start();
  if (!serve_until([&there] { return there.has_value(); })) return fail("the partner's end did not start");
  pictures.show("Partner");
  auto& own = *window.findChild<EndPanel*>();
  auto& link = *window.findChild<LinkPanel*>();
  own.set_line(rtp(kPort, kPort + 2));
  own.set_port(0);
  own.toggle();
  pictures.field(u"partner_address"_s).setText(there->own_address);
  pictures.field(u"partner_code"_s).setText(QString(there->code).replace(u'-', u' '));
  link.toggle();
  auto& trust = pictures.button(u"partner_trust"_s);
  if (!serve_until([&] { return own.ready_end() && trust.isVisible(); })) return fail("the partner was not found");
  if (!pictures.shoot(u"partner-trust"_s)) return fail("no picture of the question of trust");
  trust.click();
  if (!serve_until([&link] { return link.partner().has_value(); })) return fail("the partner did not answer");
  if (!pictures.shoot(u"partner"_s)) return fail("no picture of the page Partner");
  pictures.button(u"partner_measure"_s).click();

  pictures.show("Equipment");
  auto& check = pictures.button(u"check"_s);
  check.click();
  if (!serve_until([&check] { return check.isEnabled(); })) return fail("the check did not end");
  link.toggle();
  own.toggle();
  serve_until([&own] { return !own.is_running(); });
  // The line is looped back to this laptop, so that both meters have something to show.
  auto& equipment = *window.findChild<EquipmentPanel*>();
  equipment.set_line(rtp(kPort + 4, kPort + 4));
  window.findChild<QComboBox*>(u"equipment_signal"_s)->setCurrentIndex(static_cast<int>(TestSignal::speech));
  pictures.show("Partner");
  pictures.show("Equipment");
  equipment.toggle();
  const auto& level = *window.findChild<QLabel*>(u"meter_heard_words"_s);
  if (!serve_until([&level] { return level.text().contains(u"dBm0"_s); })) return fail("nothing arrived at the meter");
  if (!pictures.shoot(u"equipment"_s)) return fail("no picture of the page Equipment");
  equipment.toggle();
  serve_until([&equipment] { return !equipment.is_running(); });

  pictures.show("Partner");
  window.findChild<PartnerPage*>()->set_waiting(true);
  own.toggle();
  if (!serve_until([&own] { return own.ready_end().has_value(); })) return fail("this end did not wait");
  if (!pictures.shoot(u"waiting"_s)) return fail("no picture of waiting");

  pictures.show("Results");
  serve_until([&window] { return window.findChild<QAbstractItemView*>(u"runs"_s)->model()->rowCount() > 0; });
  window.findChild<QTableView*>(u"runs"_s)->selectRow(0);
  if (!pictures.shoot(u"results"_s)) return fail("no picture of the page Results");

  pictures.show("Start");
  return pictures.shoot(u"start"_s) ? 0 : fail("no picture of the page Start");
}

}  // namespace
}  // namespace vqas::app

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  if (argc < 4 || argc > 5) {
    std::cerr << "usage: vqas-gui-pictures VQAS CORPUS FOLDER [LANGUAGE]\n";
    return 2;
  }
  vqas::app::MeasuringTools tools{argv[1], argv[2]};
  return vqas::app::run(tools, QString::fromLocal8Bit(argv[3]), QString::fromLatin1(argc == 5 ? argv[4] : "en"));
}
