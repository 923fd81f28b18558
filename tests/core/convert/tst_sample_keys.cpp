// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/sample_keys.h"

#include <algorithm>
#include <set>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A source of names alone.
class Names final : public Source {
 public:
  explicit Names(std::vector<std::string> names) : m_names(std::move(names)) {}
  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_names.size()); }
  std::vector<FieldSpec> fields() const override { return {}; }
  std::string name(std::uint32_t index) const override { return m_names[index]; }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }

 private:
  const std::vector<std::string> m_names;
};

std::vector<std::string> keysOf(const Source& source) {
  const SampleKeys keys(source);
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < source.size(); ++i) all.push_back(keys.key(i));
  return all;
}

}  // namespace

class TestSampleKeys : public QObject {
  Q_OBJECT
 private slots:
  /// The values of draft-eastlake-fnv, appendix C.
  void theHashIsFnv1a() {
    QCOMPARE(hashed(""), 0xcbf29ce484222325U);
    QCOMPARE(hashed("a"), 0xaf63dc4c8601ec8cU);
    QCOMPARE(hashed("foobar"), 0x85944171f73967e8U);
    QCOMPARE(hashed("bar", hashed("foo")), hashed("foobar"));
  }

  void aKeyIsTheNameWithoutItsExtension_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char* name, const char* key) {
      QTest::addRow("%s", name) << QByteArray(name) << QByteArray(key);
    };
    row("cats/a.jpg", "cats/a");
    row("a.b.c.png", "a_b_c");
    row("v1.2/a.png", "v1.2/a");
    row(".hidden", "_hidden");
    row("/abs//./../b.jpg", "abs/b");
    row("", "sample");
    row("folder/", "folder/sample");
    row("__key__.txt", "x__key__");
    row("line\nbreak\ttab\x7f.jpg", "line_break_tab_");
    row("set.tar#train/cat.jpg", "set.tar#train/cat");
    row("set.tar#train/cat", "train/cat");
    row("set.tar#a.jpg", "set_tar#a");
    row("shard-3.tfrecord#17", "shard-3-00000017");
    row("shard#", "shard#");
  }
  void aKeyIsTheNameWithoutItsExtension() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, key);
    QCOMPARE(QByteArray::fromStdString(keyFor(name.toStdString())), key);
  }

  void longNamesAreCutAndStayDifferent() {
    const std::string folder(300, 'f');
    const std::string name(300, 'n');
    std::set<std::string> keys;
    for (const std::string tail : {"a", "b"})
      for (const int depth : {1, 2, 3}) {
        std::string path;
        for (int i = 0; i < depth; ++i) path += folder + "/";
        const std::string key = keyFor(path + name + tail + ".jpg");
        QVERIFY(key.size() <= 380);
        const std::size_t slash = key.rfind('/');
        QVERIFY(slash == std::string::npos || key.size() - slash <= 181);
        keys.insert(key);
      }
    QCOMPARE(keys.size(), std::size_t{6});
  }

  void samplesWithOneKeyGetTheirNumberToo() {
    const auto keys = keysOf(Names({"a.jpg", "b.jpg", "a.png", "c.x.jpg", "c_x.jpg"}));
    QCOMPARE(keys, (std::vector<std::string>{"a+0", "b", "a+2", "c_x+3", "c_x+4"}));
  }

  /// Whatever bytes a name has, writers get unique relative paths without dots in the last part.
  void everyKeyOfOddNamesIsAPathThatWritersAccept() {
    std::vector<std::string> names;
    for (int byte = 0; byte < 256; ++byte)
      for (const char* around : {"", "x/", "x.", "x#"})
        names.push_back(around + std::string(1, static_cast<char>(byte)) + "y");
    const auto keys = keysOf(Names(names));
    QCOMPARE((std::set<std::string>(keys.begin(), keys.end()).size()), names.size());
    for (const std::string& key : keys) {
      QVERIFY2(!key.empty() && key.front() != '/' && key.back() != '/', key.c_str());
      QVERIFY2(key.substr(key.rfind('/') + 1).find('.') == std::string::npos, key.c_str());
      QVERIFY2(std::none_of(key.begin(), key.end(),
                            [](char c) { return c == '\n' || c == '\0' || c == '\t'; }),
               key.c_str());
    }
  }

  void theHashOfAllTellsNamesAndTheirOrder() {
    const auto hashOf = [](std::vector<std::string> names) {
      return SampleKeys(Names(std::move(names))).hashOfAll();
    };
    QCOMPARE(hashOf({"a", "b"}), hashOf({"a.jpg", "b.png"}));
    const std::set<std::uint64_t> different = {hashOf({}),         hashOf({"a"}),
                                               hashOf({"a", "b"}), hashOf({"b", "a"}),
                                               hashOf({"ab"}),     hashOf({"a", "b", "c"})};
    QCOMPARE(different.size(), std::size_t{6});
  }
};

}  // namespace millrace

using millrace::TestSampleKeys;
MILLRACE_TEST_CASE(TestSampleKeys)
#include "tst_sample_keys.moc"
