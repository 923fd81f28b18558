// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "app/workbench/window/runs_area.h"
#include "core/nodes/builtin.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/compare/differences_panel.h"
#include "widgets/runs/runs_page.h"

namespace millrace::tests {

/// The runs of a store and their views.
class CompareArea {
 public:
  explicit CompareArea(const std::filesystem::path& file)
      : settings(fileText(file) + ".ini", QSettings::IniFormat),
        store(file),
        area(store, builtinCatalog(), settings,
             {"number", "name", "workers.count", "samples_per_second", "verdict"}) {
    area.resize(1400, 900);
    area.show();
    ready = QTest::qWaitFor([this] { return page().model().rowCount() > 0; }, kGenerousMs) &&
            QTest::qWaitFor([this] { return !area.set().cloud().runs.empty(); }, kGenerousMs);
  }
  RunsPage& page() { return area.page(); }
  bool compares(const std::vector<RunNumber>& runs) {
    QSignalSpy changed(&area.set(), &CompareSet::changed);
    page().view().choose(runs);
    return QTest::qWaitFor(
        [&] {
          return changed.count() > 0 && area.set().comparison() != nullptr &&
                 area.set().isSettled();
        },
        kGenerousMs);
  }
  QString row(const QString& name, int run) {
    DifferencesModel& model = area.differences().model();
    for (int row = 0; row < model.rowCount(); ++row)
      if (model.index(row, 0).data().toString() == name)
        return model.index(row, run + 1).data().toString();
    return "(no such row)";
  }

  QSettings settings;
  StoreThread store;
  RunsArea area;
  bool ready = false;
};

/// Two different settings, and one more node.
inline void addThree(const KeptStore& kept) {
  kept.add({.name = "two", .workers = 2, .rates = {100, 101, 99}, .cost = 2.0});
  kept.add({.name = "four", .workers = 4, .rates = {190, 200, 210}, .cost = 2.5});
  kept.add({.name = "flip", .workers = 4, .rates = {150, 150, 150}, .cost = 3.0, .flip = true});
}

}  // namespace millrace::tests
