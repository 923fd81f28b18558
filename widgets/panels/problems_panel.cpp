// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/problems_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QPainter>
#include <QStyledItemDelegate>

#include "widgets/canvas/edit_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kIcon = 16;
constexpr int kLeft = 40;
constexpr int kPad = 9;

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
    paintIcon(*painter, error ? "error" : "warning",
              QRectF(option.rect.left() + 12, option.rect.top() + kPad, kIcon, kIcon),
              t[error ? Tone::Error : Tone::Warning]);
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
  setResizeMode(Adjust);
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

void ProblemsPanel::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  const QRect room = viewport()->rect();
  paintIcon(painter, "check", QRectF(room.center().x() - 13, room.center().y() - 30, 26, 26),
            theme()[Tone::Hint]);
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(room.adjusted(12, room.height() / 2 + 4, -12, 0),
                   Qt::AlignHCenter | Qt::AlignTop, "No problems.");
}

}  // namespace millrace
