// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>

#include <QPointer>

#include "core/graph/graph.h"
#include "widgets/models/live_run.h"
#include "widgets/models/run_overlay.h"

namespace millrace {

class PipelinePage;
class RunSession;

/// The last run of each document: that of the session, and those before it as they ended. GUI
/// thread.
class PageRuns {
 public:
  /// Outlives this.
  explicit PageRuns(const RunSession& session) : m_session(session) {}

  /// The session's next run is of this page and this graph; what it has of another page is kept.
  void begin(PipelinePage& page, Graph graph);
  /// Lets go of what nobody can look at any more: runs that `begin` has replaced, and those of
  /// pages that were closed.
  void forgetReplaced();

  /// Whose run the session's is; nullptr: there was none, or the page was closed.
  PipelinePage* page() const;
  /// nullptr: it has not been run. Stays until `forgetReplaced` behind the next `begin`.
  const LiveRun* runOf(const PipelinePage& page) const;
  /// Whether the page whose run the session has is no longer what ran.
  bool differs() const;
  /// Puts the values of its run onto a page's canvas.
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
  std::list<Kept> m_kept;  ///< newest last; views point at their runs
};

}  // namespace millrace
