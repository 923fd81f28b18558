// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>

#include <QPointer>

#include "core/graph/graph.h"
#include "widgets/models/live/live_run.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

class PipelinePage;
class RunSession;

/// Whether two pipelines are equal for a measurement: the places of nodes do not matter.
bool runsAlike(const Graph& a, const Graph& b);

/// The last run of each document: the session's run, and completed runs before it. GUI thread.
class PageRuns {
 public:
  /// `session` must outlive this object.
  explicit PageRuns(const RunSession& session) : m_session(session) {}

  /// The session's next run is of this page and this graph; its run of another page is kept.
  void begin(PipelinePage& page, Graph graph);
  /// Drops the runs that can no longer be shown: those replaced by `begin`, and those of closed
  /// pages.
  void forgetReplaced();

  /// The page of the session's run; nullptr if there was none or if the page was closed.
  PipelinePage* page() const;
  /// nullptr if the page has not been run. Valid until `forgetReplaced` after the next `begin`.
  const LiveRun* runOf(const PipelinePage& page) const;
  /// The pipeline of that run; nullptr if the page has not been run.
  const Graph* ranOn(const PipelinePage& page) const;
  /// Whether the page of the session's run differs from what ran.
  bool differs() const;
  /// Shows the figures of a page's run on its canvas.
  void showOn(PipelinePage& page) const;

 private:
  struct Kept {
    QPointer<PipelinePage> page;
    LiveRun run;
    RunOverlay overlay;
    Graph ran;
  };
  const Kept* keptOf(const PipelinePage& page) const;

  const RunSession& m_session;
  QPointer<PipelinePage> m_page;
  Graph m_ran;
  std::list<Kept> m_kept;  ///< newest last; views hold pointers to their runs
};

}  // namespace millrace
