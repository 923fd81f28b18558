// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <QFile>

#include "tests/support/places.h"
#include "widgets/models/live/live_run.h"

namespace millrace::tests {

/// The lines of a stream: two repeats of 1 s and 3 s, 16 samples per batch, a step of 60 ms, kept
/// as run 42.
inline QByteArrayList recordedLines() {
  QFile file(QString::fromStdString(sourcePath("tests/widgets/recorded/two_repeats.jsonl")));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArrayList lines = file.readAll().split('\n');
  lines.removeAll({});
  return lines;
}

/// A run that received those lines up to the first one for which `last` holds.
class RecordedRun {
 public:
  /// `change` is applied to every line first.
  explicit RecordedRun(const std::function<bool(const QByteArray&)>& last = {},
                       const std::function<QByteArray(QByteArray)>& change = {})
      : m_left(recordedLines()) {
    if (change)
      for (QByteArray& line : m_left) line = change(line);
    run.begin("demo", {1, 3, 2}, names());
    feedTo(last);
  }
  void feedTo(const std::function<bool(const QByteArray&)>& last) {
    while (!m_left.isEmpty()) {
      const QByteArray line = m_left.takeFirst();
      const auto event = m_reader.read({line.constData(), static_cast<std::size_t>(line.size())});
      if (event.ok()) run.take(*event);
      if (last && last(line)) return;
    }
  }
  static bool isMeasured(const QByteArray& line) {
    return line.contains("\"event\":\"phase\"") && line.contains("\"phase\":\"measured");
  }
  static bool isResult(const QByteArray& line) { return line.contains("\"event\":\"result\""); }
  static NodeNames names() {
    return {{"decode", {"Decode", Category::Decode}},
            {"workers", {"Workers", Category::Runtime}},
            {"image_folder", {"Image folder", Category::Source}},
            {"prefetch", {"Prefetch", Category::Runtime}},
            {"step", {"Emulated step", Category::Consumer}}};
  }

  LiveRun run;

 private:
  EventReader m_reader;
  QByteArrayList m_left;
};

}  // namespace millrace::tests
