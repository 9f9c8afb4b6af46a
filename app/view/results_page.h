#pragma once

#include <QFutureWatcher>
#include <QSortFilterProxyModel>
#include <functional>

#include "model/kept_runs_model.h"
#include "model/run_export.h"
#include "view/language.h"
#include "view/page_area.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace vqas::app {

class FormMemory;
class ReadTable;

/// The runs kept on this machine: search, open, compare, resume, export, remove; and those that were removed.
class ResultsPage : public Page {
  Q_OBJECT
 public:
  struct Services {
    std::function<void(const QString&)> open_path;  ///< shows a file or folder with the desktop's program for it
    /// Makes a run the baseline; called beside the window's thread.
    std::function<Status(const std::filesystem::path&)> make_baseline = {};
    FormMemory* memory = nullptr;  ///< remembers the store, and outlives the page; null: nothing is remembered
    QString home = {};             ///< where typed paths begin
  };
  explicit ResultsPage(Services services, QWidget* parent = nullptr);
  ~ResultsPage() override;

  /// Reads the runs below `folder` beside the window's thread; read() follows.
  void read(const QString& folder);
  /// Exports the chosen run into a new folder in `folder`; worked() follows.
  void export_chosen(const ExportWish& wish, const QString& folder);
  /// Shows the runs of this store; empty: those of the folder.
  void show_store(const QString& url);
  /// Puts the chosen runs into this store; worked() follows.
  void put_chosen_into(const QString& url);
  /// While a run is measured, no other can be resumed, or shown in its place.
  void allow_measuring(bool allowed) {
    is_free_ = allowed;
    refresh_buttons();
  }

 signals:
  /// The runs are shown.
  void shown();
  void resume_requested(const QString& folder);
  void show_requested(const vqas::app::KeptRun& run);
  /// Follow the run that another program measures in this folder.
  void follow_requested(const QString& folder);
  /// What went wrong, with the cure.
  void failed(const QString& why);
  /// What was asked for is done, or has failed.
  void worked();
  /// A decision that cannot be undone; `act` does it.
  void asked(const vqas::app::Words& question, const vqas::app::Words& yes, const std::function<void()>& act);

 private:
  struct RunsRead {
    std::vector<KeptRun> runs;
    QString fault;  ///< with the cure; empty when they were read
  };
  std::vector<int> chosen() const;
  void show_runs();
  void refresh_buttons();
  /// What became of work beside the window's thread.
  struct Worked {
    QString fault;  ///< with the cure; empty when it worked
    Words said;     ///< for the note; empty: nothing
    QString opens;  ///< a file to show; empty: none
  };
  std::vector<KeptRun> chosen_runs() const;
  const KeptRun& chosen_run() const { return runs_.run(chosen().front()); }
  bool shows_bin() const;
  QString place() const;
  void ask_for_store();
  void work(std::function<Worked()> work, const Words& meanwhile);
  void note(const Words& words);
  void write_texts();
  void end_work();
  void follow();
  void compare();
  void ask_what_to_export();
  void keep_as_baseline();
  void remove();
  void put_back();
  void ask_to_empty_bin();
  QWidget* make_table();
  void connect_buttons();

  const Services services_;
  QString folder_;
  QString url_;  // of the store that is shown; empty: the folder
  KeptRunsModel runs_;
  QSortFilterProxyModel found_;
  QFutureWatcher<RunsRead> reading_;
  QFutureWatcher<Worked> working_;
  Words said_;   // of the last work, until something else is read
  Words noted_;  // what the note says
  bool is_free_ = true;
  QLabel* note_;
  QLineEdit* search_;
  ReadTable* table_;
  QPushButton* show_;
  QPushButton* open_report_;
  QPushButton* open_folder_;
  QPushButton* compare_;
  QPushButton* resume_;
  QPushButton* follow_;
  QPushButton* export_;
  QPushButton* keep_baseline_;
  QPushButton* remove_;
  QPushButton* put_back_;
  QPushButton* empty_;
  QPushButton* bin_;
  QPushButton* store_;
};

}  // namespace vqas::app
