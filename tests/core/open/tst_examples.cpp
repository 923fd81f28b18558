// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/examples.h"

#include <set>

#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/embedded_examples.h"
#include "tests/support/test_case.h"

namespace millrace {
namespace {

std::string textOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems.all()) text += problem.text() + "\n";
  return text;
}

}  // namespace

class TestExamples : public QObject {
  Q_OBJECT
 private:
  static void eachExample() {
    QTest::addColumn<QString>("name");
    for (const Example& example : examples()) {
      const QString name = QString::fromUtf8(example.name.data(), qsizetype(example.name.size()));
      QTest::newRow(qPrintable(name)) << name;
    }
  }
  static std::string jsonOfRow() {
    QFETCH(QString, name);
    return exampleJson(name.toStdString()).value_or("");
  }

 private slots:
  void everyFileIsListedAndEveryNameHasAFile() {
    std::set<std::string_view> listed;
    for (const Example& example : examples()) listed.insert(example.name);
    std::set<std::string_view> embedded;
    for (const auto& example : samples::embeddedExamples()) embedded.insert(example.name);
    QVERIFY(listed == embedded);
    QCOMPARE(listed.size(), std::size_t{7});
    QVERIFY(!exampleJson("chess960"));
  }

  void isWrittenAsMillraceWritesIt_data() { eachExample(); }
  void isWrittenAsMillraceWritesIt() {
    const std::string json = jsonOfRow();
    const ReadGraph read = parseGraph(json, builtinCatalog());
    QVERIFY2(read.graph.has_value(), textOf(read.problems).c_str());
    QCOMPARE(QString::fromStdString(graphText(*read.graph, builtinCatalog())),
             QString::fromStdString(json));
  }

  void passesItsCheck_data() { eachExample(); }
  void passesItsCheck() {
    const ReadGraph read = parseGraph(jsonOfRow(), builtinCatalog());
    QVERIFY2(read.graph.has_value(), textOf(read.problems).c_str());
    for (const GraphNode& node : read.graph->nodes)
      if (builtinCatalog().find(node.kind) == nullptr)
        QSKIP(qPrintable(QString("no kind `%1` yet").arg(node.kind.c_str())));
    const CheckResult result = checkGraph(*read.graph, builtinCatalog(), CheckOptions{});
    QVERIFY2(result.pipeline.has_value(), textOf(result.problems).c_str());
    QVERIFY2(result.problems.all().empty(), textOf(result.problems).c_str());
  }
};

}  // namespace millrace

using millrace::TestExamples;
MILLRACE_TEST_CASE(TestExamples)
#include "tst_examples.moc"
