// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/graph/graph_check.h"
#include "core/nodes/builtin.h"
#include "tests/core/graph/test_kinds.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::chainOf;

namespace {

/// The problems of a chain of kinds, such as "image_folder decode batch drain".
std::string problemsOf(const std::string& kinds, const Values& ofBatch = {}) {
  Graph graph = chainOf(kinds);
  graph.node("image_folder")->params["paths"] = Value{TextList{"photos"}};
  for (const auto& [name, value] : ofBatch) graph.node("batch")->params[name] = value;
  CheckOptions options;
  options.device = DeviceUse::DontDetect;
  std::string text;
  const CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) text += problem.text() + "\n";
  return text;
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestSizeRules : public QObject {
  Q_OBJECT
 private slots:
  void picturesGetOneSize() {
    const std::string open = problemsOf("image_folder decode batch drain");
    QVERIFY2(says(open, "batch: pictures of `image` differ in size: ?x?x3"), open.c_str());
    QCOMPARE(problemsOf("image_folder decode batch resize drain"), std::string());
    QCOMPARE(problemsOf("image_folder decode batch pad_batch drain"), std::string());
    QCOMPARE(problemsOf("image_folder decode batch drain", {{"keep_sizes", true}}), std::string());
  }

  void nodesOnSamplesComeBeforeThePadding() {
    QCOMPARE(problemsOf("image_folder decode flip batch pad_batch prefetch drain"), std::string());
    const std::string flip = problemsOf("image_folder decode batch pad_batch flip drain");
    QVERIFY2(says(flip, "flip: works on single samples, but those of `image` were padded"),
             flip.c_str());
  }

  void somethingMustVary() {
    QVERIFY(says(problemsOf("image_folder decode resize batch pad_batch drain"),
                 "no field has samples of different sizes"));
  }
};

}  // namespace millrace

using millrace::TestSizeRules;
MILLRACE_TEST_CASE(TestSizeRules)
#include "tst_size_rules.moc"
