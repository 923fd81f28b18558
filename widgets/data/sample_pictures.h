// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QCache>
#include <QImage>
#include <QObject>
#include <QSize>
#include <QStringList>

namespace millrace {

/// Small pictures of files of samples. They are decoded by the engine's codecs on other threads,
/// which nothing waits for; the newest requests come first. A truncated picture shows what is
/// there. GUI thread.
class SamplePictures : public QObject {
  Q_OBJECT
 public:
  /// `size`: the box that pictures fit in; they have more pixels, for screens at twice the scale.
  explicit SamplePictures(QSize size, QObject* parent = nullptr);

  /// The picture of a file, by its absolute path; null while it is being made, and if there is
  /// none.
  QImage picture(const QString& file);
  bool isAtWork() const { return m_inWork > 0; }

 signals:
  /// Another picture was made.
  void made();

 private:
  void work();
  void take(const QString& file, const QImage& picture);

  const QSize m_size;
  QCache<QString, QImage> m_pictures;
  QStringList m_waiting;  ///< the newest last
  int m_inWork = 0;
};

/// Reads and decodes the picture in a file, upright, no larger than `box`; null if it has none. Any
/// thread; blocks on file I/O.
QImage readPicture(const QString& file, QSize box);

}  // namespace millrace
