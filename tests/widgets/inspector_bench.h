// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/inspector/inspector_panel.h"

namespace millrace::tests {

inline FieldRow* rowOf(InspectorPanel& panel, const char* name) {
  return panel.findChild<FieldRow*>(QString("field_") + name);
}

inline void type(FieldRow& row, const QString& text) {
  auto* line = row.findChild<QLineEdit*>();
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
}

/// The inspector of an open example.
struct InspectorBench {
  explicit InspectorBench(const char* example = "classification") : session(builtinCatalog()) {
    [[maybe_unused]] const Status opened =
        session.document.openText(*exampleJson(example), example);
    panel.setSession(&session);
    panel.resize(330, 700);
    panel.show();
    panel.activateWindow();
    settle();
  }
  ~InspectorBench() { panel.setSession(nullptr); }
  void settle() {
    QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, 20000));
  }
  Value value(const NodeId& id, const char* name) {
    return valueOf(*session.document.graph().node(id), *session.document.specOf(id)->param(name));
  }

  EditSession session;
  InspectorPanel panel;
};

}  // namespace millrace::tests
