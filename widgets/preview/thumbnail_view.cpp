// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/thumbnail_view.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"
#include "widgets/preview/thumbnail_model.h"

namespace millrace {

namespace {

constexpr int kLeastWidth = 60;
constexpr int kPad = 4;
constexpr int kCaption = 18;
constexpr double kStaleOpacity = 0.45;

class ThumbnailDelegate final : public QStyledItemDelegate {
 public:
  explicit ThumbnailDelegate(ThumbnailView& view) : QStyledItemDelegate(&view), m_view(view) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return m_view.cellSize();
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const auto* model = static_cast<const ThumbnailModel*>(index.model());
    if (!index.data().isValid()) return;
    painter->save();
    const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
    if (option.state & QStyle::State_Selected)
      painter->fillRect(box, theme()[Tone::AccentSoft]);
    else if (option.state & QStyle::State_MouseOver)
      painter->fillRect(box, theme()[Tone::Hover]);
    if (!index.data(ThumbnailModel::FreshRole).toBool()) painter->setOpacity(kStaleOpacity);
    paintSample(
        *painter,
        {box.left() + kPad, box.top() + kPad, box.width() - 2 * kPad, double(m_view.side())},
        model->sample(index.row()), m_view.mask());
    painter->setOpacity(1);
    painter->setFont(uiFont(11));
    painter->setPen(theme()[Tone::Text2]);
    const QRectF caption(box.left() + 2, box.top() + kPad + m_view.side() + 1, box.width() - 4,
                         kCaption);
    const QString text = QFontMetricsF(painter->font())
                             .elidedText(index.data().toString(), Qt::ElideRight, caption.width());
    painter->drawText(caption, Qt::AlignHCenter | Qt::AlignVCenter, text);
    paintFocus(*painter, option, box);
    painter->restore();
  }

 private:
  void paintFocus(QPainter& painter, const QStyleOptionViewItem& option, const QRectF& box) const {
    if (!(option.state & QStyle::State_HasFocus) || !m_view.hasFocus()) return;
    painter.setPen(QPen(theme()[Tone::Accent], 2));
    painter.drawRect(box.adjusted(1, 1, -1, -1));
  }

  ThumbnailView& m_view;
};

}  // namespace

ThumbnailView::ThumbnailView(QWidget* parent) : QListView(parent) {
  setItemDelegate(new ThumbnailDelegate(*this));
  setViewMode(IconMode);
  setFlow(LeftToRight);
  setWrapping(true);
  setResizeMode(Adjust);
  setMovement(Static);
  setUniformItemSizes(true);
  setSelectionMode(SingleSelection);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMouseTracking(true);
  setEditTriggers(NoEditTriggers);
  setAccessibleName("Samples");
  connect(this, &QListView::clicked, this, [this](const QModelIndex& i) { emit opened(i.row()); });
  // Of a double click, too: the first click opens the large view, but the second one takes the
  // focus back if the view is not on the screen yet.
  connect(this, &QListView::activated, this,
          [this](const QModelIndex& i) { emit opened(i.row()); });
}

void ThumbnailView::setThumbnails(ThumbnailModel* model) {
  m_thumbnails = model;
  setModel(model);
  connect(model, &QAbstractItemModel::dataChanged, this, &ThumbnailView::fitCells);
  fitCells();
}

void ThumbnailView::setMask(const MaskStyle& mask) {
  m_mask = mask;
  fitCells();
  viewport()->update();
}

void ThumbnailView::setSide(int side) {
  side = std::clamp(side, kLeastSide, kMostSide);
  if (side == m_side) return;
  m_side = side;
  fitCells();
  doItemsLayout();
  emit sideChanged(side);
}

void ThumbnailView::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return QListView::wheelEvent(event);
  constexpr double kPerDegree = 1.0015;
  const double turned = event->angleDelta().y();
  const int wanted = qRound(m_side * std::pow(kPerDegree, turned));
  // A slow wheel still moves.
  setSide(wanted == m_side ? m_side + (turned > 0 ? 1 : -1) : wanted);
  event->accept();
}

void ThumbnailView::setEmptyText(const QString& text) {
  if (m_emptyText == text) return;
  m_emptyText = text;
  viewport()->update();
}

QSize ThumbnailView::cellSize() const {
  int across = 1;
  for (int i = 0; m_thumbnails != nullptr && i < m_thumbnails->rowCount(); ++i)
    across = std::max(across, picturesAcross(m_thumbnails->sample(i), m_mask.place));
  return {std::max(kLeastWidth, across * (m_side + 4) - 4 + 2 * kPad + 2),
          m_side + kCaption + 2 * kPad + 2};
}

void ThumbnailView::fitCells() {
  const QSize grid = cellSize() + QSize(2, 2);
  if (grid != gridSize()) setGridSize(grid);
}

void ThumbnailView::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (m_emptyText.isEmpty() || model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  const QRect room = viewport()->rect();
  paintIcon(painter, "eye", QRectF(room.center().x() - 13, room.center().y() - 30, 26, 26),
            theme()[Tone::Hint]);
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(room.adjusted(12, room.height() / 2 + 4, -12, 0),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_emptyText);
}

}  // namespace millrace
