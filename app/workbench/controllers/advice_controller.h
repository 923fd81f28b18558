// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>

#include <QObject>
#include <QPointer>

#include "core/graph/graph.h"
#include "widgets/bridge/run_advice.h"
#include "widgets/charts/advice_panel.h"

namespace millrace {

class LiveRun;
class PageRuns;
class PipelinePage;

/// The advice on the card of a run: worked out outside the GUI thread when a run has ended, shown
/// for the document in front, marked when that document changes, applied as one edit, and compared
/// with what the next run gives. GUI thread.
class AdviceController : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// All arguments must outlive the controller.
  AdviceController(AdvicePanel& panel, const PageRuns& runs, FrontPage front,
                   QObject* parent = nullptr);

  /// The last run of its page has ended.
  void take();
  /// Call when the page in front, its document or its run has changed.
  void refresh();
  /// A change was made to the pipeline of a page, with this prediction of its rate.
  void expect(PipelinePage* page, const QString& change,
              const std::optional<RatePrediction>& predicted);

 signals:
  /// The advice of a run is known.
  void advised();

 private:
  struct Expected {
    QString change;
    std::optional<RatePrediction> predicted;
    std::optional<double> before;  ///< the rate without it
    Graph graph;                   ///< with it
  };
  struct OfPage {
    QPointer<PipelinePage> page;
    std::uint64_t run = 0;  ///< counts its runs: late advice of an earlier one is dropped
    std::optional<RunAdvice> advice;
    std::optional<Expected> expected;
    QString outcome;
  };
  OfPage& of(PipelinePage& page);
  void adopt(PipelinePage& page, std::uint64_t run, const RunAdvice& advice);
  void work(PipelinePage& page, const LiveRun& run);
  QString whyStale(PipelinePage& page);
  std::optional<AdvicePanel::Change> changeOf(PipelinePage& page, const QString& stale);
  void apply();

  AdvicePanel& m_panel;
  const PageRuns& m_runs;
  FrontPage m_front;
  std::list<OfPage> m_pages;
};

/// "Workers › Threads: 1 → 2 was expected to give 2 180 samples/s (2 000 to 2 300). It gives 2
/// 150."
QString outcomeText(const QString& change, const std::optional<RatePrediction>& predicted,
                    const std::optional<double>& before, double now);

}  // namespace millrace
