// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <QPushButton>

#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/strings.h"

namespace millrace::tests {

/// A pipeline with this source, whose step takes 10 ms a batch.
inline std::string pipelineText(const std::string& source) {
  return R"({"format_version": 1, "nodes": [)" + source + R"(,
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "batch", "kind": "batch", "params": {"size": 10}},
  {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
  {"id": "step", "kind": "emulated_step", "params": {"seconds": 0.01}}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "batch"},
            {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "step"}]})";
}
inline std::string runnable() {
  return pipelineText(R"({"id": "source", "kind": "synthetic", "params": {"count": 100000}})");
}

/// A window with one open pipeline file.
struct DocumentBench {
  explicit DocumentBench(const std::string& text = runnable()) : window(builtinCatalog()) {
    folder.write("mine.millrace.json", text);
    window.resize(1389, 868);
    window.show();
    opened = tests::openIn(window, path("mine.millrace.json"));
  }
  QString path(const std::string& name) const { return fileText(folder.path() / name); }
  Document& document() { return window.page()->session().document; }
  QStringList noticed() {
    QStringList words;
    for (const Notice& notice : window.notices().notices()) words << notice.sentence;
    return words;
  }
  void answer(const QString& text) {
    for (auto* button : window.notices().findChildren<QPushButton*>())
      if (button->text() == text) return button->click();
    QFAIL(qPrintable("no answer " + text));
  }
  template <class Condition>
  bool soon(Condition condition) {
    return QTest::qWaitFor(condition, kGenerousMs);
  }

  tests::TemporaryFolder folder;
  MainWindow window;
  bool opened = false;
};

}  // namespace millrace::tests
