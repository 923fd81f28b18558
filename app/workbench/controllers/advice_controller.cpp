// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/advice_controller.h"

#include <algorithm>

#include <QCoreApplication>
#include <QThreadPool>

#include "app/workbench/window/advice_edit_page.h"
#include "app/workbench/window/page_runs.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/advice_edits.h"
#include "widgets/models/live/diagnosis_report.h"
#include "widgets/models/live/window_words.h"

namespace millrace {

QString outcomeText(const QString& change, const std::optional<RatePrediction>& predicted,
                    const std::optional<double>& before, double now) {
  QString text = change;
  if (predicted)
    text += " was expected to give " + shownPrediction(*predicted) + ". It gives " +
            shownRate(now) +
            (now < predicted->low    ? ", less than expected"
             : now > predicted->high ? ", more than expected"
                                     : ", as expected");
  else
    text += " gives " + shownRate(now) + " samples/s";
  if (before) text += ", after " + shownRate(*before) + " without it";
  return text + '.';
}

AdviceController::AdviceController(AdvicePanel& panel, const PageRuns& runs, FrontPage front,
                                   QObject* parent)
    : QObject(parent), m_panel(panel), m_runs(runs), m_front(std::move(front)) {
  connect(&panel, &AdvicePanel::applyRequested, this, &AdviceController::apply);
}

AdviceController::OfPage& AdviceController::of(PipelinePage& page) {
  m_pages.remove_if([](const OfPage& each) { return each.page.isNull(); });
  const auto found =
      std::ranges::find_if(m_pages, [&](const OfPage& each) { return each.page.data() == &page; });
  if (found != m_pages.end()) return *found;
  OfPage& added = m_pages.emplace_back();
  added.page = &page;
  return added;
}

void AdviceController::take() {
  PipelinePage* page = m_runs.page();
  if (page == nullptr) return;
  const LiveRun& run = *m_runs.runOf(*page);
  OfPage& own = of(*page);
  ++own.run;
  own.advice.reset();
  own.outcome.clear();
  if (const auto expected = std::exchange(own.expected, {}); expected && run.rate())
    if (runsAlike(expected->graph, *m_runs.ranOn(*page)))
      own.outcome =
          outcomeText(expected->change, expected->predicted, expected->before, *run.rate());
  // A run that was stopped early has a rate but no result.
  if (run.rate() && run.result()) work(*page, run);
  refresh();
}

void AdviceController::work(PipelinePage& page, const LiveRun& run) {
  // Queued to the application object: if the window is closed meanwhile, the result is dropped
  // there.
  const Document& document = page.session().document;
  QThreadPool::globalInstance()->start([self = QPointer(this), target = QPointer(&page),
                                        number = of(page).run, graph = *m_runs.ranOn(page),
                                        &catalog = document.catalog(), base = document.base(),
                                        result = run.result()->result] {
    RunAdvice advice = runAdviceOf(graph, catalog, base, result);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, target, number, advice = std::move(advice)] {
          if (self && target) self->adopt(*target, number, advice);
        },
        Qt::QueuedConnection);
  });
}

void AdviceController::adopt(PipelinePage& page, std::uint64_t run, const RunAdvice& advice) {
  OfPage& own = of(page);
  if (own.run != run) return;
  own.advice = advice;
  refresh();
  emit advised();
}

QString AdviceController::whyStale(PipelinePage& page) {
  const Graph& graph = page.session().document.graph();
  if (runsAlike(*m_runs.ranOn(page), graph)) return {};
  if (const auto& expected = of(page).expected; expected && runsAlike(expected->graph, graph))
    return "Applied: " + expected->change + ". Run again to see what it gives.";
  return "The pipeline has changed since this run. Run it again for new advice.";
}

std::optional<AdvicePanel::Change> AdviceController::changeOf(PipelinePage& page,
                                                              const QString& stale) {
  const OfPage& own = of(page);
  if (!own.advice) return std::nullopt;
  const auto titleOfId = [&page](const QString& id) { return titleOn(page, id); };
  AdvicePanel::Change change;
  change.cause = limitText(*own.advice, titleOfId);
  QStringList parts = {adviceText(*own.advice, titleOfId)};
  if (parts.front().isEmpty()) return change.cause.isEmpty() ? std::nullopt : std::optional(change);
  if (own.advice->advice && own.advice->advice->edit != Advice::Edit::Words) {
    const Advice& advice = *own.advice->advice;
    change.edit = changeText(page, advice);
    change.obstacle = stale.isEmpty() ? whyNoChange(page, advice) : stale;
    if (own.advice->predicted)
      parts << "Expect about " + shownPrediction(*own.advice->predicted) + '.';
    if (!advice.costs.empty() && advice.costs != "nothing")
      parts << "Cost: " + windowWords(toQt(advice.costs), titleOfId) + '.';
    if (advice.changes != SampleChange::Nothing) parts << meaningForTraining(advice.changes);
  }
  change.text = parts.join(' ');
  return change;
}

void AdviceController::refresh() {
  PipelinePage* page = m_front();
  const LiveRun* run = page == nullptr ? nullptr : m_runs.runOf(*page);
  if (run == nullptr || !run->isOver()) {
    m_panel.setChange(std::nullopt);
    m_panel.setStale({});
    m_panel.setOutcome({});
    return;
  }
  const QString stale = whyStale(*page);
  m_panel.setStale(stale);
  m_panel.setOutcome(of(*page).outcome);
  m_panel.setChange(changeOf(*page, stale));
}

void AdviceController::expect(PipelinePage* page, const QString& change,
                              const std::optional<RatePrediction>& predicted) {
  if (page == nullptr) return;
  const LiveRun* run = m_runs.runOf(*page);
  of(*page).expected = {change, predicted, run == nullptr ? std::nullopt : run->rate(),
                        page->session().document.graph()};
  refresh();
}

void AdviceController::apply() {
  PipelinePage* page = m_front();
  if (page == nullptr || m_runs.runOf(*page) == nullptr || !of(*page).advice) return;
  const std::optional<Advice> advice = of(*page).advice->advice;
  if (!advice || !whyStale(*page).isEmpty() || !whyNoChange(*page, *advice).isEmpty()) return;
  const QString change = changeText(*page, *advice);
  if (makeChange(*page, *advice)) expect(page, change, of(*page).advice->predicted);
}

}  // namespace millrace
