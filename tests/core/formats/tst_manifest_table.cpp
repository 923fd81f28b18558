// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/manifest_table.h"

#include "core/formats/folder/csv.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Rows as `line:[cell][cell]`, broken rows as `line!problem`.
std::vector<std::string> rowsOf(std::string_view text, char separator = ',') {
  std::vector<std::string> rows;
  CsvReader csv(text, separator);
  for (auto row = csv.next(); row != CsvReader::Row::End; row = csv.next()) {
    std::string shown = std::to_string(csv.line());
    if (row == CsvReader::Row::Broken)
      shown += std::string("!") + csv.problem();
    else
      shown += ":";
    if (row == CsvReader::Row::Cells)
      for (const std::string_view cell : csv.cells()) shown += "[" + std::string(cell) + "]";
    rows.push_back(shown);
  }
  return rows;
}

using Rows = std::vector<std::string>;

ManifestColumns columns(std::vector<std::string> paths, std::string label) {
  ManifestColumns columns;
  columns.paths = std::move(paths);
  if (!label.empty()) columns.labels = {std::move(label)};
  return columns;
}

}  // namespace

class TestManifestTable : public QObject {
  Q_OBJECT
 private slots:
  void readsQuotedCellsAndEveryLineEnd() {
    QCOMPARE(rowsOf("\xEF\xBB\xBF"
                    "a,b\r\n\"x, y\",\"say \"\"hi\"\"\"\n\n\"two\nlines\",2\r\nlast,"),
             (Rows{"1:[a][b]", "2:[x, y][say \"hi\"]", "4:[two\nlines][2]", "6:[last][]"}));
    QCOMPARE(rowsOf("a;b\n1,5;2\n", ';'), (Rows{"1:[a][b]", "2:[1,5][2]"}));
    QCOMPARE(rowsOf("5\" disk,\"\"\n"), (Rows{"1:[5\" disk][]"}));
    QCOMPARE(rowsOf(""), Rows{});
    QCOMPARE(rowsOf("\n\r\n\n"), Rows{});
    QCOMPARE(rowsOf("path label\r\n\n my cat.jpg  a cat \r\n\"b c.jpg\" 1\nno end", kAfterPath),
             (Rows{"1:[path][label]", "3:[my cat.jpg][a cat]", "4:[b c.jpg][1]", "5:[no][end]"}));
    QCOMPARE(rowsOf("0 my cat.jpg\n1\n", kFirstSpace), (Rows{"1:[0][my cat.jpg]", "2:[1]"}));
    QCOMPARE(rowsOf(std::string(2 * CsvReader::kLargestCell + 1, 'x') + "\na b", kAfterPath),
             (Rows{"1!the line is longer than 131 072 bytes", "2:[a][b]"}));
  }

  void goesOnBehindABrokenRow() {
    QCOMPARE(rowsOf("a,\"b\"c\nd,e\n"), (Rows{"1!text follows a closing quote", "2:[d][e]"}));
    QCOMPARE(rowsOf("a,\"open\nd,e\nf"), (Rows{"1!a quote is not closed", "2:[d][e]", "3:[f]"}));
  }

  void boundsCellsAndRows() {
    const std::string wide(2000, ',');
    QCOMPARE(rowsOf(wide + "\nx"), (Rows{"1!more than 1 024 cells", "2:[x]"}));
    const std::string open = "\"" + std::string(200000, 'x') + "\nnext";
    QVERIFY(rowsOf(open)[0].starts_with("1!a cell is longer than 65 536 bytes"));
    QCOMPARE(rowsOf(open)[1], std::string("2:[next]"));
  }

  void takesTheColumnsThatAreNamed() {
    const auto table = ManifestTable::parse(
        "id, label ,file\n7,cat,a.jpg\n8, dog ,b.jpg\n9,cat,c\n", columns({"file"}, "label"));
    VERIFY_OK(table);
    QCOMPARE(table->rows(), 3U);
    QCOMPARE(std::string(table->path(1, 0)), std::string("b.jpg"));
    QCOMPARE(table->labelTexts(), (Rows{"cat", "dog"}));
    QCOMPARE(table->label(2), 0U);
    QVERIFY(table->problems().empty());
  }

  void namesEveryBadRowByItsLine() {
    const auto table = ManifestTable::parse(
        "image,label\na.jpg,1\nb.jpg\n,1\nc.jpg,\nd.jpg,1,1\n\"e\"f,1\n,2\n,2\nz.jpg,0\n",
        columns({"image"}, "label"));
    VERIFY_OK(table);
    QCOMPARE(table->rows(), 2U);
    QCOMPARE(table->leftOut(), 7U);
    QCOMPARE(table->problems(), (Rows{"line 3 left out: 1 cell, but the header has 2",
                                      "line 6 left out: 3 cells, but the header has 2",
                                      "lines 4, 8 to 9 left out: column `image`: the path is empty",
                                      "line 5 left out: column `label`: the label is empty",
                                      "line 7 left out: text follows a closing quote"}));
  }

  void refusesLabelsThatAreNotAllowed() {
    ManifestColumns wanted = columns({"image"}, "label");
    wanted.classes = {"dog", "cat"};
    auto table = ManifestTable::parse("image,label\na,cat\nb,cow\n", wanted);
    VERIFY_OK(table);
    QCOMPARE(table->problems(),
             (Rows{"line 3 left out: column `label`: the label `cow` is not among `classes`"}));
    wanted.classes.clear();
    wanted.integerLabels = true;
    table = ManifestTable::parse("image,label\na,4\nb,-1\nc,1e3\nd,99999999\n", wanted);
    VERIFY_OK(table);
    QCOMPARE(table->rows(), 1U);
    QCOMPARE(table->leftOut(), 3U);
  }

  void saysWhichColumnOrRowIsMissing() {
    const auto errorOf = [](std::string_view text) {
      const auto table = ManifestTable::parse(text, columns({"image"}, "label"));
      return table ? "parsed" : table.error().message;
    };
    QCOMPARE(errorOf(""), std::string("the file is empty; it needs a header row"));
    QCOMPARE(errorOf("file,label\na,b\n"),
             std::string("no column `image` in the header row; it has file and label"));
    QCOMPARE(errorOf("image,label\n"), std::string("there is no row of data"));
    QCOMPARE(errorOf("image,label\n,x\n"),
             std::string("no usable row: line 2 left out: column `image`: the path is empty"));
    QCOMPARE(errorOf("\"image\n"), std::string("line 1: a quote is not closed in the header row"));
  }
};

}  // namespace millrace

using millrace::TestManifestTable;
MILLRACE_TEST_CASE(TestManifestTable)
#include "tst_manifest_table.moc"
