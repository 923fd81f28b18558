// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>
#include <QTest>

#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/search_popup.h"

namespace millrace::tests {

/// A pipeline on the canvas, shown and checked, operated by mouse and keys.
class CanvasPage {
 public:
  explicit CanvasPage(const char* example = nullptr) : m_page(builtinCatalog()) {
    m_page.resize(1100, 700);
    if (example != nullptr) [[maybe_unused]]
      const Status opened = document().openText(*exampleJson(example), example);
    m_page.show();
    m_page.activateWindow();
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    view().setFocus();
    settle();
  }

  EditSession& session() { return m_page.session(); }
  Document& document() { return session().document; }
  const Graph& graph() { return document().graph(); }
  CanvasView& view() { return m_page.view(); }
  CanvasScene& scene() { return m_page.scene(); }
  PipelinePage& widget() { return m_page; }
  int steps() { return document().undoStack().count(); }

  void settle() {
    const BackgroundCheck& check = session().check;
    QVERIFY(QTest::qWaitFor([&] { return check.isCurrent(); }, 20000));
  }
  QPoint at(QPointF scene) { return view().mapFromScene(scene); }
  QPoint middleOf(const NodeId& id) {
    return at(session().geometry.layout().nodes.at(id).center());
  }
  QPoint out(const NodeId& id) { return at(session().geometry.layout().outPort(id)); }
  QPoint in(const NodeId& id) { return at(session().geometry.layout().inPort(id)); }
  void click(QPoint where) {
    QTest::mouseClick(view().viewport(), Qt::LeftButton, Qt::NoModifier, where);
  }
  void drag(QPoint from, QPoint to) {
    QTest::mousePress(view().viewport(), Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(view().viewport(), from + (to - from) / 2);
    QTest::mouseMove(view().viewport(), to);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, Qt::NoModifier, to);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&view(), key, modifiers);
  }
  /// Types into the open search and accepts the first match.
  void choose(const QString& words) {
    QTest::keyClicks(&view().search().line(), words);
    QTest::keyClick(&view().search().line(), Qt::Key_Return);
    settle();
  }
  bool leads(const NodeId& from, const NodeId& to) {
    for (const GraphWire& wire : graph().wires)
      if (wire.from == from && wire.to == to) return true;
    return false;
  }

 private:
  PipelinePage m_page;
};

}  // namespace millrace::tests
