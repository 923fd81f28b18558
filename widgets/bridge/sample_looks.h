// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include <QObject>
#include <QString>

namespace millrace {

/// Draws the first samples of generated data (ensureSampleLook) on a thread of the pool. GUI
/// thread; never waits.
class SampleLooks : public QObject {
  Q_OBJECT
 public:
  explicit SampleLooks(QObject* parent = nullptr) : QObject(parent) {}
  ~SampleLooks() override { stop(); }

  /// One kind at a time: what was asked for before is dropped.
  void draw(const QString& kind);
  /// Nothing comes of what was asked for; the thread ends after the sample that it is drawing.
  void stop();

 signals:
  /// Where the samples lie; `folder` is empty where they could not be drawn.
  void drawn(const QString& kind, const QString& folder);

 private:
  std::shared_ptr<std::atomic<bool>> m_stop;  ///< of the drawing at work
};

}  // namespace millrace
