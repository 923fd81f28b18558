// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <QCache>
#include <QImage>
#include <QList>
#include <QObject>
#include <QSize>
#include <QString>

#include "core/spec/source.h"

namespace millrace {

/// Data sets that were opened to show samples of containers. Any thread.
class OpenData {
 public:
  /// The data set at this path; nullptr if it cannot be opened. The first call lists it.
  std::shared_ptr<const Source> at(const std::string& path);

 private:
  std::mutex m_mutex;
  std::map<std::string, std::shared_ptr<const Source>> m_sources;
};

/// A sample whose picture is shown.
struct SampleToShow {
  std::string file;  ///< absolute path, if the sample is a file
  std::string data;  ///< otherwise the path of its data set, and
  std::string name;  ///< Source::name
  std::uint32_t index = 0;
  QString key() const;
};

/// Small pictures of samples, in loose files or in containers. They are decoded by the engine's
/// codecs on other threads, which nothing waits for; the newest requests come first. A truncated
/// picture shows what is there. GUI thread.
class SamplePictures : public QObject {
  Q_OBJECT
 public:
  /// `size`: the box that pictures fit in; they have more pixels, for screens at twice the scale.
  explicit SamplePictures(QSize size, QObject* parent = nullptr);

  /// The first picture of a sample; null while it is being made, and if there is none.
  QImage picture(const SampleToShow& place);
  bool isAtWork() const { return m_inWork > 0; }

 signals:
  /// Another picture was made.
  void made();

 private:
  void work();
  void take(const QString& key, const QImage& picture);

  const QSize m_size;
  QCache<QString, QImage> m_pictures;
  QList<SampleToShow> m_waiting;  ///< the newest last
  const std::shared_ptr<OpenData> m_data;
  int m_inWork = 0;
};

/// Reads and decodes the first picture of a sample, upright, no larger than `box`; null if it has
/// none, or if the data has changed. Any thread; blocks on file I/O.
QImage readPicture(const SampleToShow& place, OpenData& data, QSize box);

}  // namespace millrace
