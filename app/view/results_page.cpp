#include "view/results_page.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

#include "model/elsewhere/stored_runs.h"
#include "model/run_bin.h"
#include "view/flow_layout.h"
#include "view/read_table.h"
#include "view/results/result_words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSearchLetters = 30, kLeastRows = 6;

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

ResultsPage::ResultsPage(Services services, QWidget* parent)
    : Page(parent),
      services_(std::move(services)),
      note_(new QLabel),
      search_(new QLineEdit),
      show_(button(u"show_kept"_s)),
      open_report_(button(u"open_kept_report"_s)),
      open_folder_(button(u"open_kept_folder"_s)),
      compare_(button(u"compare"_s)),
      resume_(button(u"resume_kept"_s)),
      follow_(button(u"follow"_s)),
      export_(button(u"export"_s)),
      keep_baseline_(button(u"keep_baseline"_s)),
      remove_(button(u"remove_kept"_s)),
      put_back_(button(u"put_back"_s)),
      empty_(button(u"empty_bin"_s)),
      bin_(button(u"bin"_s)),
      store_(button(u"store"_s)) {
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
  for (QPushButton* one : {show_, open_report_, open_folder_, compare_, resume_, follow_, export_, keep_baseline_,
                           remove_, put_back_, empty_, bin_, store_})
    row->addWidget(one);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(make_table(), 1);
  layout->addWidget(note_);
  connect_buttons();
  connect(&reading_, &QFutureWatcher<RunsRead>::finished, this, &ResultsPage::show_runs);
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
  connect(show_, &QPushButton::clicked, this, [this] { emit show_requested(chosen_run()); });
  connect(open_report_, &QPushButton::clicked, this,
          [this] { services_.open_path(path_of(chosen_run().folder / "report.html")); });
  connect(open_folder_, &QPushButton::clicked, this, [this] { services_.open_path(path_of(chosen_run().folder)); });
  connect(compare_, &QPushButton::clicked, this, &ResultsPage::compare);
  connect(resume_, &QPushButton::clicked, this, [this] { emit resume_requested(path_of(chosen_run().folder)); });
  connect(follow_, &QPushButton::clicked, this, &ResultsPage::follow);
  connect(store_, &QPushButton::clicked, this, &ResultsPage::ask_for_store);
  connect(export_, &QPushButton::clicked, this, &ResultsPage::ask_what_to_export);
  connect(keep_baseline_, &QPushButton::clicked, this, &ResultsPage::keep_as_baseline);
  connect(remove_, &QPushButton::clicked, this, &ResultsPage::remove);
  connect(put_back_, &QPushButton::clicked, this, &ResultsPage::put_back);
  connect(empty_, &QPushButton::clicked, this, &ResultsPage::ask_to_empty_bin);
  connect(bin_, &QPushButton::toggled, this, [this] { read(folder_); });
}

QString ResultsPage::place() const {
  return url_.isEmpty() ? at_home(folder_) : without_password(url_);
}

bool ResultsPage::shows_bin() const {
  return bin_->isChecked();
}

void ResultsPage::read(const QString& folder) {
  folder_ = folder;
  if (!said_) note([place = place()] { return tr("Reading the runs in %1").arg(place); });
  const std::filesystem::path home = folder.toStdString();
  reading_.setFuture(QtConcurrent::run([url = url_, from = shows_bin() ? bin_of(home) : home]() -> RunsRead {
    if (url.isEmpty()) return {read_kept_runs(from), {}};
    auto runs = read_stored_runs(url);
    if (!runs) return {{}, QString::fromStdString(runs.error().message)};
    return {*std::move(runs), {}};
  }));
}

void ResultsPage::show_runs() {
  const RunsRead read = reading_.result();
  if (!read.fault.isEmpty()) emit failed(read.fault);
  // The list is read again after each act; what was chosen stays so.
  const std::vector<KeptRun> before = chosen_runs();
  runs_.set_runs(read.runs);
  QItemSelection again;
  for (int row = 0; row < runs_.rowCount(); ++row) {
    const QModelIndex index = found_.mapFromSource(runs_.index(row, 0));
    if (std::ranges::find(before, runs_.run(row).folder, &KeptRun::folder) != before.end()) again.select(index, index);
  }
  table_->selectionModel()->select(again, QItemSelectionModel::Select | QItemSelectionModel::Rows);
  const auto count = static_cast<std::size_t>(runs_.rowCount());
  const Words there = [count, bin = shows_bin(), home = place()] {
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
  // A store is read; what is done with files needs the run's own folder.
  const bool one = rows.size() == 1, idle = !working_.isRunning(), here = url_.isEmpty();
  show_->setEnabled(one && is_free_);
  open_report_->setEnabled(one && runs_.run(rows.front()).has_report);
  open_folder_->setEnabled(one && here);
  compare_->setEnabled(rows.size() >= 2 && idle);
  resume_->setEnabled(one && is_free_ && runs_.run(rows.front()).resumable);
  follow_->setEnabled(is_free_ && (rows.empty() || (one && runs_.run(rows.front()).in_progress)));
  export_->setEnabled(one && idle && here);
  store_->setEnabled(idle && !shows_bin());
  keep_baseline_->setEnabled(one && idle && here && services_.make_baseline &&
                             runs_.run(rows.front()).state == FolderState::complete);
  remove_->setEnabled(!rows.empty() && idle && here);
  put_back_->setEnabled(!rows.empty() && idle);
  empty_->setEnabled(runs_.rowCount() > 0 && idle);
  bin_->setEnabled(idle && here);
  for (QPushButton* const outside : {resume_, follow_, keep_baseline_, remove_}) outside->setVisible(!shows_bin());
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
  if (!done.opens.isEmpty()) services_.open_path(done.opens);
  read(folder_);
  emit worked();
}

}  // namespace vqas::app
