#pragma once

#include <QFutureWatcher>
#include <QWidget>
#include <vector>

#include "model/kept_run.h"
#include "model/run_settings.h"
#include "view/language.h"
#include "view/page_area.h"

class QComboBox;
class QLabel;
class QListWidget;
class QSpinBox;

namespace vqas::app {

class WrappedLabel;

/// The page with which the program opens: what can be done, the runs that were broken off, and the last setups. Starts
/// nothing itself.
class StartPage : public Page {
  Q_OBJECT
 public:
  explicit StartPage(QWidget* parent = nullptr);
  ~StartPage() override;

  /// Offers the languages; `code` is the present one.
  void offer_languages(const QString& code);
  /// The line that the large button measures, in words.
  void set_line(const QString& words);
  /// Offers these setups; none hides the list.
  void set_recent(const std::vector<SettingsForm>& forms);
  /// Looks for runs that can be resumed below `folder`, beside the window's thread; shown() follows.
  void read(const QString& folder);
  /// While a run or a check uses the line, nothing else can be started.
  void allow_measuring(bool allowed);

 signals:
  /// The large button, with the budget of line time in min.
  void measure_requested(int minutes);
  void partner_requested();
  void waiting_requested();
  void call_requested();
  void check_requested();
  void results_requested();
  void follow_requested();
  void trial_requested();
  void resume_requested(const QString& folder);
  void setup_chosen(const vqas::app::SettingsForm& form);
  void language_chosen(const QString& code);
  /// The runs that can be resumed are shown.
  void shown();

 private:
  QWidget* make_measure();
  QWidget* make_actions();
  QWidget* make_lists();
  QWidget* make_languages();
  QListWidget* make_list(const QString& name, const Words& accessible_name);
  void show_broken_off();

  QFutureWatcher<std::vector<KeptRun>> reading_;
  std::vector<KeptRun> broken_off_;
  std::vector<SettingsForm> recent_;
  std::vector<QWidget*> starters_;  // what needs the line
  WrappedLabel* line_;
  QWidget* language_row_;
  QComboBox* language_;
  QSpinBox* minutes_;
  QLabel* resume_heading_;
  QLabel* recent_heading_;
  QLabel* nothing_yet_;
  QListWidget* resume_list_;
  QListWidget* recent_list_;
};

}  // namespace vqas::app
