#pragma once

#include <QDateTime>
#include <QMainWindow>
#include <array>
#include <functional>
#include <memory>

#include "model/check_session.h"
#include "model/measurements_model.h"
#include "model/run_model.h"
#include "model/run_session.h"
#include "model/run_settings.h"
#include "view/listen_view.h"

class QProgressBar;
class QPushButton;
class QTabWidget;

namespace vqas::app {

class CheckPage;
class DirectionPanel;
class FormMemory;
class ListenView;
class LogView;
class MessageBar;
class ResultsPage;
class SettingsPanel;
class WrappedLabel;

/// What a window needs from outside.
struct WindowServices {
  std::function<std::unique_ptr<RunSession>(const RunSettings&)> make_session;
  std::function<std::unique_ptr<CheckSession>(const RunSettings&)> make_check;
  std::function<void(const QString& path)> open_path;  ///< shows a file or folder with the desktop's program for it
  std::function<QDateTime()> now;
  QString home;               ///< where the default results folder is made
  QString model_error_words;  ///< one sentence on the model's own error
  /// Remembers the setups measured last, and outlives the window; null: nothing is remembered.
  FormMemory* memory = nullptr;
  ListenServices listening = {};
};

/// The window: a page that measures (settings, state, both directions, unscored measurements), and one with the runs
/// kept on this machine. Runs one session at a time.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(WindowServices services, QWidget* parent = nullptr);
  ~MainWindow() override;

  void set_form(const SettingsForm& form);
  /// Checks the fields and begins a run; faulty fields are marked instead.
  void start();
  /// Resumes the interrupted run in this folder.
  void resume(const QString& folder);
  /// Ends the run after the transmissions in progress.
  void stop();
  RunPhase phase() const { return status_.phase; }
  /// The run that is shown has at least one score.
  bool has_scores() const { return status_.scored > 0; }
  /// What is wrong with the fields now; empty when they are usable.
  QStringList faults() const;

 signals:
  /// start() began nothing, because fields are faulty.
  void refused();
  /// A run is over and shown.
  void run_finished(vqas::app::RunEnd end);

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  QWidget* make_top();
  QWidget* make_settings();
  QWidget* make_results();
  QWidget* make_check_page();
  void check_line();
  void ask_to_trust(const QString& question, const std::function<void(bool)>& answer);
  QWidget* make_kept_runs();
  QString results_home() const;
  QWidget* make_error_note();
  void connect_models();
  void connect_session();
  void begin(const RunSettings& settings);
  void choose_run();
  void show_silence(End from, const QString& what);
  void clear_silence(const RunResults& results);
  void ask_for_trust(const QString& question);
  void check_fields(bool take_focus);
  FormReading reading() const;
  void set_phase(RunPhase phase);
  void refresh_state();
  void refresh_panels();
  void show_results(const SharedResults& results, bool over);
  void show_kept(const QString& folder);
  void refresh_disagree();
  void ask_for_note();
  void end_run(const RunEnd& end, const SharedResults& results);
  void ask_before_closing();
  void close_after_run();

  WindowServices services_;
  std::unique_ptr<RunSession> session_;
  RunModel numbers_;
  MeasurementsModel measurements_;
  UnscoredModel log_{measurements_};
  RunStatus status_;
  RunEnd last_end_;
  SharedResults shown_;
  bool faults_shown_ = false;
  bool closing_ = false;

  WrappedLabel* state_;
  QProgressBar* progress_;
  QPushButton* start_;
  QPushButton* resume_;
  QPushButton* stop_;
  QPushButton* disagree_;
  QPushButton* open_report_;
  QPushButton* open_folder_;
  MessageBar* message_;
  SettingsPanel* settings_;
  std::array<DirectionPanel*, 2> panels_{};
  LogView* log_view_;
  ListenView* listen_;
  QTabWidget* tabs_;
  QTabWidget* pages_;
  CheckPage* check_;
  ResultsPage* kept_runs_;
};

}  // namespace vqas::app
