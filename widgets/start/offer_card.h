// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QAbstractButton>

#include "widgets/models/shown_sample.h"
#include "widgets/start/start_offer.h"

namespace millrace {

/// Paints up to three samples that the engine made for an offer, side by side in a box. Without
/// samples, a symbol for the kind of data.
void paintSamples(QPainter& painter, const QRectF& box, const std::vector<ShownSample>& samples);

/// An offer to choose: a picture, a title, what it does. One card of the group is selected. GUI
/// thread.
class OfferCard : public QAbstractButton {
  Q_OBJECT
 public:
  explicit OfferCard(const StartOffer& offer, QWidget* parent = nullptr);

  const StartOffer& offer() const { return m_offer; }
  void setSamples(std::vector<ShownSample> samples);
  const std::vector<ShownSample>& samples() const { return m_samples; }
  /// Three rows of cards are visible at once in the first window.
  static constexpr int kHeight = 228;
  QSize sizeHint() const override { return {250, kHeight}; }
  QSize minimumSizeHint() const override { return {180, kHeight}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent*) override { update(); }
  void leaveEvent(QEvent*) override { update(); }
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 signals:
  /// The card was double-clicked.
  void opened();

 private:
  bool paintIllustration(QPainter& painter, const QRectF& box) const;

  StartOffer m_offer;
  std::vector<ShownSample> m_samples;
};

}  // namespace millrace
