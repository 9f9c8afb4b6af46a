// What the page of the channel says, in the language of the moment.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGroupBox>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

#include "model/words.h"
#include "view/channel/channel_page.h"

namespace vqas::app {

void ChannelPage::write_texts() {
  source_->setTitle(tr("Which line"));
  faults_->setTitle(tr("What it does"));
  simulated_->setText(tr("S&imulated line of this laptop"));
  simulated_->setToolTip(tr("Speech runs through a G.711 line in this program, so that you see and hear its faults"));
  relay_->setText(tr("&Running relay"));
  relay_->setToolTip(tr("\"vqas relay\" in a live call on this laptop; what you change here, it does at once"));
  address_->setAccessibleName(tr("Control address of the relay"));
  address_->setToolTip(tr("As the relay printed it: start it with --control 127.0.0.1:7813"));
  aloud_->setText(tr("&Loudspeaker plays what comes out"));
  aloud_->setToolTip(tr("Through the usual sound device of this laptop"));
  direction_->setItemText(0, tr("both directions"));
  direction_->setItemText(1, direction_label(End::a));
  direction_->setItemText(2, direction_label(End::b));
  profile_->setItemText(0, tr("none: as set below"));
  profile_->setToolTip(tr("A line with all of its faults, as they change with time"));
  delay_ms_->setToolTip(tr("One way; a satellite hop has about 250 ms"));
  loss_->setLocale(QLocale());
  loss_->setToolTip(tr("Share of the packets that never arrive"));
  burst_bits_->setSuffix(tr(" bits"));
  burst_bits_->setAccessibleName(tr("Length of the burst in bits"));
  burst_bits_->setToolTip(tr("64 bits are 1 ms of speech"));
  burst_->setText(tr("B&urst"));
  burst_->setToolTip(tr("The next bits are all wrong"));
  measure_->setText(tr("Measure a li&ne like this"));
  measure_->setToolTip(tr("A trial on a simulated line with these faults, both ways"));
  refresh();
}

}  // namespace vqas::app
