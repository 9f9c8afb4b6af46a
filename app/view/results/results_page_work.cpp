// What the page of results does with the chosen runs, beside the window's thread.
#include <QDir>
#include <QtConcurrent>

#include "model/elsewhere/stored_runs.h"
#include "model/form_memory.h"
#include "model/run_bin.h"
#include "model/text.h"
#include "model/words.h"
#include "view/export_dialog.h"
#include "view/results/result_words.h"
#include "view/results/store_dialog.h"
#include "view/results_page.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

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

void ResultsPage::ask_for_store() {
  auto* dialog = new StoreDialog(url_.isEmpty() && services_.memory != nullptr ? services_.memory->store() : url_,
                                 url_.isEmpty() ? chosen().size() : 0, services_.home, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &StoreDialog::shown, this, &ResultsPage::show_store);
  connect(dialog, &StoreDialog::taken, this, &ResultsPage::put_chosen_into);
  dialog->open();
}

void ResultsPage::show_store(const QString& url) {
  url_ = url;
  if (!url.isEmpty() && services_.memory != nullptr) services_.memory->remember_store(url);
  runs_.set_runs({});
  read(folder_);
}

void ResultsPage::put_chosen_into(const QString& url) {
  if (services_.memory != nullptr) services_.memory->remember_store(url);
  work(
      [runs = chosen_runs(), url]() -> Worked {
        const auto added = put_into_store(runs, url);
        if (!added) return {QString::fromStdString(added.error().message), {}, {}};
        return {
            {},
            [count = runs.size(), added = *added] {
              return tr("%1 put into the store, with %2 new there").arg(count_words(count), measurements_words(added));
            },
            {}};
      },
      [] { return tr("Putting into the store"); });
}

void ResultsPage::follow() {
  emit follow_requested(chosen().empty() ? QString() : path_of(chosen_run().folder));
}

void ResultsPage::compare() {
  work(
      [runs = chosen_runs(), home = folder_.toStdString()]() -> Worked {
        const auto page = write_comparison(runs, home);
        if (!page) return {QString::fromStdString(page.error().message), {}, {}};
        const QString name = path_of(*page);
        return {{}, [name] { return tr("The comparison is in %1 and opens in the browser").arg(at_home(name)); }, name};
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
      [run = chosen_run(), keep = services_.make_baseline]() -> Worked {
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
