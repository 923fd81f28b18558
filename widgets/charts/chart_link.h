// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>

#include "widgets/models/live/live_run.h"

namespace millrace {

/// State shared by the views of one run: the cross-hair, the range that the user dragged, the
/// part to which the user zoomed, and smoothing. All times are in the stream's time, so that they
/// stay with the data when it moves on. GUI thread.
class ChartLink : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const std::optional<double>& hair() const { return m_hair; }
  void setHair(std::optional<double> time) {
    if (time == m_hair) return;
    m_hair = time;
    emit hairChanged();
  }
  const std::optional<TimeSpan>& range() const { return m_range; }
  void setRange(std::optional<TimeSpan> range) {
    if (range == m_range) return;
    m_range = range;
    emit rangeChanged();
  }
  /// nullopt: everything is shown.
  const std::optional<TimeSpan>& zoom() const { return m_zoom; }
  void setZoom(std::optional<TimeSpan> zoom) {
    if (zoom == m_zoom) return;
    m_zoom = zoom;
    emit zoomChanged();
  }

  /// Whether the charts have a moving average over kSmoothSeconds.
  static constexpr double kSmoothSeconds = 5;
  bool isSmooth() const { return m_smooth; }
  void setSmooth(bool smooth) {
    if (smooth == m_smooth) return;
    m_smooth = smooth;
    emit smoothChanged();
  }

 signals:
  void hairChanged();
  void rangeChanged();
  void zoomChanged();
  void smoothChanged();

 private:
  std::optional<double> m_hair;
  std::optional<TimeSpan> m_range;
  std::optional<TimeSpan> m_zoom;
  bool m_smooth = false;
};

}  // namespace millrace
