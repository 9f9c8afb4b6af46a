#pragma once

#include <QFutureWatcher>
#include <QTimer>
#include <array>
#include <functional>
#include <map>
#include <memory>

#include "model/kept_run.h"
#include "model/measurements_model.h"
#include "model/run_model.h"
#include "view/page_area.h"
#include "view/window_services.h"
#include "vqas/store/plan.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace vqas::app {

class DirectionPanel;
class FindingsView;
class LogView;
class MessageBar;
class SettingsPanel;
class TimeView;
class WrappedLabel;

/// The page that measures: settings, state, both directions, the measurements. Runs one session at a time.
class MeasurePage : public Page {
  Q_OBJECT
 public:
  /// `services` and `message` outlive the page.
  MeasurePage(const WindowServices& services, MessageBar& message, QWidget* parent = nullptr);
  ~MeasurePage() override;

  void set_form(const SettingsForm& form);
  /// Codes of nodes by their addresses, kept as long as the page lives.
  void set_codes(const std::map<QString, QString>& codes);
  SettingsForm form() const;
  /// What the fields say now.
  FormReading reading() const;
  /// Marks faulty fields.
  void check_fields(bool take_focus);
  /// What is wrong with the fields now; empty when they are usable.
  QStringList faults() const;
  /// While it is not, nothing can be started.
  void set_line_free(bool free);

  /// Checks the fields and begins a run; faulty fields are marked instead.
  void start();
  /// Resumes the interrupted run in this folder.
  void resume(const QString& folder);
  /// Fills the fields from a plan of the command line, or says what is wrong with it.
  void open_plan(const QString& path);
  /// Writes the fields as such a plan; faulty fields are marked instead. What the fields do not show is kept as the
  /// plan that was opened last has it.
  void save_plan(const QString& path);
  /// Follows the run that another program measures in this folder.
  void follow(const QString& folder);
  /// The run that is shown is measured by another program.
  bool follows() const { return status_.followed; }
  /// Shows a run of another time in the place of the last one, once it is read beside the window's thread; unless a run
  /// has begun meanwhile.
  void show_kept(const KeptRun& run);
  /// Ends the run after the transmissions in progress; nothing if it is being stopped already.
  void stop();
  /// Ends a run that is being stopped without waiting for them.
  void stop_now();
  /// Ends it at once.
  void abandon();
  RunPhase phase() const { return status_.phase; }
  /// The folder in which new runs get theirs.
  QString results_home() const;

 signals:
  /// start() began nothing, because fields are faulty.
  void refused();
  /// A field has changed.
  void form_changed();
  void phase_changed(vqas::app::RunPhase phase);
  /// A run is over and shown.
  void run_finished(vqas::app::RunEnd end);
  void asked_to_trust(const QString& question, const std::function<void(bool)>& answer);

 private:
  QWidget* make_top();
  QWidget* make_settings();
  QWidget* make_results();
  QWidget* make_error_note();
  void refresh_error_note();
  void write_texts();
  void connect_models();
  void connect_session();
  void note_change();
  void show_zone();
  void forecast();
  void pause_or_continue();
  QString pause_words() const;
  QString stop_words() const;
  void begin(const RunSettings& settings);
  void forget_run();
  void show_loaded(const KeptRun& kept, const StoredRun& run);
  void show_run_of(const QString& folder);
  void choose_run();
  void leave_followed();
  void show_silence(End from, const QString& what);
  void clear_silence(const RunResults& results);
  void end_silence(End from);
  void ask_for_trust(const QString& question);
  void set_phase(RunPhase phase);
  void refresh_buttons();
  void refresh_state();
  void refresh_panels();
  void show_results(const SharedResults& results, bool over);
  void refresh_disagree();
  void ask_for_note();
  void end_run(const RunEnd& end, const SharedResults& results);

  const WindowServices& services_;
  MessageBar& message_;
  std::unique_ptr<RunSession> session_;
  RunModel numbers_;
  MeasurementsModel measurements_;
  UnscoredModel log_{measurements_};
  RunStatus status_;
  RunEnd last_end_;
  SharedResults shown_;
  bool shown_over_ = false;
  std::array<std::ptrdiff_t, 2> heard_before_{};  // by panel: what had arrived when its direction fell silent
  std::array<QTimer, 2> silence_told_;            // by panel: run out when the silence is not told any more
  QTimer stopped_just_now_;                       // a second press is not meant yet
  int kept_asked_ = 0;  // counts what show_kept() was asked for, so that only the last is shown
  bool faults_shown_ = false;
  bool line_is_free_ = true;
  std::map<QString, QString> codes_;
  CampaignPlan plan_;
  QTimer forecast_soon_;
  QFutureWatcher<QString> forecasting_;

  WrappedLabel* state_;
  QProgressBar* progress_;
  QPushButton* start_;
  QPushButton* resume_;
  QPushButton* pause_;
  QPushButton* stop_;
  QPushButton* disagree_;
  QPushButton* open_report_;
  QPushButton* open_folder_;
  SettingsPanel* settings_;
  std::array<DirectionPanel*, 2> panels_{};
  LogView* log_view_;
  LogView* figures_;
  ListenView* listen_;
  TimeView* time_;
  FindingsView* findings_;
  QTabWidget* tabs_;
  QLabel* error_note_;
};

}  // namespace vqas::app
