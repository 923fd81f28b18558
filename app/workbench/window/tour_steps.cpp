// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/tour_steps.h"

#include <QDockWidget>
#include <QSettings>
#include <QToolBar>

#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/window/main_window.h"
#include "widgets/start/offer_card.h"
#include "widgets/start/start_page.h"
#include "widgets/start/tour.h"

namespace millrace {

namespace {

constexpr const char* kTouredKey = "toured";

using Anchor = std::function<QWidget*()>;

Anchor named(MainWindow& window, const char* name) {
  return [&window, name] { return window.findChild<QWidget*>(name); };
}

/// A button of the main tool bar.
Anchor buttonOf(MainWindow& window, const char* action) {
  return [&window, action]() -> QWidget* {
    const auto* bar = window.findChild<QToolBar*>("main_bar");
    return bar == nullptr ? nullptr : bar->widgetForAction(window.action(action));
  };
}

std::vector<Tour::Step> stepsOf(MainWindow& window) {
  return {
      {"Begin with an example or your own data",
       "Each card is a complete pipeline with sample data. Or drop a folder of your data anywhere "
       "on this window: it is recognised, and a pipeline is proposed.",
       [&window]() -> QWidget* { return window.start().page().viewport(); },
       [&window]() -> QRect {
         QRect all;
         for (const OfferCard* card : window.start().page().cards())
           all |= QRect(card->mapTo(window.start().page().viewport(), QPoint()), card->size());
         return all;
       }},
      {"Run it", "Opens the selected pipeline and measures it at once. The tour goes on there.",
       named(window, "start_run")},
      {"The pipeline",
       "Samples flow from left to right. Click a node for its settings, press Space or "
       "double-click to add one, and drag from port to port to connect.",
       [&window]() -> QWidget* {
         return window.page() == nullptr ? nullptr : window.page()->view().viewport();
       },
       [&window]() -> QRect {
         if (window.page() == nullptr) return {};
         const CanvasView& view = window.page()->view();
         return view.mapFromScene(window.page()->scene().contentRect()).boundingRect();
       }},
      {"Settings",
       "The settings of the selected node. F1 explains the node; a right click on a "
       "setting tries out several values.",
       named(window, "inspector")},
      {"Run",
       "F5 measures the pipeline. Nodes and wires then show their figures, and a ring marks what "
       "limits the rate.",
       named(window, "run_button")},
      {"Advice",
       "What limits the run, and the change that helps. Apply makes it as one edit, which can be "
       "undone; F6 measures more closely.",
       named(window, "run_advice")},
      {"Kept runs", "Every run is kept. Compare them here: figures, settings and a verdict.",
       buttonOf(window, "runs")},
      {"Everything else",
       "Finds any action, node, setting, run or file. Press ? for all keys and F1 for help. The "
       "tour is in the menu Help.",
       buttonOf(window, "palette")},
  };
}

}  // namespace

Tour* makeTour(MainWindow& window) {
  auto* tour = new Tour(window, stepsOf(window));
  QObject::connect(&window.start(), &StartController::changed, tour, &Tour::refresh,
                   Qt::QueuedConnection);
  return tour;
}

void tourOnFirstStart(MainWindow& window, QSettings& settings) {
  if (settings.contains(kTouredKey)) return;
  settings.setValue(kTouredKey, true);
  window.findChild<Tour*>()->start();
}

}  // namespace millrace
