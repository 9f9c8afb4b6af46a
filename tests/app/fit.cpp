#include "app/fit.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRadioButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>

#include "view/wrapped_label.h"

namespace vqas::test {
namespace {

using namespace Qt::StringLiterals;

int text_width(const QWidget& widget, const QString& text) {
  return widget.fontMetrics().size(Qt::TextShowMnemonic, text).width();
}

bool is_cut(const QLabel& label) {
  if (const auto* const wrapped = qobject_cast<const app::WrappedLabel*>(&label)) return wrapped->is_cut();
  if (label.wordWrap())
    return label.heightForWidth(label.width()) > label.height() || label.minimumSizeHint().width() > label.width();
  return label.sizeHint().width() > label.width() || label.sizeHint().height() > label.height();
}

bool is_cut(const QAbstractButton& button) {
  if (qobject_cast<const QCommandLinkButton*>(&button) != nullptr)
    return button.heightForWidth(button.width()) > button.height() || button.sizeHint().width() > button.width();
  if (qobject_cast<const QCheckBox*>(&button) != nullptr || qobject_cast<const QRadioButton*>(&button) != nullptr)
    return button.sizeHint().width() > button.width();
  return text_width(button, button.text()) + 4 > button.width() || button.fontMetrics().height() > button.height();
}

bool is_cut(const QComboBox& box) {
  if (box.isEditable()) return false;  // its text can be moved
  QStyleOptionComboBox option;
  option.initFrom(&box);
  const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
  return text_width(box, box.currentText()) > field.width();
}

QString cell_cut(const QTableView& table) {
  const QAbstractItemModel& model = *table.model();
  const QHeaderView& header = *table.horizontalHeader();
  for (int column = 0; column < model.columnCount(); ++column) {
    if (header.isSectionHidden(column)) continue;
    const QString title = model.headerData(column, Qt::Horizontal).toString();
    if (text_width(header, title) + 4 > header.sectionSize(column)) return title;
    for (int row = 0; row < model.rowCount(); ++row) {
      // A table fits what is in sight.
      const_cast<QTableView&>(table).scrollTo(model.index(row, column));
      const QString text = model.index(row, column).data().toString();
      const QRect room = table.visualRect(model.index(row, column)).adjusted(3, 0, -3, 0);
      const QRect needed = table.fontMetrics().boundingRect(QRect(0, 0, room.width(), 10000), Qt::TextWordWrap, text);
      if (needed.width() > room.width() + 1 || needed.height() > room.height() + 1) return text;
    }
  }
  return {};
}

QString item_cut(const QListWidget& list) {
  for (int row = 0; row < list.count(); ++row) {
    QRect room = list.visualItemRect(list.item(row)).adjusted(3, 0, -3, 0);
    room.setRight(std::min(room.right(), list.viewport()->width() - 4));
    const QRect needed =
        list.fontMetrics().boundingRect(QRect(0, 0, room.width(), 10000), Qt::TextWordWrap, list.item(row)->text());
    if (needed.width() > room.width() + 1 || needed.height() > room.height() + 1) return list.item(row)->text();
  }
  return {};
}

/// The text of a widget that is cut within the widget; empty: none.
QString own_cut(const QWidget& widget) {
  if (const auto* const label = qobject_cast<const QLabel*>(&widget))
    return !label->text().isEmpty() && is_cut(*label) ? label->text() : QString();
  if (const auto* const button = qobject_cast<const QAbstractButton*>(&widget))
    return !button->text().isEmpty() && is_cut(*button) ? button->text() : QString();
  if (const auto* const tabs = qobject_cast<const QTabBar*>(&widget))
    return tabs->sizeHint().width() > tabs->width() ? u"tabs from "_s + tabs->tabText(0) : QString();
  if (const auto* const group = qobject_cast<const QGroupBox*>(&widget))
    return text_width(*group, group->title()) > group->width() ? group->title() : QString();
  if (const auto* const box = qobject_cast<const QComboBox*>(&widget))
    return is_cut(*box) ? box->currentText() : QString();
  if (const auto* const number = qobject_cast<const QAbstractSpinBox*>(&widget))
    return number->sizeHint().width() > number->width() ? number->text() : QString();
  if (const auto* const edit = qobject_cast<const QLineEdit*>(&widget))
    return text_width(*edit, edit->placeholderText()) + 6 > edit->width() ? edit->placeholderText() : QString();
  if (const auto* const table = qobject_cast<const QTableView*>(&widget)) return cell_cut(*table);
  if (const auto* const list = qobject_cast<const QListWidget*>(&widget)) return item_cut(*list);
  return {};
}

/// The widget within which another one is cut off; null: none.
const QWidget* clipped_by(const QWidget& widget, bool sideways) {
  QRect place = widget.rect();
  for (const QWidget* one = &widget; !one->isWindow(); one = one->parentWidget()) {
    const QWidget* const parent = one->parentWidget();
    place = QRect(one->mapToParent(place.topLeft()), place.size());
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
    if (area == nullptr || area->viewport() != parent) {
      if (!parent->rect().contains(place)) return parent;
      continue;
    }
    const bool scrolls = area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
    if ((place.left() < 0 || place.right() > parent->rect().right()) && !(sideways && scrolls)) return parent;
    // It can be scrolled to: what follows is the place of the area.
    place = parent->rect();
  }
  return nullptr;
}

bool has_text(const QWidget& widget) {
  const auto shows = [](const auto* one) { return one != nullptr && !one->text().isEmpty(); };
  return shows(qobject_cast<const QLabel*>(&widget)) || shows(qobject_cast<const QAbstractButton*>(&widget)) ||
         qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QComboBox*>(&widget) != nullptr ||
         qobject_cast<const QAbstractItemView*>(&widget) != nullptr;
}

}  // namespace

QStringList cut_texts(const QWidget& window, bool sideways) {
  QStringList found;
  for (const QWidget* const one : window.findChildren<QWidget*>()) {
    if (!one->isVisible()) continue;
    const QString name = u"%1 %2"_s.arg(QString::fromUtf8(one->metaObject()->className()), one->objectName());
    if (const QString cut = own_cut(*one); !cut.isEmpty())
      found += u"%1 (%2x%3) cuts \"%4\""_s.arg(name).arg(one->width()).arg(one->height()).arg(cut);
    if (!has_text(*one)) continue;
    if (const QWidget* const by = clipped_by(*one, sideways))
      found +=
          u"%1 is cut off by %2 %3"_s.arg(name, QString::fromUtf8(by->metaObject()->className()), by->objectName());
  }
  return found;
}

}  // namespace vqas::test
