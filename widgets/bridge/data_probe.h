// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <QObject>
#include <QProcess>
#include <QTimer>

#include "widgets/models/data_facts.h"

namespace millrace {

class BackgroundCheck;
class Document;

/// Facts about the data that a document reads. `millrace inspect` runs as a child at the lowest
/// priority, for one path after the other, each once. What the user should know joins the check's
/// problems. A child that fails adds no problem: a run will report the cause. GUI thread; never
/// waits.
class DataProbe : public QObject {
  Q_OBJECT
 public:
  DataProbe(Document& document, BackgroundCheck& check, QObject* parent = nullptr);
  ~DataProbe() override;

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  /// While paused it uses no resources: a child at work is ended and started again later.
  void setPaused(bool paused);
  bool isAtWork() const { return m_current || m_delay.isActive(); }
  /// Probes the paths that were missing again.
  void retryMissing();
  /// Missing data, as problems to be listed with the others.
  void setMissing(std::vector<Problem> problems);

  /// The facts known so far about the current document's data, in the order of its parameters.
  std::vector<std::pair<DataPlace, DataFacts>> found() const;

 signals:
  void changed();

 private:
  void refresh();
  void probeNext();
  void start(const std::filesystem::path& path);
  void readOn();
  void conclude(const std::filesystem::path& path);
  void take(const std::filesystem::path& path, const std::optional<DataFacts>& facts);
  void endChild();
  void emitChanged();

  Document& m_document;
  BackgroundCheck& m_check;
  QString m_program;
  QTimer m_delay;
  std::vector<DataPlace> m_places;
  /// nullopt: there is nothing to report about the path.
  std::map<std::filesystem::path, std::optional<DataFacts>> m_known;
  std::vector<Problem> m_missing;
  std::unique_ptr<QProcess> m_process;
  std::optional<std::filesystem::path> m_current;  ///< being probed, or its answer being read
  QByteArray m_answer;
  bool m_paused = false;
};

}  // namespace millrace
