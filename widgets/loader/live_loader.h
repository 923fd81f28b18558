// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "core/own_loader/loader_limit.h"
#include "widgets/models/live/live_run.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

/// The figures of a loader's run on its steps (loader_graph.h), with a ring around one of them.
RunOverlay loaderOverlay(const LiveRun& run, const std::string& limitStep);

/// A user's loader that is or was measured, built from the events of `millrace loader`. Value; GUI
/// thread.
class LiveLoader {
 public:
  /// `name`: "train.py:loader".
  void begin(const QString& name, const MeasureChoice& measure);
  void take(const StreamEvent& event);
  void finish(const ChildEnd& end) { m_run.finish(end); }

  const QString& name() const { return m_name; }
  const LiveRun& run() const { return m_run; }
  bool isGoing() const { return m_run.state() != LiveRun::State::None && !m_run.isOver(); }
  /// Its steps; no nodes until the first batch has come.
  const Graph& graph() const { return m_graph; }
  /// The run's figures on those nodes, with a ring around the step that limits it.
  RunOverlay overlay() const;

  /// "PyTorch DataLoader, 2 workers, torch 2.5.1", and its first batch; empty until it has come.
  QString about() const { return planLine(1); }
  QString batch() const { return planLine(2); }
  /// What limits it: while it goes on by the figures so far, then by the engine's own judgement.
  /// Empty: not known.
  QString limit() const;
  /// What to change, once it is over.
  QString advice() const { return m_advice; }
  /// More that its run has shown, as sentences.
  const QStringList& notes() const { return m_notes; }

 private:
  void takeResult(const std::string& json);
  QString planLine(std::size_t line) const;
  /// By the figures so far; nullopt while they are of too few batches.
  std::optional<LoaderLoad> load() const;

  QString m_name;
  MeasureChoice m_measure;
  LiveRun m_run;
  Graph m_graph;
  std::optional<QString> m_limit;  ///< of the result
  std::string m_limitStep;
  QString m_advice;
  QStringList m_notes;
};

}  // namespace millrace
