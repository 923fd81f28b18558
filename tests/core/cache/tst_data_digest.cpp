// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/data_digest.h"

#include <filesystem>
#include <fstream>

#include <QTemporaryDir>

#include "core/formats/io/file_stamp.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Samples with names, files and classes as the test requires.
class ListedSource final : public Source {
 public:
  std::uint32_t size() const override { return static_cast<std::uint32_t>(names.size()); }
  std::vector<FieldSpec> fields() const override { return specs; }
  std::string name(std::uint32_t index) const override { return names[index]; }
  std::string file(std::uint32_t index) const override {
    return index < files.size() ? files[index] : "";
  }
  std::vector<std::string> moreFiles(std::uint32_t index) const override {
    return index < more.size() ? more[index] : std::vector<std::string>();
  }
  std::vector<std::string> classes() const override { return classNames; }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }

  std::vector<FieldSpec> specs = {{"x", DType::U8, {3}, Layout::Plain, Role::Features}};
  std::vector<std::string> names;
  std::vector<std::string> files;
  std::vector<std::vector<std::string>> more;
  std::vector<std::string> classNames;
};

ListedSource synthetic(std::uint32_t samples) {
  ListedSource source;
  for (std::uint32_t i = 0; i < samples; ++i) source.names.push_back(std::to_string(i));
  return source;
}

void writeText(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void makeNewer(const fs::path& file) {
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
}

}  // namespace

class TestDataDigest : public QObject {
  Q_OBJECT
 private slots:
  void namesFieldsAndClassesCount() {
    const std::uint64_t digest = dataDigest(synthetic(10));
    QCOMPARE(dataDigest(synthetic(10)), digest);
    QVERIFY(dataDigest(synthetic(11)) != digest);
    ListedSource source = synthetic(10);
    std::swap(source.names[2], source.names[3]);
    QVERIFY(dataDigest(source) != digest);
    source = synthetic(10);
    source.classNames = {"cat"};
    QVERIFY(dataDigest(source) != digest);
    source = synthetic(10);
    source.specs[0].dtype = DType::I8;
    QVERIFY(dataDigest(source) != digest);
  }

  void aBorderBetweenNamesCounts() {
    ListedSource source;
    source.names = {"ab", "c"};
    ListedSource other;
    other.names = {"a", "bc"};
    QVERIFY(dataDigest(source) != dataDigest(other));
  }

  /// Parts are digested by several threads.
  void everySampleOfManyCounts() {
    const std::uint64_t digest = dataDigest(synthetic(10000));
    QCOMPARE(dataDigest(synthetic(10000)), digest);
    for (const std::uint32_t i : {0U, 2047U, 2048U, 5000U, 9999U}) {
      ListedSource source = synthetic(10000);
      source.names[i] += "x";
      QVERIFY(dataDigest(source) != digest);
    }
    QVERIFY(dataDigest(ListedSource()) != digest);
  }

  void aChangedFileCounts() {
    const QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    ListedSource source = synthetic(3);
    for (const char* name : {"a", "b", "c"}) {
      writeText(base / name, "some");
      source.files.push_back((base / name).native());
    }
    std::uint64_t digest = dataDigest(source);
    QVERIFY(digest != dataDigest(synthetic(3)));
    QCOMPARE(dataDigest(source), digest);
    const auto changes = [&] {
      const std::uint64_t before = digest;
      digest = dataDigest(source);
      return digest != before;
    };
    writeText(base / "b", "another size");
    QVERIFY(changes());
    makeNewer(base / "c");
    QVERIFY(changes());
    fs::remove(base / "a");
    QVERIFY(changes());
    source.more = {{}, {(base / "partner").native()}, {}};
    QVERIFY(changes());
    writeText(base / "partner", "some");
    QVERIFY(changes());
    QVERIFY(!changes());
  }

  /// A file that contains all samples is checked once per part, not once per sample.
  void aChangedContainerCounts() {
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "all.tar";
    writeText(file, "content");
    ListedSource source = synthetic(5000);
    source.files.assign(5000, file.native());
    const std::uint64_t digest = dataDigest(source);
    makeNewer(file);
    QVERIFY(dataDigest(source) != digest);
  }

  void aStampIsOfRegularFilesAlone() {
    const QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    QVERIFY(!fileStamp(base.native()));
    QVERIFY(!fileStamp((base / "none").native()));
    writeText(base / "some", "some");
    QVERIFY(fileStamp((base / "some").native()).value_or("").starts_with("4@"));
    fs::create_symlink(base / "some", base / "link");
    QVERIFY(fileStamp((base / "link").native()) == fileStamp((base / "some").native()));
  }
};

}  // namespace millrace

using millrace::TestDataDigest;
MILLRACE_TEST_CASE(TestDataDigest)
#include "tst_data_digest.moc"
