// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace millrace::tests {

/// The result of a finished `millrace`.
struct Outcome {
  int code = -1;  ///< -1: it crashed or was killed
  QByteArray out;
  QByteArray err;

  QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// The built `millrace` in a temporary home, without the user's runs, samples or settings.
class Program {
 public:
  Outcome run(const QStringList& arguments, const QByteArray& input = {});
  /// Runs a line of bash in the home; $MILLRACE is the program.
  Outcome shell(const QString& line);
  /// Like run, but returns while it is running; `started` says that it is.
  std::unique_ptr<QProcess> start(const QStringList& arguments);
  /// The number of kept runs that `runs list` finds.
  int runCount(const QString& query);
  /// Writes a file in the home and returns its path.
  QString write(const QString& name, const QByteArray& content);
  QString path(const QString& name) const { return m_home.filePath(name); }

 private:
  void prepare(QProcess& process) const;
  QTemporaryDir m_home;
};

/// The next complete line of standard output that contains `word`, skipping others; empty if the
/// program ended before. Only waits for output.
QByteArray lineWith(QProcess& process, const QByteArray& word);

/// A line of standard output as JSON.
inline QJsonObject object(const QByteArray& line) { return QJsonDocument::fromJson(line).object(); }

/// Waits for the program's end and returns its result.
Outcome outcomeOf(QProcess& process);

/// Waits until the program has ended, normally or by a signal.
bool ended(QProcess& process);

/// A pipeline of synthetic samples that can run at once, with `extra` in the source's parameters.
QByteArray syntheticPipeline(const QByteArray& extra = {});

/// Synthetic samples before a step of fixed length, which sets the rate on any machine.
QByteArray steppedPipeline(const QByteArray& stepSeconds);

/// Flags that make a run short.
QStringList shortly();

}  // namespace millrace::tests
