// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/pair_table.h"

#include <fmt/format.h>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

FileList listOf(const char* root, std::initializer_list<const char*> names) {
  FileList list(root);
  for (const char* name : names) list.append("", name);
  list.shrink();
  return list;
}

/// "a_LR.png=a_HR.png ..."
std::string pairsOf(const Result<PairTable>& table, const FileList& inputs,
                    const FileList& targets) {
  if (!table) return table.error().message;
  std::string text;
  for (const PairTable::Pair& pair : table->pairs)
    text += fmt::format("{}={} ", inputs.path(pair.input), targets.path(pair.target));
  return text;
}

std::string within(const FileList& files, const PairSuffixes& suffixes = {}) {
  return pairsOf(PairTable::matchWithin(files, suffixes), files, files);
}

}  // namespace

class TestPairTable : public QObject {
  Q_OBJECT
 private slots:
  void theKeyIsThePathWithoutSuffixAndExtension_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("suffix");
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char* path, const char* suffix, const char* key) {
      QTest::addRow("%s %s", path, suffix)
          << QByteArray(path) << QByteArray(suffix) << QByteArray(key);
    };
    row("a/b.png", "", "a/b");
    row("a.b/c", "", "a.b/c");
    row(".hidden", "", ".hidden");
    row("a_LR.png", "_LR", "a");
    row("a_LR.png", "_LR.png", "a");
    row("a_LR.png", "_LR.jpg", "");
    row("a_HR.png", "_LR", "");
    row("_LR.png", "_LR", "");
    row("a_LR.x.png", "_LR", "");
  }
  void theKeyIsThePathWithoutSuffixAndExtension() {
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, suffix);
    QFETCH(QByteArray, key);
    const std::string_view found =
        pairKey(std::string_view(path.constData()), std::string_view(suffix.constData()));
    QCOMPARE(QByteArray(found.data(), static_cast<int>(found.size())), key);
  }

  void twoFoldersArePairedInTheOrderOfTheInputs() {
    const FileList inputs = listOf("/in", {"a.jpg", "b.jpg", "d/e.jpg"});
    const FileList targets = listOf("/out", {"a.png", "b.webp", "d/e.png"});
    QCOMPARE(pairsOf(PairTable::match(inputs, targets, {}), inputs, targets),
             std::string("a.jpg=a.png b.jpg=b.webp d/e.jpg=d/e.png "));
  }

  void whatHasNoCounterpartIsCountedAndTheFirstIsNamed() {
    const FileList inputs = listOf("/in", {"a.jpg", "alone1.jpg", "alone2.jpg"});
    const FileList targets = listOf("/out", {"a.bmp", "a.png", "unused.png"});
    const auto table = PairTable::match(inputs, targets, {});
    VERIFY_OK(table);
    QCOMPARE(table->pairs.size(), std::size_t{1});
    QCOMPARE(table->notes,
             (std::vector<std::string>{
                 "1 target has the same name as another one and is left out; first: a.png",
                 "2 inputs without a target are left out; first: alone1.jpg",
                 "1 target without an input is left out; first: unused.png"}));
  }

  void inputsOfTwoKindsShareATarget() {
    const FileList inputs = listOf("/in", {"a.jpg", "a.png"});
    const FileList targets = listOf("/out", {"a.png"});
    QCOMPARE(pairsOf(PairTable::match(inputs, targets, {}), inputs, targets),
             std::string("a.jpg=a.png a.png=a.png "));
  }

  void namesThatNeverMatchAreShown() {
    const FileList inputs = listOf("/in", {"x1.jpg"});
    const FileList targets = listOf("/out", {"y1.jpg"});
    const std::string refused = pairsOf(PairTable::match(inputs, targets, {}), inputs, targets);
    QVERIFY2(refused.find("the first ones are x1.jpg and y1.jpg") != std::string::npos,
             refused.c_str());
    const PairSuffixes suffixes{"1", "1"};
    QVERIFY(!PairTable::match(inputs, targets, suffixes));
  }

  void suffixesTellOneFolderApart() {
    const FileList files = listOf("/set", {"a_HR.png", "a_LR.png", "b_LR.png", "c.png"});
    QCOMPARE(within(files, {"_LR", "_HR"}), std::string("a_LR.png=a_HR.png "));
    QCOMPARE(within(files, {"_HR", "_LR"}), std::string("a_HR.png=a_LR.png "));
    const std::string refused = within(files, {"_small", "_large"});
    QVERIFY2(refused.find("differ only by `_small` and `_large`") != std::string::npos,
             refused.c_str());
  }

  /// `x_mask` also ends as an input without a suffix does; it must not become one.
  void theLongerSuffixWinsWhereOneIsEmpty() {
    const FileList files = listOf("/set", {"x.jpg", "x_mask.png", "x_mask_mask.png"});
    QCOMPARE(within(files, {"", "_mask"}), std::string("x.jpg=x_mask.png "));
  }

  void usualSuffixesAreFound_data() {
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("target");
    for (const auto& [input, target] :
         std::initializer_list<std::pair<const char*, const char*>>{{"_LR", "_HR"},
                                                                    {"_input", "_target"},
                                                                    {"_blur", "_sharp"},
                                                                    {"_image", "_mask"},
                                                                    {"_img", "_mask"},
                                                                    {"", "_mask"}})
      QTest::addRow("%s %s", input, target) << QByteArray(input) << QByteArray(target);
  }
  /// They are as expected, so there is nothing to note.
  void usualSuffixesAreFound() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, target);
    const std::string a = "a" + input.toStdString() + ".jpg";
    const std::string b = "a" + target.toStdString() + ".png";
    const FileList files = listOf("/set", {a.c_str(), b.c_str()});
    QCOMPARE(within(files), fmt::format("{}={} ", a, b));
    const auto table = PairTable::matchWithin(files, {});
    VERIFY_OK(table);
    QVERIFY(table->notes.empty());
  }

  void aFolderWithoutUsualSuffixesIsRefused() {
    const FileList files = listOf("/set", {"a.jpg", "b.jpg"});
    QVERIFY(within(files).find("cannot be distinguished") != std::string::npos);
    QVERIFY(within(files, {"_x", "_x"}).find("cannot be distinguished") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestPairTable;
MILLRACE_TEST_CASE(TestPairTable)
#include "tst_pair_table.moc"
