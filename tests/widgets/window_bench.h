// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <QTabWidget>
#include <QTest>

#include "app/workbench/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/strings.h"

namespace millrace::tests {

/// A pipeline whose rate its step decides, on any machine.
inline std::string steppedPipeline(double seconds) {
  return R"({"format_version": 1, "nodes": [
  {"id": "source", "kind": "synthetic", "params": {"count": 1000}},
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "batch", "kind": "batch", "params": {"size": 8}},
  {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
  {"id": "step", "kind": "emulated_step", "params": {"seconds": )" +
         std::to_string(seconds) + R"(}}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "batch"},
            {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "step"}]})";
}

/// The workbench on the folder's `mine.millrace.json` and a store beside it, as a person starts it.
class WindowBench {
 public:
  explicit WindowBench(const TemporaryFolder& folder) {
    qputenv("MILLRACE_STORE", QByteArray::fromStdString((folder.path() / "runs.db").string()));
    window = std::make_unique<MainWindow>(builtinCatalog());
    qunsetenv("MILLRACE_STORE");
    window->resize(1389, 868);
    window->show();
    ready = window->open(fileText(folder.path() / "mine.millrace.json")) &&
            waits([this] { return window->page()->session().check.isCurrent(); });
  }
  static bool waits(const std::function<bool()>& until) {
    return QTest::qWaitFor(until, kGenerousMs);
  }
  /// Of the first tab, whatever is in front.
  Document& document() {
    return qobject_cast<PipelinePage*>(window->tabs().widget(0))->session().document;
  }

  std::unique_ptr<MainWindow> window;
  bool ready = false;

 private:
  static constexpr int kGenerousMs = 120000;
};

}  // namespace millrace::tests
