// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/sample_needs.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A document with one node for each set of parameters.
Graph graphOf(std::vector<ParamValues> nodes) {
  Graph graph;
  for (ParamValues& params : nodes) {
    GraphNode node;
    node.id = "n" + std::to_string(graph.nodes.size());
    node.params = std::move(params);
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

Value text(const char* value) { return std::string(value); }

}  // namespace

class TestSampleNeeds : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray("/nowhere/at/all"));
  }
  void cleanupTestCase() {
    if (m_before.isNull())
      qunsetenv("XDG_CACHE_HOME");
    else
      qputenv("XDG_CACHE_HOME", m_before);
  }

  void needsAreFoundInTextsAndListsOfAllNodesOnce() {
    const Graph graph =
        graphOf({{{"paths", Value(TextList{"sample:street/train", "/data", "sample:chess"})},
                  {"count", Value(std::int64_t{3})}},
                 {{"file", text("sample:street")}, {"name", text("samples:x")}}});
    QCOMPARE(sampleNeeds(graph), (std::vector<std::string>{"chess", "street"}));
    QVERIFY(sampleNeeds(graphOf({})).empty());
  }

  /// The engine does not know what the text means there.
  void parametersOfUnknownKindsNeedNothing() {
    QVERIFY(sampleNeeds(graphOf({{{"paths", RawJson{"[\"sample:chess\"]"}}}})).empty());
  }

  void whatIsNotMadeYetIsMissing() {
    const Graph graph = graphOf({{{"paths", Value(TextList{"sample:chess", "/data"})}}});
    QCOMPARE(missingSamples(graph), std::vector<std::string>{"chess"});
  }

  void pathsOfOneDataSetAreReplacedAndNoOthers() {
    const Graph graph = graphOf({{{"paths", Value(TextList{"sample:chess/train", "sample:street",
                                                           "sample:chess2", "/sample:chess"})},
                                  {"file", text("sample:chess")},
                                  {"count", Value(std::int64_t{3})},
                                  {"raw", RawJson{"\"sample:chess\""}}}});
    const Graph moved = withSamplesIn(graph, "chess", "/made/here");
    QVERIFY(moved == graphOf({{{"paths", Value(TextList{"/made/here/train", "sample:street",
                                                        "sample:chess2", "/sample:chess"})},
                               {"file", text("/made/here")},
                               {"count", Value(std::int64_t{3})},
                               {"raw", RawJson{"\"sample:chess\""}}}}));
    QVERIFY(withSamplesIn(graph, "photos", "/made/here") == graph);
  }

 private:
  QByteArray m_before;
};

}  // namespace millrace

using millrace::TestSampleNeeds;
MILLRACE_TEST_CASE(TestSampleNeeds)
#include "tst_sample_needs.moc"
