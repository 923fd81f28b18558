// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include <QTabWidget>
#include <QTest>

#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"

namespace millrace::tests {

/// The workbench with the folder's `mine.millrace.json` and a store next to it, as a user starts
/// it.
class WindowBench {
 public:
  explicit WindowBench(const TemporaryFolder& folder) {
    qputenv("MILLRACE_STORE", QByteArray::fromStdString((folder.path() / "runs.db").string()));
    window = std::make_unique<MainWindow>(builtinCatalog());
    qunsetenv("MILLRACE_STORE");
    window->resize(1389, 868);
    window->show();
    ready = openIn(*window, fileText(folder.path() / "mine.millrace.json")) &&
            waits([this] { return window->page()->session().check.isCurrent(); });
  }
  static bool waits(const std::function<bool()>& until) {
    return QTest::qWaitFor(until, kGenerousMs);
  }
  /// The document of the first tab, whatever is in front.
  Document& document() {
    return qobject_cast<PipelinePage*>(window->tabs().widget(0))->session().document;
  }

  std::unique_ptr<MainWindow> window;
  bool ready = false;
};

}  // namespace millrace::tests
