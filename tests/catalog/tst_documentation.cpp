// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/nodes/builtin.h"
#include "core/spec/catalog_text.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestDocumentation : public QObject {
  Q_OBJECT
 private slots:
  /// MILLRACE_REGENERATE=1 writes the page before comparing it.
  void thePageOfAllNodesIsFresh() {
    const std::string file = tests::sourcePath("resources/help/nodes.md");
    const std::string wanted = catalogMarkdown(builtinCatalog());
    if (std::getenv("MILLRACE_REGENERATE") != nullptr)
      std::ofstream(file, std::ios::binary) << wanted;
    std::stringstream found;
    found << std::ifstream(file, std::ios::binary).rdbuf();
    QVERIFY2(found.str() == wanted,
             "resources/help/nodes.md is stale; set MILLRACE_REGENERATE=1 and run this test");
  }

  void theOverviewNamesEveryKindWithinEightyColumns() {
    const QString text = QString::fromStdString(catalogOverviewText(builtinCatalog()));
    // "Zhong et al. 2017" does not end a sentence.
    QCOMPARE(text.count('('), text.count(')'));
    for (const std::string& kind : builtinCatalog().kinds())
      QVERIFY(text.contains("\n  " + QString::fromStdString(kind) + " "));
    for (const QString& line : text.split('\n')) QVERIFY2(line.size() <= 80, qPrintable(line));
  }
};

}  // namespace millrace

using millrace::TestDocumentation;
MILLRACE_TEST_CASE(TestDocumentation)
#include "tst_documentation.moc"
