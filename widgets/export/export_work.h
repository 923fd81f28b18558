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
#include "core/jobs/loader/export_rates.h"

namespace millrace {

/// A snapshot of what is to be exported. Value.
struct ExportSource {
  Graph graph;
  const Catalog* catalog = nullptr;  ///< outlives everything here
  std::filesystem::path base;        ///< where relative paths start
  QString title;                     ///< "classification.millrace.json", "run 47"
  std::string name;                  ///< the origin that the code names
  std::string version;               ///< Millrace's version
  std::vector<std::string> figures;  ///< measured figures, as sentences
  /// For a kept run: the program whose `export` writes the text, because only the engine formats a
  /// run's figures. Empty: the text is generated in this process.
  QString engine;
  /// The arguments of `millrace export` that name it: {"/photos/mine.millrace.json"}, {"--run",
  /// "47"}.
  QStringList subject;
  /// Why that command would give another result now; empty if it gives the same bytes.
  QString commandCaveat;
};

struct ExportOptions {
  bool noRandom = false;  ///< replace every random draw by its centre
  bool figures = true;    ///< write figures as a comment
  bool training = false;  ///< add a training loop where the target has one
  bool operator==(const ExportOptions&) const = default;
};

/// The result for one target: its text, or why there is none.
struct ExportedTarget {
  const Exporter* exporter = nullptr;
  std::optional<Exported> exported;
  QString refusal;  ///< a sentence, with the remedy
  /// Measured with exactly this code on this machine, in samples/s; of the pipeline itself, by the
  /// engine.
  std::optional<double> rate;
};

struct ExportedTargets {
  std::vector<ExportedTarget> targets;  ///< in the registry's order
  QStringList notes;                    ///< open questions, as sentences
};

/// Exports to every target of the registry with the functions that `millrace export` uses, so the
/// bytes are equal. May read a long directory listing. Any thread.
ExportedTargets exportAll(const ExportSource& source, const ExportOptions& options);

/// Whether there are measured figures of Millrace that the code could contain.
bool hasFigures(const ExportSource& source);

/// The store that the command line would use; empty: the user's own.
QString storeOf(const ExportSource& source);

/// The command line that writes `target` to standard output.
QString exportCommand(const ExportSource& source, const ExportOptions& options,
                      const Exporter& target);

/// Runs exportAll on a pool thread. If several requests overlap, only the last is answered. GUI
/// thread.
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
