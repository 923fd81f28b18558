// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// The problems of a chain of kinds with their defaults, after a source of boxes.
std::string problemsOf(const std::vector<std::string>& kinds) {
  std::string nodes =
      R"({"id": "detection", "kind": "detection", "params": {"path": "annotations.json"}})";
  std::string wires;
  std::string last = "detection";
  for (const std::string& kind : kinds) {
    nodes += fmt::format(R"(, {{"id": "{0}", "kind": "{0}", "params": {{}}}})", kind);
    wires +=
        fmt::format(R"({}{{"from": "{}", "to": "{}"}})", wires.empty() ? "" : ", ", last, kind);
    last = kind;
  }
  const ReadGraph read =
      parseGraph(fmt::format(R"({{"format_version": 1, "seed": 0, "nodes": [{}], "wires": [{}]}})",
                             nodes, wires),
                 builtinCatalog());
  if (!read.graph) return "not a graph";
  CheckOptions options;
  options.device = DeviceUse::DontDetect;
  std::string text;
  const CheckResult checked = checkGraph(*read.graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all()) text += problem.text() + "\n";
  return text;
}

}  // namespace

class TestObjectRules : public QObject {
  Q_OBJECT
 private slots:
  void geometryComesBeforeTheBatch() {
    QCOMPARE(problemsOf({"decode", "resize", "flip", "filter_boxes", "batch", "drain"}),
             std::string());
    QCOMPARE(problemsOf({"decode", "resize", "batch", "normalise", "drain"}), std::string());
    QVERIFY(problemsOf({"decode", "resize", "batch", "flip", "drain"})
                .find("flip: in a batch it would not keep pictures and `boxes` together") !=
            std::string::npos);
    QVERIFY(
        problemsOf({"decode", "resize", "batch", "cutmix", "drain"}).find("it mixes pictures") !=
        std::string::npos);
  }

  void geometryComesBeforePaddedObjects() {
    QCOMPARE(problemsOf({"decode", "resize", "pad_objects", "batch", "drain"}), std::string());
    QVERIFY(problemsOf({"decode", "pad_objects", "resize", "batch", "drain"})
                .find("every picture has 100 rows of `boxes` here") != std::string::npos);
  }
};

MILLRACE_TEST_CASE(TestObjectRules)

}  // namespace millrace

#include "tst_object_rules.moc"
