// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/problems_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QPainter>
#include <QStyledItemDelegate>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kIcon = 16;
constexpr int kLeft = 40;
constexpr int kPad = 9;
constexpr int kNarrow = 180;  ///< the title and its buttons
constexpr int kLow = 34;
constexpr int kLeast = 152;  ///< the title whole, and its buttons

/// Two lines for each problem: the place, then message and remedy, wrapped to the view.
class ProblemDelegate final : public QStyledItemDelegate {
 public:
  explicit ProblemDelegate(QListView& view) : QStyledItemDelegate(&view), m_view(view) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Theme& t = theme();
    painter->save();
    if (option.state & QStyle::State_Selected)
      painter->fillRect(option.rect, t[Tone::AccentSoft]);
    else if (option.state & QStyle::State_MouseOver)
      painter->fillRect(option.rect, t[Tone::Hover]);
    const bool error = index.data(ProblemsModel::SeverityRole).toBool();
    const bool hint = index.data(ProblemsModel::HintRole).toBool();
    paintIcon(*painter,
              hint    ? "info"
              : error ? "error"
                      : "warning",
              QRectF(option.rect.left() + 12, option.rect.top() + kPad, kIcon, kIcon),
              t[hint    ? Tone::Accent
                : error ? Tone::Error
                        : Tone::Warning]);
    const QRect text = option.rect.adjusted(kLeft, kPad, -12, -kPad);
    painter->setFont(uiFont(13, true));
    painter->setPen(t[Tone::Text]);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignTop,
                      index.data(ProblemsModel::PlaceRole).toString());
    painter->setFont(uiFont(12));
    painter->setPen(t[Tone::Text2]);
    painter->drawText(text.adjusted(0, lineHeight(), 0, 0), Qt::TextWordWrap, words(index));
    painter->setPen(t[Tone::Border]);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const int width = std::max(120, m_view.viewport()->width() - kLeft - 12);
    const QRect box = QFontMetrics(uiFont(12))
                          .boundingRect(QRect(0, 0, width, 4000), Qt::TextWordWrap, words(index));
    return {width, box.height() + lineHeight() + 2 * kPad};
  }

 private:
  static int lineHeight() { return QFontMetrics(uiFont(13, true)).height() + 3; }
  static QString words(const QModelIndex& index) {
    return (index.data(ProblemsModel::MessageRole).toString() + ' ' +
            index.data(ProblemsModel::RemedyRole).toString())
        .trimmed();
  }
  QListView& m_view;
};

}  // namespace

ProblemsPanel::ProblemsPanel(QWidget* parent) : QListView(parent) {
  setItemDelegate(new ProblemDelegate(*this));
  setMinimumWidth(kLeast);
  setResizeMode(Adjust);
  // Without it, a change of the width alone would keep the heights of the old width.
  setWordWrap(true);
  setVerticalScrollMode(ScrollPerPixel);
  setMouseTracking(true);
  setEditTriggers(NoEditTriggers);
  setAccessibleName("Problems");
  // The action is shown in the dock's title.
  auto* copy = new QAction(icon("copy"), "Copy problems", this);
  copy->setObjectName("copy_problems");
  copy->setToolTip("Copy all problems as text, one per line");
  connect(copy, &QAction::triggered, this, [this] {
    QStringList lines;
    for (int row = 0; model() != nullptr && row < model()->rowCount(); ++row)
      lines << toQt(m_session->problems.problemAt(row).text());
    QApplication::clipboard()->setText(lines.join('\n'));
  });
  addAction(copy);
  connect(this, &QListView::activated, this, &ProblemsPanel::request);
  connect(this, &QListView::clicked, this, &ProblemsPanel::request);
}

void ProblemsPanel::setSession(EditSession* session) {
  m_session = session;
  setModel(session == nullptr ? nullptr : &session->problems);
}

void ProblemsPanel::request(const QModelIndex& index) {
  if (m_session == nullptr || !index.isValid()) return;
  const Problem& problem = m_session->problems.problemAt(index.row());
  emit nodeRequested(toQt(problem.node), toQt(problem.field));
}

void ProblemsPanel::setFolded(Fold fold) {
  setMaximumWidth(fold == Fold::Narrow ? kNarrow : QWIDGETSIZE_MAX);
  setMaximumHeight(fold == Fold::Low ? kLow : QWIDGETSIZE_MAX);
}

void ProblemsPanel::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(theme()[Tone::Text2]);
  // One line at the top, whatever the dock's size.
  const QRect line(0, 0, viewport()->width(), kLow);
  paintIcon(painter, "check",
            QRectF(line.left() + 12, line.center().y() - kIcon / 2.0, kIcon, kIcon),
            theme()[Tone::Hint]);
  painter.drawText(line.adjusted(kLeft, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter, "No problems");
}

}  // namespace millrace
