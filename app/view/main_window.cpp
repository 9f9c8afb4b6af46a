#include "view/main_window.h"

#include <QCloseEvent>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "model/form_memory.h"
#include "model/phrases.h"
#include "model/words.h"
#include "view/channel/channel_page.h"
#include "view/check_page.h"
#include "view/measure_page.h"
#include "view/message_bar.h"
#include "view/partner_page.h"
#include "view/results_page.h"
#include "view/start_page.h"
#include "vqas/line/simulator.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

MainWindow::MainWindow(WindowServices services, QWidget* parent)
    : QMainWindow(parent),
      services_(std::move(services)),
      message_(new MessageBar),
      pages_(new QTabWidget),
      devices_(services_.find_lines) {
  setWindowTitle(u"VQAS"_s);
  make_pages();
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(message_);
  layout->addWidget(pages_, 1);
  setCentralWidget(centre);
  resize(1280, 720);
  connect_measuring();
  connect_kept_runs();
  connect_start();
  connect_channel();
  connect(check_, &CheckPage::requested, this, &MainWindow::check_line);
  connect(check_, &CheckPage::asked_to_trust, this, &MainWindow::ask_to_trust);
  connect(check_, &CheckPage::running_changed, this, &MainWindow::share_line);
  connect(pages_, &QTabWidget::currentChanged, this, &MainWindow::show_page);
  connect(&devices_, &DeviceList::changed, this, [this](const QStringList& lines) {
    partner_->offer_lines(lines);
    check_->equipment().offer_lines(lines);
  });
  connect(partner_, &PartnerPage::line_used, this, &MainWindow::watch_devices);
  connect(check_, &CheckPage::device_used, this, &MainWindow::watch_devices);
  in_each_language(this, [this] { write_texts(); });
  show_page();
}

void MainWindow::make_pages() {
  start_ = new StartPage;
  partner_ = new PartnerPage(services_.partner);
  measure_ = new MeasurePage(services_, *message_);
  check_ = new CheckPage({services_.make_equipment,
                          {services_.make_loop, services_.now, services_.calibrations},
                          services_.baseline_words});
  kept_runs_ = new ResultsPage({services_.open_path, services_.make_baseline, services_.memory, services_.home});
  channel_ = new ChannelPage(services_.channel);
  pages_->setObjectName(u"pages"_s);
  pages_->setDocumentMode(true);
  for (Page* const page : std::initializer_list<Page*>{start_, partner_, measure_, check_, kept_runs_, channel_})
    pages_->addTab(new PageArea(page), QString());
}

void MainWindow::write_texts() {
  const std::pair<Page*, QString> titles[] = {{start_, tr("Start")},       {partner_, tr("Partner")},
                                              {measure_, tr("Measure")},   {check_, tr("Equipment")},
                                              {kept_runs_, tr("Results")}, {channel_, tr("Channel")}};
  for (const auto& [page, title] : titles) pages_->setTabText(index_of(page), title);
  describe_line();
}

const Page* MainWindow::shown_page() const {
  return static_cast<PageArea*>(pages_->currentWidget())->page();
}

int MainWindow::index_of(const Page* page) const {
  int index = 0;
  while (static_cast<PageArea*>(pages_->widget(index))->page() != page) ++index;
  return index;
}

void MainWindow::go_to(const Page* page) {
  pages_->setCurrentIndex(index_of(page));
}

void MainWindow::connect_measuring() {
  connect(measure_, &MeasurePage::refused, this, &MainWindow::refused);
  connect(measure_, &MeasurePage::asked_to_trust, this, &MainWindow::ask_to_trust);
  connect(measure_, &MeasurePage::phase_changed, this, &MainWindow::share_line);
  connect(measure_, &MeasurePage::run_finished, this, [this](const RunEnd& end) {
    emit run_finished(end);
    if (closing_) close();
  });
}

void MainWindow::connect_kept_runs() {
  connect(kept_runs_, &ResultsPage::resume_requested, this, &MainWindow::resume);
  connect(kept_runs_, &ResultsPage::show_requested, this, [this](const KeptRun& run) {
    go_to(measure_);
    measure_->show_kept(run);
  });
  connect(kept_runs_, &ResultsPage::follow_requested, this, &MainWindow::follow);
  connect(kept_runs_, &ResultsPage::asked, this,
          [this](const Words& question, const Words& yes, const std::function<void()>& act) {
            message_->show_message(question, {{[] { return tr("&Keep"); }, {}}, {yes, act}});
          });
  connect(kept_runs_, &ResultsPage::failed, this,
          [this](const QString& why) { message_->show_message([why] { return message_words(why); }); });
}

void MainWindow::connect_channel() {
  connect(channel_, &ChannelPage::measure_requested, this, [this](const QString& profile, double ber, double delay_ms) {
    SettingsForm form;
    form.profile = profile;
    form.ber = QString::number(ber, 'g', 6).replace(u"e-0"_s, u"e-"_s);
    form.delay_ms = QString::number(std::max(delay_ms, kSimulatorShortestDelay_s * 1000));
    measure_->set_form(form);
    start();
  });
}

void MainWindow::use_line(const PartnerLine& line) {
  SettingsForm form = measure_->form();
  form.line = LineKind::nodes;
  form.node_a = line.node_a;
  form.node_b = line.node_b;
  form.access_a = line.access_a;
  form.access_b = line.access_b;
  measure_->set_codes(line.codes);
  measure_->set_form(form);
  go_to(measure_);
}

// What a page shows may have changed while another one was open.
void MainWindow::show_page() {
  if (shown_page() == kept_runs_) kept_runs_->read(measure_->results_home());
  if (shown_page() == check_) check_->baseline().read();
  if (shown_page() != check_) check_->release_device();
  if (shown_page() != channel_) channel_->stop();
  watch_devices();
  if (shown_page() != start_) return;
  if (services_.memory != nullptr) start_->set_recent(services_.memory->recent());
  start_->read(measure_->results_home());
}

// A device serves one user at a time.
void MainWindow::watch_devices() {
  const bool used = partner_->uses_line();
  check_->allow_device(!used);
  devices_.watch((shown_page() == partner_ || shown_page() == check_) && !used && !check_->uses_device());
}

void MainWindow::describe_line() {
  const SettingsForm form = measure_->form();
  // The large button measures once, for its own budget, and all else as the fields say.
  SettingsForm measured = measured_once(form);
  measured.goal = GoalOf::mean;
  start_->set_line(tr("The line: %1").arg(setup_words(measured)));
  check_->set_simulated(form.line == LineKind::simulated);
}

// A run and a check both need the line.
void MainWindow::share_line() {
  const bool measuring = is_running(measure_->phase());
  check_->allow(!measuring);
  channel_->allow_measuring(!measuring && !check_->is_running());
  start_->allow_measuring(!measuring && !check_->is_running());
  kept_runs_->allow_measuring(!measuring && !check_->is_running());
  if (!measuring) measure_->set_line_free(!check_->is_running());
}

void MainWindow::set_form(const SettingsForm& form) {
  measure_->set_form(form);
}

void MainWindow::start() {
  go_to(measure_);
  measure_->start();
}

void MainWindow::resume(const QString& folder) {
  go_to(measure_);
  measure_->resume(folder);
}

void MainWindow::stop() {
  measure_->stop();
}

RunPhase MainWindow::phase() const {
  return measure_->phase();
}

QStringList MainWindow::faults() const {
  return measure_->faults();
}

void MainWindow::check_line() {
  const FormReading checked = measure_->reading();
  measure_->check_fields(true);
  if (!checked.faults.empty()) return go_to(measure_);
  check_->begin(services_.make_check(checked.settings));
}

void MainWindow::ask_to_trust(const QString& question, const std::function<void(bool)>& answer) {
  constexpr int kLinesOfTwoNodes = 8;
  message_->show_message([question] { return message_words(question); },
                         {{[] { return tr("Do &not trust"); }, [answer] { answer(false); }},
                          {[] { return tr("&Trust and continue"); }, [answer] { answer(true); }}},
                         kLinesOfTwoNodes);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  // A run that another program measures does not end with this window.
  if (!is_running(measure_->phase()) || measure_->follows()) return event->accept();
  event->ignore();
  if (closing_) {  // asked again while the run is being stopped: do not make the user wait
    measure_->abandon();
    return event->accept();
  }
  ask_before_closing();
}

void MainWindow::ask_before_closing() {
  message_->show_message([] { return tr("A measurement is running. Stop it and close? What was measured is kept"); },
                         {{[] { return tr("Stop and &close"); }, [this] { close_after_run(); }},
                          {[] { return tr("&Keep measuring"); }, {}}});
}

void MainWindow::close_after_run() {
  closing_ = true;
  if (!is_running(measure_->phase())) {
    close();
    return;
  }
  measure_->stop();  // which may have been asked for already
}

}  // namespace vqas::app
