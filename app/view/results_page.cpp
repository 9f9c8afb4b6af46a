#include "view/results_page.h"

#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// As people write it.
QString at_home(const QString& folder) {
  const QString home = QDir::homePath();
  return folder.startsWith(home + u'/') ? u'~' + folder.mid(home.size()) : folder;
}

}  // namespace

ResultsPage::ResultsPage(std::function<void(const QString&)> open_path, QWidget* parent)
    : QWidget(parent),
      open_path_(std::move(open_path)),
      note_(new QLabel),
      search_(new QLineEdit),
      table_(new QTableView),
      show_(new QPushButton(u"&Show"_s)),
      open_report_(new QPushButton(u"Open &report"_s)),
      open_folder_(new QPushButton(u"Open &folder"_s)),
      compare_(new QPushButton(u"&Compare"_s)),
      resume_(new QPushButton(u"Res&ume"_s)) {
  search_->setObjectName(u"search"_s);
  search_->setPlaceholderText(u"Search by place, circuit, date, line or state"_s);
  search_->setAccessibleName(u"Search runs"_s);
  search_->setClearButtonEnabled(true);
  note_->setObjectName(u"note"_s);
  note_->setWordWrap(true);
  note_->setForegroundRole(QPalette::PlaceholderText);
  found_.setSourceModel(&runs_);
  found_.setFilterKeyColumn(-1);
  found_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    found_.setFilterFixedString(text.trimmed());
    refresh_buttons();
  });

  table_->setObjectName(u"runs"_s);
  table_->setAccessibleName(u"Runs"_s);
  table_->setModel(&found_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setSortingEnabled(true);
  table_->sortByColumn(KeptRunsModel::kStarted, Qt::DescendingOrder);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ResultsPage::refresh_buttons);
  connect(table_, &QTableView::activated, this, [this] { show_->click(); });

  show_->setObjectName(u"show_kept"_s);
  show_->setToolTip(u"Shows the plots and measurements of this run, to listen to them"_s);
  connect(show_, &QPushButton::clicked, this,
          [this] { emit show_requested(QString::fromStdString(runs_.run(chosen().front()).folder.string())); });
  open_report_->setObjectName(u"open_kept_report"_s);
  open_folder_->setObjectName(u"open_kept_folder"_s);
  compare_->setObjectName(u"compare"_s);
  compare_->setToolTip(u"Ranks the chosen runs, with intervals, on a page"_s);
  resume_->setObjectName(u"resume_kept"_s);
  connect(open_report_, &QPushButton::clicked, this, [this] {
    open_path_(QString::fromStdString((runs_.run(chosen().front()).folder / "report.html").string()));
  });
  connect(open_folder_, &QPushButton::clicked, this,
          [this] { open_path_(QString::fromStdString(runs_.run(chosen().front()).folder.string())); });
  connect(compare_, &QPushButton::clicked, this, &ResultsPage::compare);
  connect(resume_, &QPushButton::clicked, this,
          [this] { emit resume_requested(QString::fromStdString(runs_.run(chosen().front()).folder.string())); });

  auto* row = new QHBoxLayout;
  row->addWidget(search_, 1);
  for (QPushButton* button : {show_, open_report_, open_folder_, compare_, resume_}) row->addWidget(button);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(table_, 1);
  layout->addWidget(note_);
  connect(&reading_, &QFutureWatcher<std::vector<KeptRun>>::finished, this, &ResultsPage::show_runs);
  refresh_buttons();
}

ResultsPage::~ResultsPage() {
  reading_.disconnect(this);
  reading_.waitForFinished();
}

void ResultsPage::read(const QString& folder) {
  folder_ = folder;
  note_->setText(u"Reading the runs in %1"_s.arg(at_home(folder)));
  reading_.setFuture(QtConcurrent::run(read_kept_runs, std::filesystem::path(folder.toStdString())));
}

void ResultsPage::show_runs() {
  runs_.set_runs(reading_.result());
  const int count = runs_.rowCount();
  note_->setText(count == 0 ? u"No run is in %1 yet"_s.arg(at_home(folder_))
                            : u"%1 in %2"_s.arg(count == 1 ? u"1 run"_s : u"%1 runs"_s.arg(count), at_home(folder_)));
  refresh_buttons();
  emit shown();
}

std::vector<int> ResultsPage::chosen() const {
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    rows.push_back(found_.mapToSource(index).row());
  return rows;
}

void ResultsPage::refresh_buttons() {
  const std::vector<int> rows = chosen();
  const bool one = rows.size() == 1;
  show_->setEnabled(one && is_free_);
  open_report_->setEnabled(one && runs_.run(rows.front()).has_report);
  open_folder_->setEnabled(one);
  compare_->setEnabled(rows.size() >= 2);
  resume_->setEnabled(one && is_free_ && runs_.run(rows.front()).resumable);
}

void ResultsPage::allow_measuring(bool allowed) {
  is_free_ = allowed;
  refresh_buttons();
}

void ResultsPage::compare() {
  std::vector<KeptRun> runs;
  for (const int row : chosen()) runs.push_back(runs_.run(row));
  const auto page = write_comparison(runs, folder_.toStdString());
  if (!page) return emit failed(QString::fromStdString(page.error().message));
  open_path_(QString::fromStdString(page->string()));
}

}  // namespace vqas::app
