// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/number_rules.h"

#include <string>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Whether the example with these settings is warned of its mean.
bool isWarned(const std::vector<std::string>& settings) {
  Graph graph = *parseGraph(*exampleJson("classification"), builtinCatalog()).graph;
  for (const std::string& setting : settings)
    graph = *applySetting(std::move(graph), builtinCatalog(), setting);
  const CheckResult checked = checkGraph(graph, builtinCatalog(), {});
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Warning && problem.node == "normalise" &&
        problem.message.find("those of photos") != std::string::npos)
      return true;
  return false;
}

}  // namespace

class TestNumberRules : public QObject {
  Q_OBJECT
 private slots:
  void theDefaultFiguresDoNotSuitNumbersOfFiles() {
    QVERIFY(!isWarned({}));
    QVERIFY(isWarned({"decode.form=stored"}));
    QVERIFY(!isWarned(
        {"decode.form=stored", "normalise.mean=19000,20000,18000", "normalise.deviation=9000"}));
    QVERIFY(!isWarned({"decode.form=stored", "normalise.mean=0.4,0.5,0.6"}));
  }
};

}  // namespace millrace

using millrace::TestNumberRules;
MILLRACE_TEST_CASE(TestNumberRules)
#include "tst_number_rules.moc"
