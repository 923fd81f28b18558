// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/target_list.h"

#include <algorithm>

#include <QPainter>
#include <QStyledItemDelegate>

#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

enum Role { kName = Qt::UserRole, kLabel, kAbout, kState, kIcon };
constexpr int kPadding = 12;
constexpr int kTextLeft = 40;
constexpr int kTitleHeight = 20;

class TargetDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QListWidget& list = *qobject_cast<const QListWidget*>(option.widget);
    const int width = list.viewport()->width() - kTextLeft - kPadding;
    const QFontMetrics metrics(uiFont(12));
    return {list.viewport()->width(),
            2 * kPadding + kTitleHeight +
                metrics.boundingRect(0, 0, width, 200, Qt::TextWordWrap, second(index)).height()};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const Tone fill = selected ? Tone::AccentSoft : hovered ? Tone::Hover : Tone::Panel;
    painter->fillRect(option.rect, theme()[fill]);
    if (selected)
      painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())),
                        theme()[Tone::Accent]);
    painter->setPen(theme()[Tone::Border]);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    const QRect inside = option.rect.adjusted(kTextLeft, kPadding, -kPadding, -kPadding);
    paintIcon(*painter, index.data(kIcon).toString(),
              QRectF(option.rect.left() + 14, inside.top() + 1, 16, 16), theme()[Tone::Text2]);
    painter->setFont(uiFont(13, true));
    painter->setPen(theme()[Tone::Text]);
    painter->drawText(inside, Qt::AlignLeft | Qt::AlignTop, index.data(kLabel).toString());
    painter->setFont(uiFont(12));
    painter->setPen(theme()[Tone::Text2]);
    painter->drawText(inside.adjusted(0, kTitleHeight, 0, 0), Qt::TextWordWrap, second(index));
    painter->restore();
  }

 private:
  static QString second(const QModelIndex& index) {
    return index.data(kAbout).toString() + '\n' + index.data(kState).toString();
  }
};

QString shownCount(std::size_t n, const char* one, const char* many) {
  return QString("%1 %2").arg(n).arg(n == 1 ? one : many);
}

}  // namespace

QString rateText(const ExportedTarget& target) {
  if (!target.exported) return {};
  if (!target.rate) return target.exporter->isCode ? "not measured here" : "";
  return shownRate(*target.rate) +
         (target.exporter->isCode ? " samples/s here" : " samples/s here by the engine");
}

QString lossText(const ExportedTarget& target) {
  if (!target.exported) return "not possible now";
  const Exported& exported = *target.exported;
  QStringList words;
  if (!exported.missing.empty())
    words << shownCount(exported.missing.size(), "node is missing", "nodes are missing");
  if (!exported.limits.empty())
    words << shownCount(exported.limits.size(), "thing differs", "things differ");
  return words.isEmpty() ? QString("complete") : words.join(", ");
}

TargetList::TargetList(QWidget* parent) : QListWidget(parent) {
  setItemDelegate(new TargetDelegate(this));
  setAccessibleName("Targets");
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setResizeMode(Adjust);
}

void TargetList::show(const ExportedTargets& targets) {
  const QString before = chosen();
  {
    const QSignalBlocker silent(this);
    clear();
    for (const ExportedTarget& target : targets.targets) {
      auto* item = new QListWidgetItem(this);
      item->setData(kName, toQt(target.exporter->name));
      item->setData(kLabel, toQt(target.exporter->label));
      item->setData(kAbout, toQt(target.exporter->about));
      QStringList state{lossText(target)};
      if (const QString rate = rateText(target); !rate.isEmpty()) state << rate;
      item->setData(kState, state.join('\n'));
      item->setData(kIcon, target.exporter->isCode ? "newf" : "mill");
      item->setData(
          Qt::AccessibleTextRole,
          (QStringList{toQt(target.exporter->label), toQt(target.exporter->about)} + state)
              .join(", "));
    }
  }
  if (!before.isEmpty()) return choose(before);
  const auto code = std::ranges::find_if(
      targets.targets, [](const ExportedTarget& target) { return target.exporter->isCode; });
  setCurrentRow(code == targets.targets.end() ? 0
                                              : static_cast<int>(code - targets.targets.begin()));
}

QString TargetList::chosen() const {
  return currentItem() == nullptr ? QString() : currentItem()->data(kName).toString();
}

void TargetList::choose(const QString& name) {
  for (int row = 0; row < count(); ++row)
    if (item(row)->data(kName).toString() == name) setCurrentRow(row);
}

}  // namespace millrace
