// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>

#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/inspector_bench.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/browse_button.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/models/live/node_run.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

using tests::InspectorBench;
using tests::rowOf;
using tests::type;

/// A valid value of the parameter's type that is neither the default nor the node's `present` one.
Value otherValue(const ParamSpec& spec, const Value& present) {
  switch (spec.type) {
    case ParamType::Integer: {
      const auto now =
          std::max(std::get<std::int64_t>(spec.defaultValue), std::get<std::int64_t>(present));
      const bool up = !spec.maximum || static_cast<double>(now) + 1 <= *spec.maximum;
      return Value{up ? now + 1 : now - 1};
    }
    case ParamType::Real: {
      const double now = std::get<double>(spec.defaultValue);
      const double high = spec.maximum.value_or(now + 1);
      const double low = spec.minimum.value_or(now - 1);
      return Value{now == high ? (low + high) / 2 : (now + high) / 2};
    }
    case ParamType::Boolean: return Value{!std::get<bool>(spec.defaultValue)};
    case ParamType::Choice:
      return Value{spec.choices[Value{spec.choices[0]} == spec.defaultValue ? 1 : 0]};
    case ParamType::RealList: return Value{RealList{spec.minimum.value_or(0) + 0.25}};
    case ParamType::TextList:
    case ParamType::PathList: return Value{TextList{"a", "b c"}};
    case ParamType::Text:
    case ParamType::Path: return Value{std::string("other")};
  }
  return {};
}

}  // namespace

class TestInspector : public QObject {
  Q_OBJECT
 private slots:
  void enterAcceptsAListAndEscapeDiscardsIt() {
    InspectorBench bench;
    const NodeId source = bench.session.document.graph().nodes.front().id;
    bench.session.selection.set({source});
    FieldRow* row = rowOf(bench.panel, "paths");
    QVERIFY(row != nullptr);
    auto* text = row->findChild<QPlainTextEdit*>();
    const Value before = bench.value(source, "paths");
    const auto type = [&] {
      text->setFocus();
      text->selectAll();
      QTest::keyClicks(text, "one");
      QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
      QTest::keyClicks(text, "two");
    };
    type();
    QSignalSpy left(&bench.panel, &InspectorPanel::left);
    QTest::keyClick(text, Qt::Key_Escape);
    QCOMPARE(left.count(), 1);
    text->clearFocus();
    QCOMPARE(bench.value(source, "paths"), before);
    type();
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(bench.value(source, "paths"), (Value{TextList{"one", "two"}}));
    QCOMPARE(left.count(), 1);
  }

  void aWarningHasTheColourOfWarnings() {
    InspectorBench bench;
    bench.session.selection.set({"batch"});
    FieldRow* row = rowOf(bench.panel, "size");
    const auto colourAfter = [&](Severity severity) {
      row->showProblems({{severity, "batch", "size", "it is so", "change it"}});
      QTest::qWait(0);
      for (auto* note : row->findChildren<QFrame*>())
        if (note->property("note").isValid() && note->isVisible())
          return QColor(note->grab().toImage().pixel(note->width() / 2, 2));
      return QColor();
    };
    QCOMPARE(colourAfter(Severity::Warning), theme()[Tone::WarningSoft]);
    QCOMPARE(colourAfter(Severity::Error), theme()[Tone::ErrorSoft]);
    QCOMPARE(colourAfter(Severity::Warning), theme()[Tone::WarningSoft]);
  }

  void everyParameterOfEveryKindHasAFieldThatShowsAndEdits() {
    for (const NodeSpec& kind : builtinCatalog().all()) {
      InspectorBench bench("classification");
      bench.session.document.edit("x", Graph{});
      const NodeId id = *bench.session.editor.add(kind.kind);
      QCOMPARE(bench.panel.rows().size(), kind.params.size());
      for (std::size_t i = 0; i < kind.params.size(); ++i) {
        FieldRow& row = *bench.panel.rows()[i];
        const ParamSpec& spec = kind.params[i];
        const QByteArray where = QByteArray::fromStdString(kind.kind + "." + spec.name);
        QVERIFY2(row.editor().toolTip().contains(toQt(spec.name)), where);
        // A new node's threads are at most the machine's cores; all else is the default.
        const Value before = bench.value(id, spec.name.c_str());
        QVERIFY2(before == spec.defaultValue || kind.role == NodeRole::Workers, where);
        const Value other = otherValue(spec, before);
        emit row.editor().edited(other);
        QVERIFY2(bench.value(id, spec.name.c_str()) == other, where);
        const auto* reset = row.findChild<QToolButton*>();
        QVERIFY2(reset != nullptr, where);
        bench.session.document.undoStack().undo();
        QVERIFY2(bench.value(id, spec.name.c_str()) == before, where);
      }
    }
  }

  void aPendingValueIsAppliedToItsOwnNode() {
    InspectorBench bench;
    bench.session.selection.set({"flip"});
    auto* line = rowOf(bench.panel, "horizontal")->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, "0.125");
    bench.session.selection.set({"batch"});
    QCOMPARE(bench.value("flip", "horizontal"), Value{0.125});
    QCOMPARE(bench.session.document.undoStack().count(), 1);
  }

  /// Only the description marks it as a path: a cache's folder is a text, because it need not
  /// exist.
  void foldersAndFilesCanBeChosenOnTheDisk() {
    const tests::TemporaryFolder folder;
    folder.makeFolder("kept");
    folder.write("all.csv");
    InspectorBench bench;
    const auto buttonOf = [&](const char* kind, const char* param) {
      bench.session.document.edit("x", Graph{});
      bench.session.editor.add(kind);
      return rowOf(bench.panel, param)->findChild<BrowseButton*>();
    };
    for (const NodeSpec& kind : builtinCatalog().all())
      for (const ParamSpec& param : kind.params)
        QVERIFY2((buttonOf(kind.kind.c_str(), param.name.c_str()) != nullptr) ==
                     (param.names != DiskName::Nothing),
                 (kind.kind + "." + param.name).c_str());
    const auto choose = [&](BrowseButton* button, const char* name) {
      bool isChosen = false;
      QTimer poll;
      connect(&poll, &QTimer::timeout, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return;
        poll.stop();
        dialog->setDirectory(fileText(folder.path()));
        dialog->findChild<QLineEdit*>()->setText(fileText(folder.path() / name));
        static_cast<QDialog*>(dialog)->accept();
        isChosen = true;
      });
      poll.start(5);
      button->click();
      return QTest::qWaitFor([&] { return isChosen; }, tests::kGenerousMs);
    };
    QVERIFY(choose(buttonOf("disk_cache", "path"), "kept"));
    QCOMPARE(bench.value("disk_cache", "path"), Value{(folder.path() / "kept").string()});
    QVERIFY(choose(buttonOf("manifest", "paths"), "all.csv"));
    QCOMPARE(bench.value("manifest", "paths"),
             Value{TextList{(folder.path() / "all.csv").string()}});
    // Either, from a menu.
    QCOMPARE(buttonOf("tfrecord", "paths")->menu()->actions().size(), 2);
  }

  void aForbiddenValueIsExplainedInPlaceAndChangesNothing() {
    InspectorBench bench;
    bench.session.selection.set({"batch"});
    FieldRow& row = *rowOf(bench.panel, "size");
    const auto noteOf = [&] {
      for (const QLabel* label : row.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains("<a href")) return label->text();
      return QString();
    };
    for (const char* wrong : {"0", "-3", "many", "1.5"}) {
      type(row, wrong);
      QVERIFY2(noteOf().contains("Use 64"), wrong);
      QCOMPARE(bench.session.document.undoStack().count(), 0);
    }
    type(row, "32");
    QVERIFY(noteOf().isEmpty());
  }

  void aProblemOfTheCheckIsShownAtItsField() {
    InspectorBench bench;
    bench.session.selection.set({"workers"});
    type(*rowOf(bench.panel, "count"), "1024");
    bench.settle();
    bool found = false;
    for (const QLabel* label : rowOf(bench.panel, "count")->findChildren<QLabel*>())
      found = found || (label->isVisible() && label->text().contains("cores"));
    QVERIFY(found);
  }

  void severalNodesShowSharedParametersAndAreSetTogether() {
    InspectorBench bench;
    bench.session.selection.set({"batch", "flip"});
    QVERIFY(bench.panel.rows().empty());
    const NodeId second = *bench.session.editor.add("flip");
    type(*rowOf(bench.panel, "horizontal"), "0.1");
    bench.session.selection.set({"flip", second});
    QCOMPARE(bench.panel.rows().size(), builtinCatalog().find("flip")->params.size());
    QCOMPARE(rowOf(bench.panel, "horizontal")->findChild<QLineEdit*>()->placeholderText(),
             "differs");
    const int before = bench.session.document.undoStack().count();
    type(*rowOf(bench.panel, "horizontal"), "0.3");
    QCOMPARE(bench.value("flip", "horizontal"), Value{0.3});
    QCOMPARE(bench.value(second, "horizontal"), Value{0.3});
    QCOMPARE(bench.session.document.undoStack().count(), before + 1);
  }

  void aParameterWithoutEffectIsGreyedAndExplained() {
    InspectorBench bench;
    bench.session.selection.set({"shuffle"});
    FieldRow* window = rowOf(bench.panel, "window");
    const auto* caption = window->findChild<QLabel*>("caption");
    QVERIFY(!window->editor().isEnabled());
    QCOMPARE(caption->text(), QString("Used if Mode is window or interleave"));
    const GraphNode& node = *bench.session.document.graph().node("shuffle");
    const NodeSpec& kind = *builtinCatalog().find("shuffle");
    QCOMPARE(settingsLine(node, kind), QString("full"));
    bench.session.editor.setParameter({"shuffle"}, *kind.param("mode"),
                                      Value{std::string("window")});
    QVERIFY(window->editor().isEnabled());
    QVERIFY(caption->text().contains("samples"));
    QVERIFY(settingsLine(*bench.session.document.graph().node("shuffle"), kind).contains("10"));
  }

  /// A wrong value must be corrected where it is.
  void aProblemInAGreyedParameterCanBeCorrected() {
    InspectorBench bench;
    bench.session.selection.set({"shuffle"});
    FieldRow* window = rowOf(bench.panel, "window");
    window->showProblems({{Severity::Error, "shuffle", "window", "odd", "even it"}});
    QVERIFY(window->editor().isEnabled());
    window->showProblems({});
    QVERIFY(!window->editor().isEnabled());
  }

  void withoutASelectionTheSeedIsShown() {
    InspectorBench bench;
    type(*rowOf(bench.panel, "seed"), "42");
    QCOMPARE(bench.session.document.graph().seed, std::uint64_t{42});
  }

  /// The panel does not scroll sideways, so what is wider than its view would be cut.
  void atItsLeastWidthNothingIsUnderTheScrollBar() {
    InspectorBench bench("classification");
    bench.panel.setRanOf([](const NodeId&) {
      NodeRun ran;
      ran.heading = "Run 42";
      ran.rows = {{"Time each", "800 ms on average, 95 % within 805 ms"},
                  {"Queue before", "2.0 of 2, full 100 %"}};
      ran.times.counts[Histogram::bucketOf(800'000'000)] = 10;
      return std::optional(ran);
    });
    int widest = 0;
    for (const NodeSpec& kind : builtinCatalog().all()) {
      bench.session.document.edit("x", Graph{});
      bench.session.editor.add(kind.kind);
      bench.panel.resize(bench.panel.minimumSizeHint().width(), 240);
      QCoreApplication::processEvents();
      widest = std::max(widest, bench.panel.width());
      const QWidget* body = bench.panel.widget();
      QVERIFY2(body->width() <= bench.panel.viewport()->width(), kind.kind.c_str());
      for (const auto* label : body->findChildren<QLabel*>())
        QVERIFY2(label->isHidden() || label->width() >= label->minimumSizeHint().width(),
                 (kind.kind + ": " + fromQt(label->text())).c_str());
    }
    // A dock that grew with each selection would move the canvas.
    QVERIFY2(widest <= 312, qPrintable(QString::number(widest)));
    // A long name of a file is one word.
    bench.session.selection.clear();
    bench.panel.setRanOf([](const NodeId&) {
      return std::optional(NodeRun{"Run 42", {{"Read", QString(60, QChar(0x77))}}, {}, {}, 0});
    });
    bench.session.selection.set({bench.session.document.graph().nodes.front().id});
    QVERIFY(bench.panel.minimumSizeHint().width() > 400);
  }

  void anUnknownKindIsShownAndKept() {
    InspectorBench bench;
    VERIFY_OK(bench.session.document.openText(
        R"({"format_version":1,"nodes":[{"id":"x","kind":"lidar_sweep"}],"wires":[]})", "x"));
    bench.session.selection.set({"x"});
    QVERIFY(bench.panel.rows().empty());
  }
};

}  // namespace millrace

using millrace::TestInspector;
MILLRACE_TEST_CASE(TestInspector)
#include "tst_inspector.moc"
