// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Adding a kind takes one file and one line: added_kind.cpp is the file, `with()` contains the
// line.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/spec/catalog_text.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace nodes {
NodeSpec vignette();
}

namespace {

constexpr const char* kKind = "vignette_for_tests";

Catalog with() {
  Catalog catalog = builtinCatalog();
  catalog.add(nodes::vignette());
  return catalog;
}

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestAddingAKind : public QObject {
  Q_OBJECT
 private slots:
  void isInTheFileFormat() {
    const Catalog catalog = with();
    const Result<AddedNode> added = addNode({}, catalog, kKind);
    VERIFY_OK(added);
    const std::string text = graphText(added->graph, catalog);
    QVERIFY(contains(text, R"("params": {"shade": "dark", "strength": 0.5})"));
    const ReadGraph read = parseGraph(text, catalog);
    QVERIFY(*read.graph == added->graph);
  }

  void isChecked() {
    const Catalog catalog = with();
    const ReadGraph read = parseGraph(
        R"({"format_version": 1, "nodes": [{"kind": "vignette_for_tests",
            "params": {"strength": 2, "shade": "darc"}}]})",
        catalog);
    std::string said;
    const CheckResult result = checkGraph(*read.graph, catalog, {});
    for (const Problem& problem : result.problems.all()) said += problem.text() + "\n";
    QVERIFY2(contains(said, "vignette_for_tests.strength: 2 is out of range"), said.c_str());
    QVERIFY2(contains(said, "did you mean `dark`?"), said.c_str());
  }

  void isSetFromTheCommandLine() {
    const Catalog catalog = with();
    const Graph graph = addNode({}, catalog, kKind)->graph;
    VERIFY_OK(applySetting(graph, catalog, "vignette_for_tests.shade=light"));
    QVERIFY(!applySetting(graph, catalog, "vignette_for_tests.strength=7"));
  }

  void isInHelpAndDocumentation() {
    const Catalog catalog = with();
    QVERIFY(contains(nodeHelpText(*catalog.find(kKind)), "strength (real); default: 0.5; 0 to 1"));
    QVERIFY(contains(catalogOverviewText(catalog), "  Darkens the corners\n"));
    QVERIFY(contains(catalogMarkdown(catalog), "### Vignette (`vignette_for_tests`)"));
  }

  /// The one line is in nodes.def: no other file names a kind. Kinds that are a single plain word
  /// are not searched for, because the word has other uses. Examples are pipelines and name their
  /// kinds.
  void noFileOutsideTheNodesNamesAKind() {
    namespace fs = std::filesystem;
    const fs::path root = tests::kSourceFolder;
    int files = 0;
    for (const char* room : {"core", "app", "widgets"}) {
      if (!fs::exists(root / room)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
        const std::string path = fs::relative(entry.path(), root).string();
        const std::string extension = entry.path().extension().string();
        if ((extension != ".cpp" && extension != ".h") || path.starts_with("core/nodes/") ||
            path.starts_with("core/sample_data/"))
          continue;
        ++files;
        const std::string text = contentOf(entry.path());
        for (const std::string& kind : builtinCatalog().kinds())
          if (contains(kind, "_"))
            QVERIFY2(!contains(text, "\"" + kind + "\"") && !contains(text, "`" + kind + "`"),
                     (path + " names " + kind).c_str());
      }
    }
    QVERIFY(files > 20);
  }
};

}  // namespace millrace

using millrace::TestAddingAKind;
MILLRACE_TEST_CASE(TestAddingAKind)
#include "tst_adding_a_kind.moc"
