// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Numbers in the inspector, as users write them.
#include <clocale>
#include <locale>

#include <QLineEdit>
#include <QLocale>

#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "tests/widgets/inspector_bench.h"
#include "widgets/common/format.h"
#include "widgets/inspector/inspector_panel.h"

namespace millrace {

namespace {

using tests::InspectorBench;
using tests::rowOf;
using tests::type;

/// A locale that writes 0,5, if this machine has one.
class CommaLocale {
 public:
  CommaLocale() : m_qt(QLocale()), m_c(std::setlocale(LC_NUMERIC, nullptr)) {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
      if (std::setlocale(LC_NUMERIC, name) != nullptr) break;
    std::locale::global(std::locale(std::locale(), new Punctuation));
  }
  ~CommaLocale() {
    std::locale::global(m_before);
    std::setlocale(LC_NUMERIC, m_c.c_str());
    QLocale::setDefault(m_qt);
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

 private:
  struct Punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  QLocale m_qt;
  std::string m_c;
  std::locale m_before;
};

}  // namespace

class TestInspectorNumbers : public QObject {
  Q_OBJECT
 private slots:
  void escapeDiscardsATypedNumber() {
    InspectorBench bench;
    bench.session.selection.set({"batch"});
    FieldRow* row = rowOf(bench.panel, "size");
    const Value before = bench.value("batch", "size");
    auto* line = row->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, "7");
    QTest::keyClick(line, Qt::Key_Escape);
    line->clearFocus();
    QCOMPARE(bench.value("batch", "size"), before);
    QCOMPARE(line->text(), shownNumber(std::get<std::int64_t>(before)));
  }

  void aTypedNumberIsOneUndoStep() {
    InspectorBench bench;
    bench.session.selection.set({"batch"});
    type(*rowOf(bench.panel, "size"), "128");
    QCOMPARE(bench.value("batch", "size"), Value{std::int64_t{128}});
    QCOMPARE(bench.session.document.undoStack().count(), 1);
    bench.session.document.undoStack().undo();
    QCOMPARE(rowOf(bench.panel, "size")->findChild<QLineEdit*>()->text(), "64");
  }

  void commaAndPointAreBothDecimalSeparators() {
    InspectorBench bench;
    bench.session.selection.set({"flip"});
    type(*rowOf(bench.panel, "horizontal"), "0,25");
    QCOMPARE(bench.value("flip", "horizontal"), Value{0.25});
    type(*rowOf(bench.panel, "horizontal"), "0.75");
    QCOMPARE(bench.value("flip", "horizontal"), Value{0.75});
  }

  /// In files, never in fields: those accept both.
  void aLocaleWithCommaDecimalsChangesNoByteOfAFile() {
    const CommaLocale commas;
    for (const Example& example : examples()) {
      Document document(builtinCatalog());
      VERIFY_OK(document.openText(*exampleJson(example.name), "x"));
      QCOMPARE(document.text(), *exampleJson(example.name));
    }
    InspectorBench bench;
    bench.session.selection.set({"flip"});
    type(*rowOf(bench.panel, "horizontal"), "0,125");
    QCOMPARE(bench.value("flip", "horizontal"), Value{0.125});
    QVERIFY(bench.session.document.text().find("\"horizontal\": 0.125") != std::string::npos);
    QCOMPARE(rowOf(bench.panel, "horizontal")->findChild<QLineEdit*>()->text(), "0.125");
  }

  void aNumberIsWholeInANarrowInspector() {
    InspectorBench bench;
    bench.panel.resize(280, 300);
    bench.session.selection.set({"shuffle"});
    QCoreApplication::processEvents();
    auto* line = rowOf(bench.panel, "window")->findChild<QLineEdit*>();
    QCOMPARE(line->text(), QString("10\u00A0000"));
    constexpr int kTextMargins = 4;
    QVERIFY2(line->width() >= line->fontMetrics().horizontalAdvance(line->text()) + kTextMargins,
             qPrintable(QString::number(line->width())));
  }

  void numbersAreAcceptedAsUsersWriteThem() {
    QCOMPARE(shownNumber(std::int64_t{16384}), QString("16\u00A0384"));
    QCOMPARE(shownNumber(-0.5), QString("\u22120.5"));
    QCOMPARE(shownNumber(1.0 / 3), QString("0.333333"));
    QCOMPARE(shownNumber(0.0001), QString("0.0001"));
    QCOMPARE(typedNumber("16\u00A0384"), std::optional<double>(16384));
    QCOMPARE(typedNumber("\u22120,5"), std::optional<double>(-0.5));
    QCOMPARE(typedNumber("1e3"), std::optional<double>(1000));
    QVERIFY(!typedNumber("1,2,3"));
    QVERIFY(!typedNumber("nan"));
  }
};

}  // namespace millrace

using millrace::TestInspectorNumbers;
MILLRACE_TEST_CASE(TestInspectorNumbers)
#include "tst_inspector_numbers.moc"
