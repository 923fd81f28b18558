// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <QPushButton>

#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/hung_folder.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/strings.h"

namespace millrace::tests {

/// A window, and a pipeline in a folder that can stop responding.
struct HungBench {
  HungBench() : window(builtinCatalog()), hung(folder.path() / "net") {
    folder.write("net/mine.millrace.json", *exampleJson("deblurring"));
    window.resize(1389, 868);
    window.show();
  }
  template <class Condition>
  static bool soon(Condition condition) {
    return QTest::qWaitFor(condition, kGenerousMs);
  }
  QString file() const { return fileText(folder.path() / "net/mine.millrace.json"); }
  std::string onDisk() const { return contentOf(folder.path() / "net/mine.millrace.json"); }
  Document& document() { return window.page()->session().document; }
  bool isInFront(const QString& title) { return document().title() == title; }
  void edit(std::uint64_t seed) {
    Graph graph = document().graph();
    graph.seed = seed;
    document().edit("Seed", std::move(graph));
  }
  QString noticed() {
    QStringList words;
    for (const Notice& notice : window.notices().notices()) words << notice.sentence;
    return words.join('\n');
  }
  bool notices(const QString& part) {
    return soon([&] { return noticed().contains(part); });
  }
  /// The file watch accesses the folder by name right after it has responded, so this comes after
  /// that.
  void hang() {
    auto* notices = window.page()->findChild<PageNotices*>();
    QVERIFY(notices == nullptr || soon([&] { return !notices->file().isChecking(); }));
    hung.hang();
  }
  void answer(const QString& text) {
    for (auto* button : window.notices().findChildren<QPushButton*>())
      if (button->text() == text) return button->click();
    QFAIL(qPrintable("no answer " + text));
  }

  TemporaryFolder folder;
  MainWindow window;
  HungFolder hung;
};

}  // namespace millrace::tests
