// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include <QObject>
#include <QString>

namespace millrace {

/// Draws the first samples of generated data (ensureSamplePreview) on a pool thread. GUI thread;
/// never waits.
class ExamplePictures : public QObject {
  Q_OBJECT
 public:
  explicit ExamplePictures(QObject* parent = nullptr) : QObject(parent) {}
  ~ExamplePictures() override { stop(); }

  /// One kind at a time: a new request cancels the one before.
  void draw(const QString& kind);
  /// Cancels the request; the thread ends after the sample that it is drawing.
  void stop();

 signals:
  /// `folder` holds the samples; it is empty if they could not be drawn.
  void drawn(const QString& kind, const QString& folder);

 private:
  std::shared_ptr<std::atomic<bool>> m_stop;  ///< cancels the current drawing
};

}  // namespace millrace
