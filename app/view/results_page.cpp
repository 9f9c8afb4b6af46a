#include "view/results_page.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

#include "model/run_bin.h"
#include "model/text.h"
#include "model/words.h"
#include "view/export_dialog.h"
#include "view/flow_layout.h"
#include "view/read_table.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSearchLetters = 30, kLeastRows = 6;

// As people write it.
QString at_home(const QString& folder) {
  const QString home = QDir::homePath();
  return folder.startsWith(home + u'/') ? u'~' + folder.mid(home.size()) : folder;
}

QString path_of(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

QString count_words(std::size_t count) {
  return count == 1 ? Text::tr("1 run") : Text::tr("%1 runs").arg(count);
}

QString exported_words(const ExportWish& wish, const ExportedRun& done) {
  QString words = Text::tr("Exported to %1").arg(at_home(path_of(done.folder)));
  if (wish.recordings)
    words +=
        done.recordings == 1 ? Text::tr(", with 1 recording") : Text::tr(", with %1 recordings").arg(done.recordings);
  if (done.missing > 0)
    words += done.missing == 1 ? Text::tr("; 1 was not kept") : Text::tr("; %1 were not kept").arg(done.missing);
  return words;
}

/// Matches a text that has every word, in any order.
QRegularExpression all_words(const QString& typed) {
  QString pattern = u"^"_s;
  for (const QString& word : typed.split(u' ', Qt::SkipEmptyParts))
    pattern += u"(?=.*%1)"_s.arg(QRegularExpression::escape(word));
  return QRegularExpression(pattern,
                            QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
}

QPushButton* button(const QString& name) {
  auto* made = new QPushButton;
  made->setObjectName(name);
  return made;
}

}  // namespace

ResultsPage::ResultsPage(std::function<void(const QString&)> open_path,
                         std::function<Status(const std::filesystem::path&)> make_baseline, QWidget* parent)
    : Page(parent),
      open_path_(std::move(open_path)),
      make_baseline_(std::move(make_baseline)),
      note_(new QLabel),
      search_(new QLineEdit),
      show_(button(u"show_kept"_s)),
      open_report_(button(u"open_kept_report"_s)),
      open_folder_(button(u"open_kept_folder"_s)),
      compare_(button(u"compare"_s)),
      resume_(button(u"resume_kept"_s)),
      export_(button(u"export"_s)),
      keep_baseline_(button(u"keep_baseline"_s)),
      remove_(button(u"remove_kept"_s)),
      put_back_(button(u"put_back"_s)),
      empty_(button(u"empty_bin"_s)),
      bin_(button(u"bin"_s)) {
  search_->setObjectName(u"search"_s);
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(search_->fontMetrics().averageCharWidth() * kSearchLetters);
  note_->setObjectName(u"note"_s);
  note_->setWordWrap(true);
  note_->setForegroundRole(QPalette::PlaceholderText);
  bin_->setCheckable(true);
  found_.setSourceModel(&runs_);
  found_.setSortRole(KeptRunsModel::kSortedRole);
  found_.setFilterRole(KeptRunsModel::kSearchedRole);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    found_.setFilterRegularExpression(all_words(text));
    refresh_buttons();
  });
  auto* row = new FlowLayout;
  row->add(search_, 1);
  for (QPushButton* one : {show_, open_report_, open_folder_, compare_, resume_, export_, keep_baseline_, remove_,
                           put_back_, empty_, bin_})
    row->addWidget(one);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(make_table(), 1);
  layout->addWidget(note_);
  connect_buttons();
  connect(&reading_, &QFutureWatcher<std::vector<KeptRun>>::finished, this, &ResultsPage::show_runs);
  connect(&working_, &QFutureWatcher<Worked>::finished, this, &ResultsPage::end_work);
  in_each_language(this, [this] { write_texts(); });
  refresh_buttons();
}

ResultsPage::~ResultsPage() {
  reading_.disconnect(this);
  reading_.waitForFinished();
  working_.disconnect(this);
  working_.waitForFinished();
}

QWidget* ResultsPage::make_table() {
  table_ = new ReadTable(found_, [] { return tr("Runs"); });
  table_->setObjectName(u"runs"_s);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setSortingEnabled(true);
  table_->sortByColumn(KeptRunsModel::kStarted, Qt::DescendingOrder);
  table_->setMinimumHeight(table_->fontMetrics().lineSpacing() * 2 * kLeastRows);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ResultsPage::refresh_buttons);
  connect(table_, &QTableView::activated, this, [this] { show_->click(); });
  return table_;
}

void ResultsPage::connect_buttons() {
  connect(show_, &QPushButton::clicked, this, [this] { emit show_requested(path_of(chosen_run().folder)); });
  connect(open_report_, &QPushButton::clicked, this,
          [this] { open_path_(path_of(chosen_run().folder / "report.html")); });
  connect(open_folder_, &QPushButton::clicked, this, [this] { open_path_(path_of(chosen_run().folder)); });
  connect(compare_, &QPushButton::clicked, this, &ResultsPage::compare);
  connect(resume_, &QPushButton::clicked, this, [this] { emit resume_requested(path_of(chosen_run().folder)); });
  connect(export_, &QPushButton::clicked, this, &ResultsPage::ask_what_to_export);
  connect(keep_baseline_, &QPushButton::clicked, this, &ResultsPage::keep_as_baseline);
  connect(remove_, &QPushButton::clicked, this, &ResultsPage::remove);
  connect(put_back_, &QPushButton::clicked, this, &ResultsPage::put_back);
  connect(empty_, &QPushButton::clicked, this, &ResultsPage::ask_to_empty_bin);
  connect(bin_, &QPushButton::toggled, this, [this] { read(folder_); });
}

bool ResultsPage::shows_bin() const {
  return bin_->isChecked();
}

void ResultsPage::read(const QString& folder) {
  folder_ = folder;
  const std::filesystem::path home = folder.toStdString();
  if (!said_) note([folder] { return tr("Reading the runs in %1").arg(at_home(folder)); });
  reading_.setFuture(QtConcurrent::run(read_kept_runs, shows_bin() ? bin_of(home) : home));
}

void ResultsPage::show_runs() {
  runs_.set_runs(reading_.result());
  const auto count = static_cast<std::size_t>(runs_.rowCount());
  const Words there = [count, bin = shows_bin(), home = at_home(folder_)] {
    if (count == 0) return bin ? tr("The bin is empty") : tr("No run is in %1 yet").arg(home);
    return bin ? tr("%1 in the bin").arg(count_words(count)) : tr("%1 in %2").arg(count_words(count), home);
  };
  note([there, said = said_] { return said ? said() + u" – "_s + there() : there(); });
  said_ = {};
  refresh_buttons();
  emit shown();
}

std::vector<int> ResultsPage::chosen() const {
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    rows.push_back(found_.mapToSource(index).row());
  return rows;
}

std::vector<KeptRun> ResultsPage::chosen_runs() const {
  std::vector<KeptRun> runs;
  for (const int row : chosen()) runs.push_back(runs_.run(row));
  return runs;
}

void ResultsPage::refresh_buttons() {
  const std::vector<int> rows = chosen();
  const bool one = rows.size() == 1, idle = !working_.isRunning();
  show_->setEnabled(one && is_free_);
  open_report_->setEnabled(one && runs_.run(rows.front()).has_report);
  open_folder_->setEnabled(one);
  compare_->setEnabled(rows.size() >= 2 && idle);
  resume_->setEnabled(one && is_free_ && runs_.run(rows.front()).resumable);
  export_->setEnabled(one && idle);
  keep_baseline_->setEnabled(one && idle && make_baseline_ && runs_.run(rows.front()).state == FolderState::complete);
  remove_->setEnabled(!rows.empty() && idle);
  put_back_->setEnabled(!rows.empty() && idle);
  empty_->setEnabled(runs_.rowCount() > 0 && idle);
  bin_->setEnabled(idle);
  for (QPushButton* const outside : {resume_, keep_baseline_, remove_}) outside->setVisible(!shows_bin());
  for (QPushButton* const inside : {put_back_, empty_}) inside->setVisible(shows_bin());
}

void ResultsPage::work(std::function<Worked()> work, const Words& meanwhile) {
  note(meanwhile);
  working_.setFuture(QtConcurrent::run(std::move(work)));
  refresh_buttons();
}

void ResultsPage::end_work() {
  const Worked done = working_.result();
  said_ = done.said;
  if (!done.fault.isEmpty()) emit failed(done.fault);
  if (!done.opens.isEmpty()) open_path_(done.opens);
  read(folder_);
  emit worked();
}

void ResultsPage::compare() {
  work(
      [runs = chosen_runs(), home = folder_.toStdString()]() -> Worked {
        const auto page = write_comparison(runs, home);
        if (!page) return {QString::fromStdString(page.error().message), {}, {}};
        return {{}, {}, path_of(*page)};
      },
      [] { return tr("Comparing"); });
}

void ResultsPage::ask_what_to_export() {
  auto* dialog = new ExportDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ExportDialog::chosen, this, &ResultsPage::export_chosen);
  dialog->open();
}

void ResultsPage::export_chosen(const ExportWish& wish, const QString& folder) {
  if (chosen().size() != 1) return;
  work(
      [run = chosen_run(), wish, to = folder.toStdString()]() -> Worked {
        const auto done = export_run(run, to, wish);
        if (!done) return {QString::fromStdString(done.error().message), {}, {}};
        return {{}, [wish, done = *done] { return exported_words(wish, done); }, {}};
      },
      [] { return tr("Exporting"); });
}

void ResultsPage::keep_as_baseline() {
  work(
      [run = chosen_run(), keep = make_baseline_]() -> Worked {
        const Status kept = keep(run.folder);
        if (!kept) return {QString::fromStdString(kept.error().message), {}, {}};
        return {{}, [run] { return tr("%1 is the baseline now").arg(run_name(run, date_format())); }, {}};
      },
      [] { return tr("Keeping the baseline"); });
}

void ResultsPage::remove() {
  work(
      [runs = chosen_runs(), home = folder_.toStdString()]() -> Worked {
        for (const KeptRun& run : runs)
          if (const auto done = remove_run(run.folder, home); !done)
            return {QString::fromStdString(done.error().message), {}, {}};
        return {{}, [count = runs.size()] { return tr("%1 moved into the bin").arg(count_words(count)); }, {}};
      },
      [] { return tr("Moving into the bin"); });
}

void ResultsPage::put_back() {
  work(
      [runs = chosen_runs(), home = folder_.toStdString()]() -> Worked {
        for (const KeptRun& run : runs)
          if (const auto done = put_run_back(run.folder, home); !done)
            return {QString::fromStdString(done.error().message), {}, {}};
        return {{}, [count = runs.size()] { return tr("%1 put back").arg(count_words(count)); }, {}};
      },
      [] { return tr("Putting back"); });
}

void ResultsPage::ask_to_empty_bin() {
  // Those that the question is about: others may come while it waits for its answer.
  std::vector<std::filesystem::path> folders;
  for (int row = 0; row < runs_.rowCount(); ++row) folders.push_back(runs_.run(row).folder);
  const std::size_t count = folders.size();
  const Words question = [count] { return tr("Delete %1 for good, with all recordings?").arg(count_words(count)); };
  emit asked(
      question, [] { return tr("&Delete"); },
      [this, folders, count] {
        work(
            [folders, count, home = folder_.toStdString()]() -> Worked {
              const Status done = delete_removed(folders, home);
              if (!done) return {QString::fromStdString(done.error().message), {}, {}};
              return {{}, [count] { return tr("%1 deleted").arg(count_words(count)); }, {}};
            },
            [] { return tr("Deleting"); });
      });
}

}  // namespace vqas::app
