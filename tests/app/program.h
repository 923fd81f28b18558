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

/// What a finished `millrace` left.
struct Outcome {
  int code = -1;  ///< -1: it did not end by itself
  QByteArray out;
  QByteArray err;

  QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// The built `millrace` in a home of its own: no run, sample or setting of the person who tests.
class Program {
 public:
  Outcome run(const QStringList& arguments, const QByteArray& input = {});
  /// A line of bash in the home, where $MILLRACE is the program.
  Outcome shell(const QString& line);
  /// The same as run while it runs; `started` says that it does.
  std::unique_ptr<QProcess> start(const QStringList& arguments);
  /// Of the kept runs, as `runs list` finds them.
  int runCount(const QString& query);
  /// Writes a file in the home and gives its path.
  QString write(const QString& name, const QByteArray& content);
  QString path(const QString& name) const { return m_home.filePath(name); }

 private:
  void prepare(QProcess& process) const;
  QTemporaryDir m_home;
};

/// The next whole line of standard output that contains `word`, skipping others; empty when the
/// program ended before. Waits on output alone.
QByteArray lineWith(QProcess& process, const QByteArray& word);

/// A line of standard output as JSON.
inline QJsonObject object(const QByteArray& line) { return QJsonDocument::fromJson(line).object(); }

/// Waits for the program's end and gives what it left.
Outcome outcomeOf(QProcess& process);

/// Waits until the program has ended by itself or by a signal.
bool ended(QProcess& process);

/// A pipeline of synthetic samples that runs at once, with `extra` in the source's parameters.
QByteArray syntheticPipeline(const QByteArray& extra = {});

/// Synthetic samples in front of a step of its own length, which decides the rate on any machine.
QByteArray steppedPipeline(const QByteArray& stepSeconds);

/// Flags that make a run short.
QStringList shortly();

}  // namespace millrace::tests
