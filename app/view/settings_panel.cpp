#include "view/settings_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "model/form_memory.h"
#include "model/words.h"
#include "view/plot_style.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QFormLayout* make_form(QWidget* page) {
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  form->setRowWrapPolicy(QFormLayout::WrapAllRows);
  form->setVerticalSpacing(3);
  return form;
}

}  // namespace

SettingsPanel::SettingsPanel(QWidget* parent) : QWidget(parent), pages_(new QStackedWidget) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 6, 0);
  layout->addWidget(make_recent());
  layout->addWidget(make_line_choice());
  pages_->addWidget(make_simulated_page());
  pages_->addWidget(make_nodes_page());
  pages_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  show_page(0);
  layout->addWidget(pages_);
  layout->addWidget(make_common_fields());
  const PrecisionGoal goal;
  auto* hint =
      new QLabel(u"A stimulus is measured until its mean is known to %1 MOS (%2), or up to the limit above."_s.arg(
          half_width_words(goal.half_width), confidence_words(goal.confidence)));
  hint->setWordWrap(true);
  hint->setForegroundRole(QPalette::PlaceholderText);
  layout->addWidget(hint);
  layout->addStretch();
  set_form(SettingsForm{});
}

QWidget* SettingsPanel::make_line_choice() {
  auto* group = new QWidget;
  auto* layout = new QVBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  simulated_ = new QRadioButton(u"S&imulated line"_s);
  simulated_->setObjectName(u"simulated"_s);
  simulated_->setToolTip(u"A 64 kb/s G.711 line on this computer, to see how VQAS works"_s);
  nodes_ = new QRadioButton(u"Two &nodes"_s);
  nodes_->setObjectName(u"nodes"_s);
  nodes_->setToolTip(u"Nodes that run at the two ends of a line"_s);
  layout->addWidget(simulated_);
  layout->addWidget(nodes_);
  connect(simulated_, &QRadioButton::toggled, this, [this](bool on) {
    show_page(on ? 0 : 1);
    emit edited();
  });
  return group;
}

// The hidden page takes no space.
void SettingsPanel::show_page(int shown) {
  for (int i = 0; i < pages_->count(); ++i)
    pages_->widget(i)->setSizePolicy(QSizePolicy::Preferred,
                                     i == shown ? QSizePolicy::Preferred : QSizePolicy::Ignored);
  pages_->setCurrentIndex(shown);
}

QLineEdit* SettingsPanel::make_edit(const QString& name, const QString& tip) {
  auto* edit = new QLineEdit;
  edit->setObjectName(name);
  edit->setToolTip(tip);
  connect(edit, &QLineEdit::textEdited, this, &SettingsPanel::edited);
  return edit;
}

void SettingsPanel::add_field(QFormLayout& form, Field field, const QString& caption, QWidget* editor, QWidget* row) {
  auto* label = new QLabel(caption);
  label->setBuddy(editor);
  editor->setAccessibleName(QString(caption).remove(u'&'));
  auto* fault = new WrappedLabel(6);
  fault->hide();
  form.addRow(label, row != nullptr ? row : editor);
  form.addRow(fault);
  editors_[field] = editor;
  fault_labels_[field] = fault;
}

QWidget* SettingsPanel::make_simulated_page() {
  auto* page = new QWidget;
  QFormLayout* form = make_form(page);
  ber_ = new QComboBox;
  ber_->setObjectName(u"ber"_s);
  ber_->setEditable(true);
  ber_->setInsertPolicy(QComboBox::NoInsert);
  ber_->addItems({u"0"_s, u"1e-6"_s, u"1e-5"_s, u"1e-4"_s, u"1e-3"_s, u"1e-2"_s});
  ber_->setToolTip(u"Share of the line's bits that arrive wrong; speech begins to suffer from 1e-6 to 1e-3"_s);
  connect(ber_, &QComboBox::currentTextChanged, this, &SettingsPanel::edited);
  add_field(*form, Field::ber, u"&Bit error ratio"_s, ber_);
  delay_ms_ = make_edit(u"delay_ms"_s, u"One way, in milliseconds; a satellite hop has about 250"_s);
  add_field(*form, Field::delay_ms, u"&Delay in ms"_s, delay_ms_);
  return page;
}

QWidget* SettingsPanel::make_nodes_page() {
  auto* page = new QWidget;
  QFormLayout* form = make_form(page);
  const QString tip = u"The control address that `vqas node` printed when it was started, ws://… or wss://…"_s;
  const QString of_access =
      u"For a wss:// node that asks for a token: the file that \"vqas node token add NAME --pairing FILE\" wrote "
      u"there, "
      u"or a file with the token alone. Only its path is remembered"_s;
  node_a_ = make_edit(u"node_a"_s, tip);
  add_field(*form, Field::node_a, u"Node &A"_s, node_a_);
  access_a_ = make_edit(u"access_a"_s, of_access);
  add_field(*form, Field::access_a, u"Pairing or token file of A"_s, access_a_, make_access_row(access_a_, u"A"_s));
  node_b_ = make_edit(u"node_b"_s, tip);
  add_field(*form, Field::node_b, u"Node &B"_s, node_b_);
  access_b_ = make_edit(u"access_b"_s, of_access);
  add_field(*form, Field::access_b, u"Pairing or token file of B"_s, access_b_, make_access_row(access_b_, u"B"_s));
  return page;
}

QWidget* SettingsPanel::make_recent() {
  recent_row_ = new QWidget;
  QFormLayout* form = make_form(recent_row_);
  recent_ = new QComboBox;
  recent_->setObjectName(u"recent"_s);
  recent_->setAccessibleName(u"Recent setups"_s);
  recent_->setToolTip(u"Fills the fields as they were for an earlier run"_s);
  // A long address does not make the panel wider.
  recent_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  recent_->setMinimumContentsLength(10);
  connect(recent_, &QComboBox::activated, this, [this](int index) {
    if (index < 1) return;
    const QString folder = folder_->text();
    set_form(recent_forms_.at(static_cast<std::size_t>(index - 1)));
    folder_->setText(folder);
    recent_->setCurrentIndex(0);
    emit edited();
  });
  form->addRow(recent_);
  recent_row_->hide();
  return recent_row_;
}

void SettingsPanel::set_recent(const std::vector<SettingsForm>& forms) {
  recent_forms_ = forms;
  recent_->clear();
  recent_->addItem(u"Recent setups"_s);
  QStringList addresses;
  for (const SettingsForm& form : forms) {
    recent_->addItem(setup_words(form));
    recent_->setItemData(recent_->count() - 1, setup_words(form), Qt::ToolTipRole);
    if (form.line == LineKind::nodes) addresses << form.node_a << form.node_b;
  }
  addresses.removeDuplicates();
  for (QLineEdit* edit : {node_a_, node_b_}) edit->setCompleter(new QCompleter(addresses, edit));
  recent_row_->setVisible(!forms.empty());
}

QWidget* SettingsPanel::make_access_row(QLineEdit* edit, const QString& end) {
  edit->setPlaceholderText(u"none"_s);
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* choose = new QPushButton(u"…"_s);
  choose->setAccessibleName(u"Choose the pairing or token file of node %1"_s.arg(end));
  choose->setToolTip(choose->accessibleName());
  choose->setMaximumWidth(choose->fontMetrics().height() * 2);
  connect(choose, &QPushButton::clicked, this, [this, edit, title = choose->accessibleName()] {
    auto* dialog = new QFileDialog(this, title, edit->text());
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, edit](const QString& chosen) {
      edit->setText(chosen);
      emit edited();
    });
    dialog->open();
  });
  layout->addWidget(edit, 1);
  layout->addWidget(choose);
  return row;
}

QWidget* SettingsPanel::make_common_fields() {
  auto* page = new QWidget;
  QFormLayout* form = make_form(page);
  stimuli_ = make_edit(u"stimuli"_s, u"Sentences to send, like M1, F5; empty: all of the corpus"_s);
  stimuli_->setPlaceholderText(u"all"_s);
  add_field(*form, Field::stimuli, u"Sti&muli"_s, stimuli_);

  auto* directions = new QWidget;
  auto* layout = new QHBoxLayout(directions);
  layout->setContentsMargins(0, 0, 0, 0);
  a_to_b_ = new QCheckBox(u"A &to B"_s);
  b_to_a_ = new QCheckBox(u"B t&o A"_s);
  a_to_b_->setObjectName(u"a_to_b"_s);
  b_to_a_->setObjectName(u"b_to_a"_s);
  for (QCheckBox* box : {a_to_b_, b_to_a_}) {
    layout->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &SettingsPanel::edited);
  }
  layout->addStretch();
  add_field(*form, Field::directions, u"Directions"_s, a_to_b_, directions);
  a_to_b_->setAccessibleName(u"Direction A to B"_s);
  b_to_a_->setAccessibleName(u"Direction B to A"_s);

  cap_ = make_edit(u"cap"_s, u"Measuring a stimulus ends here even if its mean is not precise enough"_s);
  add_field(*form, Field::cap, u"Most measurements &per stimulus"_s, cap_);
  seed_ = make_edit(u"seed"_s, u"The same seed repeats a simulated run, and the order of a real one"_s);
  add_field(*form, Field::seed, u"S&eed"_s, seed_);
  auto* folder_row = make_folder_row();
  add_field(*form, Field::folder, u"Res&ults folder"_s, folder_, folder_row);
  return page;
}

QWidget* SettingsPanel::make_folder_row() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  folder_ = make_edit(u"folder"_s, u"Empty: a new folder, named by date and time, in vqas-results at home"_s);
  folder_->setPlaceholderText(u"~/vqas-results/date-time"_s);
  auto* choose = new QPushButton(u"…"_s);
  choose->setObjectName(u"choose_folder"_s);
  choose->setAccessibleName(u"Choose the results folder"_s);
  choose->setToolTip(u"Choose the results folder"_s);
  choose->setMaximumWidth(choose->fontMetrics().height() * 2);
  connect(choose, &QPushButton::clicked, this, &SettingsPanel::choose_folder);
  layout->addWidget(folder_, 1);
  layout->addWidget(choose);
  return row;
}

void SettingsPanel::choose_folder() {
  // Opens beside the window without blocking it; the fields and this button are disabled during a run.
  auto* dialog = new QFileDialog(this, u"Results folder"_s, folder_->text());
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
    folder_->setText(chosen);
    emit edited();
  });
  dialog->open();
}

SettingsForm SettingsPanel::form() const {
  SettingsForm form;
  form.line = simulated_->isChecked() ? LineKind::simulated : LineKind::nodes;
  form.ber = ber_->currentText();
  form.delay_ms = delay_ms_->text();
  form.node_a = node_a_->text();
  form.node_b = node_b_->text();
  form.access_a = access_a_->text();
  form.access_b = access_b_->text();
  form.seed = seed_->text();
  form.cap = cap_->text();
  form.stimuli = stimuli_->text();
  form.a_to_b = a_to_b_->isChecked();
  form.b_to_a = b_to_a_->isChecked();
  form.folder = folder_->text();
  return form;
}

void SettingsPanel::set_form(const SettingsForm& form) {
  (form.line == LineKind::simulated ? simulated_ : nodes_)->setChecked(true);
  ber_->setCurrentText(form.ber);
  delay_ms_->setText(form.delay_ms);
  node_a_->setText(form.node_a);
  node_b_->setText(form.node_b);
  access_a_->setText(form.access_a);
  access_b_->setText(form.access_b);
  seed_->setText(form.seed);
  cap_->setText(form.cap);
  stimuli_->setText(form.stimuli);
  a_to_b_->setChecked(form.a_to_b);
  b_to_a_->setChecked(form.b_to_a);
  folder_->setText(form.folder);
}

void SettingsPanel::show_faults(const std::vector<FieldFault>& faults, bool take_focus) {
  for (const auto& [field, label] : fault_labels_) {
    label->hide();
    editors_[field]->setAccessibleDescription({});
  }
  for (const FieldFault& fault : faults) {
    WrappedLabel* label = fault_labels_[fault.field];
    QPalette colours = label->palette();
    colours.setColor(QPalette::WindowText, plot_style(palette(), font()).unscored);
    label->setPalette(colours);
    label->show_text(u"⚠ "_s + fault.message);
    label->show();
    editors_[fault.field]->setAccessibleDescription(fault.message);
  }
  if (take_focus && !faults.empty()) editors_[faults.front().field]->setFocus();
}

}  // namespace vqas::app
