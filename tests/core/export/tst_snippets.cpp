// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/snippets.h"

#include <filesystem>
#include <set>

#include "core/export/exporter.h"
#include "tests/core/export/snippet_lines.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestSnippets : public QObject {
  Q_OBJECT
 private slots:
  void everyFileIsBuiltInByteForByte() {
    namespace fs = std::filesystem;
    const fs::path folder = tests::sourcePath("resources/export");
    std::set<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".py") files.insert(entry.path());
    QVERIFY(!files.empty());
    for (const EmbeddedSnippet& snippet : embeddedSnippets()) {
      const fs::path file = folder / snippet.target / (std::string(snippet.name) + ".py");
      QVERIFY2(files.erase(file) == 1, file.c_str());
      QVERIFY2(tests::contentOf(file) == snippet.text, file.c_str());
    }
    QVERIFY2(files.empty(), files.empty() ? "" : files.begin()->c_str());
  }

  void everySnippetHasABodyAndNeedsSnippetsThatExist() {
    for (const EmbeddedSnippet& embedded : embeddedSnippets()) {
      const Snippet snippet = parseSnippet(embedded.text);
      QVERIFY2(!snippet.body.empty(), std::string(embedded.name).c_str());
      for (const std::string& needed : snippet.needs) {
        bool found = false;
        for (const EmbeddedSnippet& other : embeddedSnippets())
          found = found || (other.name == needed &&
                            (other.target == embedded.target || other.target == "python"));
        QVERIFY2(found, (std::string(embedded.name) + " needs " + needed).c_str());
      }
    }
  }

  // REUSE-IgnoreStart: the heads in these literals are not this file's.
  void aFileIsTakenApart() {
    const Snippet snippet = parseSnippet(
        "# SPDX-FileCopyrightText: x\n# SPDX-License-Identifier: y\n# needs: a b_c\n"
        "import os\nfrom x import (y)\n\n\nLIMIT = 3\n\n\ndef f():\n    import sys\n    return "
        "1\n\n");
    QCOMPARE(snippet.needs, (std::vector<std::string>{"a", "b_c"}));
    QCOMPARE(snippet.imports, (std::vector<std::string>{"import os", "from x import (y)"}));
    QCOMPARE(snippet.body, std::string("LIMIT = 3\n\n\ndef f():\n    import sys\n    return 1"));
    QVERIFY(parseSnippet("# SPDX-License-Identifier: y\n\n").body.empty());
  }
  // REUSE-IgnoreEnd

  void aTargetsOwnSnippetIsTakenBeforeTheSharedOne() {
    QVERIFY(snippetNamed("pytorch", "list_files").body !=
            snippetNamed("python", "list_files").body);
    QCOMPARE(snippetNamed("tfdata", "list_files").body, snippetNamed("python", "list_files").body);
  }

  void aSnippetInCodeBecomesALineAndComesBack() {
    const std::string decode = snippetNamed("tfdata", "decode").body;
    const std::string listing = snippetNamed("python", "list_files").body;
    const std::string apart = "\n\n\n";
    const std::string code = "import os\n\nA = 1" + apart + listing + apart + decode + apart +
                             "def f():\n    pass" + apart + decode + "\n";
    const std::string named = tests::withSnippetsNamed(code, "tfdata");
    QCOMPARE(named, "import os\n\nA = 1" + apart +
                        "# <python/list_files.py>\n# <tfdata/decode.py>" + apart +
                        "def f():\n    pass" + apart + "# <tfdata/decode.py>\n");
    QCOMPARE(tests::withSnippetsInPlace(named), code);
  }

  void changedSnippetsAndThoseOfOtherTargetsStay() {
    const std::string decode = snippetNamed("tfdata", "decode").body;
    for (const std::string& code :
         {"A = 1\n\n\n" + decode + "\n    more()\n", "A = 1\n\n\nX" + decode + "\n"})
      QCOMPARE(tests::withSnippetsNamed(code, "tfdata"), code);
    const std::string code = "A = 1\n\n\n" + decode + "\n";
    QCOMPARE(tests::withSnippetsNamed(code, "dali"), code);
    QCOMPARE(tests::withSnippetsInPlace("# <tfdata/absent.py>\n"),
             std::string("# <tfdata/absent.py>\n"));
  }
};

}  // namespace millrace

using millrace::TestSnippets;
MILLRACE_TEST_CASE(TestSnippets)
#include "tst_snippets.moc"
