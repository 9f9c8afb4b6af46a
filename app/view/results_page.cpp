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
  return count == 1 ? u"1 run"_s : u"%1 runs"_s.arg(count);
}

/// Matches a text that has every word, in any order.
QRegularExpression all_words(const QString& typed) {
  QString pattern = u"^"_s;
  for (const QString& word : typed.split(u' ', Qt::SkipEmptyParts))
    pattern += u"(?=.*%1)"_s.arg(QRegularExpression::escape(word));
  return QRegularExpression(pattern,
                            QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
}

QPushButton* button(const QString& caption, const QString& name, const QString& tip = {}) {
  auto* made = new QPushButton(caption);
  made->setObjectName(name);
  made->setToolTip(tip);
  return made;
}

}  // namespace

ResultsPage::ResultsPage(std::function<void(const QString&)> open_path, QWidget* parent)
    : Page(parent),
      open_path_(std::move(open_path)),
      note_(new QLabel),
      search_(new QLineEdit),
      show_(button(u"&Show"_s, u"show_kept"_s, u"Shows the plots and measurements of this run, to listen to them"_s)),
      open_report_(button(u"Open &report"_s, u"open_kept_report"_s)),
      open_folder_(button(u"Open &folder"_s, u"open_kept_folder"_s)),
      compare_(button(u"&Compare"_s, u"compare"_s, u"Ranks the chosen runs, with intervals, on a page"_s)),
      resume_(button(u"Res&ume"_s, u"resume_kept"_s)),
      export_(button(u"E&xport…"_s, u"export"_s, u"Copies report, figures and recordings of this run to a folder"_s)),
      remove_(button(u"Re&move"_s, u"remove_kept"_s, u"Moves the chosen runs into the bin; nothing is deleted"_s)),
      put_back_(button(u"Put &back"_s, u"put_back"_s, u"Moves the chosen runs out of the bin"_s)),
      empty_(button(u"&Empty the bin…"_s, u"empty_bin"_s, u"Deletes the runs in the bin"_s)),
      bin_(button(u"B&in"_s, u"bin"_s, u"Shows the runs that were removed"_s)) {
  search_->setObjectName(u"search"_s);
  search_->setPlaceholderText(u"Place, circuit, date, note"_s);
  search_->setToolTip(u"Finds the runs that have every word, in whichever column"_s);
  search_->setAccessibleName(u"Search runs"_s);
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(search_->fontMetrics().averageCharWidth() * kSearchLetters);
  note_->setObjectName(u"note"_s);
  note_->setWordWrap(true);
  note_->setForegroundRole(QPalette::PlaceholderText);
  bin_->setCheckable(true);
  found_.setSourceModel(&runs_);
  found_.setFilterRole(KeptRunsModel::kSearchedRole);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    found_.setFilterRegularExpression(all_words(text));
    refresh_buttons();
  });
  auto* row = new FlowLayout;
  row->add(search_, 1);
  for (QPushButton* one :
       {show_, open_report_, open_folder_, compare_, resume_, export_, remove_, put_back_, empty_, bin_})
    row->addWidget(one);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(make_table(), 1);
  layout->addWidget(note_);
  connect_buttons();
  connect(&reading_, &QFutureWatcher<std::vector<KeptRun>>::finished, this, &ResultsPage::show_runs);
  connect(&working_, &QFutureWatcher<Worked>::finished, this, &ResultsPage::end_work);
  refresh_buttons();
}

ResultsPage::~ResultsPage() {
  reading_.disconnect(this);
  reading_.waitForFinished();
  working_.disconnect(this);
  working_.waitForFinished();
}

QWidget* ResultsPage::make_table() {
  table_ = new ReadTable(found_, u"Runs"_s);
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
  if (said_.isEmpty()) note_->setText(u"Reading the runs in %1"_s.arg(at_home(folder)));
  reading_.setFuture(QtConcurrent::run(read_kept_runs, shows_bin() ? bin_of(home) : home));
}

void ResultsPage::show_runs() {
  runs_.set_runs(reading_.result());
  const auto count = static_cast<std::size_t>(runs_.rowCount());
  const QString where = shows_bin() ? u"the bin"_s : at_home(folder_);
  const QString there = count == 0 ? (shows_bin() ? u"The bin is empty"_s : u"No run is in %1 yet"_s.arg(where))
                                   : u"%1 in %2"_s.arg(count_words(count), where);
  note_->setText(said_.isEmpty() ? there : said_ + u" – "_s + there);
  said_.clear();
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
  remove_->setEnabled(!rows.empty() && idle);
  put_back_->setEnabled(!rows.empty() && idle);
  empty_->setEnabled(runs_.rowCount() > 0 && idle);
  bin_->setEnabled(idle);
  for (QPushButton* const outside : {resume_, remove_}) outside->setVisible(!shows_bin());
  for (QPushButton* const inside : {put_back_, empty_}) inside->setVisible(shows_bin());
}

void ResultsPage::allow_measuring(bool allowed) {
  is_free_ = allowed;
  refresh_buttons();
}

void ResultsPage::work(std::function<Worked()> work, const QString& meanwhile) {
  note_->setText(meanwhile);
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
      u"Comparing"_s);
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
        QString said = u"Exported to %1"_s.arg(at_home(path_of(done->folder)));
        if (wish.recordings) said += u", with %1 recordings"_s.arg(done->recordings);
        if (done->missing > 0) said += u"; %1 were not kept"_s.arg(done->missing);
        return {{}, said, {}};
      },
      u"Exporting"_s);
}

void ResultsPage::remove() {
  work(
      [runs = chosen_runs(), home = folder_.toStdString()]() -> Worked {
        for (const KeptRun& run : runs)
          if (const auto done = remove_run(run.folder, home); !done)
            return {QString::fromStdString(done.error().message), {}, {}};
        return {{}, u"%1 moved into the bin"_s.arg(count_words(runs.size())), {}};
      },
      u"Moving into the bin"_s);
}

void ResultsPage::put_back() {
  work(
      [runs = chosen_runs(), home = folder_.toStdString()]() -> Worked {
        for (const KeptRun& run : runs)
          if (const auto done = put_run_back(run.folder, home); !done)
            return {QString::fromStdString(done.error().message), {}, {}};
        return {{}, u"%1 put back"_s.arg(count_words(runs.size())), {}};
      },
      u"Putting back"_s);
}

void ResultsPage::ask_to_empty_bin() {
  // Those that the question is about: others may come while it waits for its answer.
  std::vector<std::filesystem::path> folders;
  for (int row = 0; row < runs_.rowCount(); ++row) folders.push_back(runs_.run(row).folder);
  const QString count = count_words(folders.size());
  emit asked(u"Delete %1 for good, with all recordings?"_s.arg(count), u"&Delete"_s, [this, folders, count] {
    work(
        [folders, count, home = folder_.toStdString()]() -> Worked {
          const Status done = delete_removed(folders, home);
          if (!done) return {QString::fromStdString(done.error().message), {}, {}};
          return {{}, u"%1 deleted"_s.arg(count), {}};
        },
        u"Deleting"_s);
  });
}

}  // namespace vqas::app
