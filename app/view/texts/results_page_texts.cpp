// What the page of results says, in the language of the moment.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <tuple>

#include "view/results_page.h"

namespace vqas::app {

void ResultsPage::write_texts() {
  const std::tuple<QPushButton*, QString, QString> texts[] = {
      {show_, tr("&Show"), tr("Shows the plots and measurements of this run, to listen to them")},
      {open_report_, tr("Open &report"), {}},
      {open_folder_, tr("Open &folder"), {}},
      {compare_, tr("&Compare"), tr("Ranks the chosen runs, with intervals, on a page")},
      {resume_, tr("Res&ume"), {}},
      {follow_, tr("F&ollow"),
       tr("Watches the run that another program measures: the chosen one, or one in another folder. It can be noted "
          "on, and "
          "stopped")},
      {export_, tr("E&xport…"), tr("Copies report, figures and recordings of this run to a folder")},
      {keep_baseline_, tr("&Keep as baseline"),
       tr("This run was made with the two ends cabled together: later runs are shown beside it")},
      {remove_, tr("Re&move"), tr("Moves the chosen runs into the bin; nothing is deleted")},
      {put_back_, tr("Put &back"), tr("Moves the chosen runs out of the bin")},
      {empty_, tr("&Empty the bin…"), tr("Deletes the runs in the bin")},
      {bin_, tr("B&in"), tr("Shows the runs that were removed")},
      {store_, tr("S&tore…"), tr("Shows the runs of a store of SQLite or PostgreSQL, or puts runs into it")}};
  for (const auto& [one, caption, tip] : texts) {
    one->setText(caption);
    one->setToolTip(tip);
  }
  search_->setPlaceholderText(tr("Place, circuit, date, note"));
  search_->setToolTip(tr("Finds the runs that have every word, in whichever column"));
  search_->setAccessibleName(tr("Search runs"));
  if (noted_) note_->setText(noted_());
}

void ResultsPage::note(const Words& words) {
  noted_ = words;
  note_->setText(words());
}

}  // namespace vqas::app
