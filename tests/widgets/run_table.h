// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "core/nodes/builtin.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/runs_page.h"

namespace millrace::tests {

inline const QStringList kColumns = {"number", "name",          "tag",
                                     "notes",  "workers.count", "samples_per_second",
                                     "change", "verdict",       "started"};

/// The page of a store, once it has been read.
class RunTable {
 public:
  explicit RunTable(const std::filesystem::path& file)
      : settings(fileText(file) + ".ini", QSettings::IniFormat),
        store(file),
        page(store, builtinCatalog(), settings, kColumns) {
    page.resize(1300, 500);
    page.show();
    settled = settles();
  }
  /// Waits until everything requested from the store is shown.
  bool settles() {
    return QTest::qWaitFor([this] { return !page.model().isLoading(); }, kGenerousMs);
  }
  bool asks(const QString& query) {
    page.queryLine().setText(query);
    QSignalSpy listed(&page.model(), &RunTableModel::listed);
    return listed.wait(kGenerousMs) && settles();
  }
  QString text(RunNumber run, const QString& column) {
    const int c = static_cast<int>(kColumns.indexOf(column));
    return page.model().index(page.model().rowOf(run), c).data().toString();
  }
  QStringList numbers() {
    QStringList all;
    for (int row = 0; row < page.model().rowCount(); ++row)
      all << page.model().index(row, 0).data().toString();
    return all;
  }
  QModelIndex cell(RunNumber run, const QString& column) {
    return page.model().index(page.model().rowOf(run), static_cast<int>(kColumns.indexOf(column)));
  }
  void choose(std::vector<RunNumber> runs) { page.view().choose(runs); }

  QSettings settings;
  StoreThread store;
  RunsPage page;
  bool settled = false;
};

}  // namespace millrace::tests
