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

/// Facts about the data that a document reads: `millrace inspect` as a child at the lowest
/// priority, one path after the other, each once. What a person should know of them joins the
/// check's problems. A child that fails leaves nothing: a run says why. GUI thread; never waits.
class DataLook : public QObject {
  Q_OBJECT
 public:
  DataLook(Document& document, BackgroundCheck& check, QObject* parent = nullptr);
  ~DataLook() override;

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  /// Paused, it takes nothing of the machine: a child at work is ended, and begins again later.
  void setPaused(bool paused);
  bool isAtWork() const { return m_current || m_delay.isActive(); }
  /// Something that was not there may be there now.
  void lookAgain();
  /// What is known to be missing, as problems to be told with the others.
  void setMissing(std::vector<Problem> problems);

  /// Of the document as it stands, as far as they are known, in the order of its parameters.
  std::vector<std::pair<DataPlace, DataFacts>> found() const;

 signals:
  void changed();

 private:
  void refresh();
  void lookAtNext();
  void start(const std::filesystem::path& path);
  void readOn();
  void conclude(const std::filesystem::path& path);
  void take(const std::filesystem::path& path, const std::optional<DataFacts>& facts);
  void endChild();
  void tell();

  Document& m_document;
  BackgroundCheck& m_check;
  QString m_program;
  QTimer m_delay;
  std::vector<DataPlace> m_places;
  /// Nothing: there is nothing to say of it.
  std::map<std::filesystem::path, std::optional<DataFacts>> m_known;
  std::vector<Problem> m_missing;
  std::unique_ptr<QProcess> m_process;
  std::optional<std::filesystem::path> m_current;  ///< looked at, or its answer being read
  QByteArray m_answer;
  bool m_paused = false;
};

}  // namespace millrace
