// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QStringList>

#include "core/export/exporter.h"

namespace millrace {

/// What is to be exported, as it stood when it was asked for. Value.
struct ExportSource {
  Graph graph;
  const Catalog* catalog = nullptr;  ///< outlives everything here
  std::filesystem::path base;        ///< where relative paths start
  QString title;                     ///< "classification.millrace.json", "run 47"
  std::string name;                  ///< what the code says that it comes from
  std::string version;               ///< of Millrace
  std::vector<std::string> figures;  ///< what was measured, in sentences
  /// Of a kept run: the program whose `export` writes the text, because it alone words the run's
  /// figures. Empty: the text is made here.
  QString engine;
  /// The words of `millrace export` that name it: {"/photos/mine.millrace.json"}, {"--run", "47"}.
  QStringList subject;
  /// Why that command would give something else now; empty: it gives the same bytes.
  QString commandCaveat;
};

struct ExportOptions {
  bool noRandom = false;  ///< every draw its centre
  bool figures = true;    ///< as a comment
  bool operator==(const ExportOptions&) const = default;
};

/// A source in one target's language, or why it cannot be.
struct ExportedTarget {
  const Exporter* exporter = nullptr;
  std::optional<Exported> exported;
  QString refusal;  ///< a sentence, with the remedy
};

struct ExportedTargets {
  std::vector<ExportedTarget> targets;  ///< in the registry's order
  QStringList notes;                    ///< what stayed open, in sentences
};

/// Every target of the registry, by the functions that `millrace export` uses: the same bytes. May
/// read a whole listing. Any thread.
ExportedTargets exportAll(const ExportSource& source, const ExportOptions& options);

/// Whether there are measured figures that could stand in the code.
bool hasFigures(const ExportSource& source);

/// The command line that writes `target` to standard output.
QString exportCommand(const ExportSource& source, const ExportOptions& options,
                      const Exporter& target);

/// exportAll on a thread of the pool; of several orders only the last is answered. GUI thread.
class ExportWork : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  void start(const ExportSource& source, const ExportOptions& options);

 signals:
  void finished(const std::shared_ptr<const millrace::ExportedTargets>& targets);

 private:
  int m_order = 0;
};

}  // namespace millrace
