// What the page to start from asks for.
#include <QFileDialog>

#include "model/form_memory.h"
#include "model/languages.h"
#include "view/check_page.h"
#include "view/main_window.h"
#include "view/measure_page.h"
#include "view/message_bar.h"
#include "view/partner_page.h"
#include "view/results_page.h"
#include "view/start/call_dialog.h"
#include "view/start_page.h"

namespace vqas::app {

void MainWindow::connect_start() {
  connect(start_, &StartPage::measure_requested, this, [this](int minutes) {
    SettingsForm form = measured_once(measure_->form());
    form.goal = GoalOf::line_time;
    form.minutes = QString::number(minutes);
    measure_->set_form(form);
    start();
  });
  if (services_.languages != nullptr) start_->offer_languages(services_.languages->code());
  connect(start_, &StartPage::language_chosen, this,
          [this](const QString& code) { services_.languages->choose(code); });
  connect(start_, &StartPage::trial_requested, this, [this] {
    measure_->set_form(SettingsForm{});
    start();
  });
  for (const auto& [asked, waiting] :
       {std::pair{&StartPage::partner_requested, false}, std::pair{&StartPage::waiting_requested, true}}) {
    connect(start_, asked, this, [this, waiting = waiting] {
      partner_->set_waiting(waiting);
      go_to(partner_);
    });
  }
  connect(start_, &StartPage::call_requested, this, &MainWindow::place_call);
  connect(partner_, &PartnerPage::measure_requested, this, &MainWindow::use_line);
  connect(start_, &StartPage::check_requested, this, [this] { go_to(check_); });
  connect(start_, &StartPage::results_requested, this, [this] { go_to(kept_runs_); });
  connect(start_, &StartPage::resume_requested, this, &MainWindow::resume);
  connect(start_, &StartPage::follow_requested, this, [this] { follow({}); });
  connect(start_, &StartPage::setup_chosen, this, [this](const SettingsForm& form) {
    measure_->set_form(form);
    go_to(measure_);
  });
  connect(measure_, &MeasurePage::form_changed, this, &MainWindow::describe_line);
}

void MainWindow::place_call() {
  go_to(partner_);
  if (partner_->uses_line())
    return message_->show_message(
        [] { return tr("This laptop is one end of a line already: stop this end first, then place the call"); });
  auto* dialog = new CallDialog(services_.home, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CallDialog::placed, partner_, &PartnerPage::open_line);
  dialog->open();
}

// A script may measure into any folder.
void MainWindow::follow(const QString& folder) {
  if (!folder.isEmpty()) {
    go_to(measure_);
    return measure_->follow(folder);
  }
  auto* dialog = new QFileDialog(this, tr("Follow the run in this results folder"), measure_->results_home());
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::follow);
  dialog->open();
}

}  // namespace vqas::app
