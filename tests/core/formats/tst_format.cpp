// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"

#include <set>

#include <fmt/format.h>

#include "core/codecs/picture_formats.h"
#include "core/nodes/builtin.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::string nameOf(const Format* format) {
  return format == nullptr ? "none" : std::string(format->name);
}

}  // namespace

class TestFormat : public QObject {
  Q_OBJECT
 private slots:
  void everyFormatThatIsReadHasASourceOfItsName() {
    for (const Format& format : allFormats()) {
      if (format.isFileName == nullptr || format.onlyNamed) continue;
      const NodeSpec* source = builtinCatalog().find(format.name);
      QVERIFY2(source != nullptr && source->role == NodeRole::Source, format.name.data());
      QVERIFY2(format.fieldsParam.empty() || source->param(format.fieldsParam) != nullptr,
               format.name.data());
      QVERIFY2(!format.example.empty() && !format.title.empty(), format.name.data());
    }
  }

  void namesAndEndingsOfTargetsBelongToOneFormat() {
    std::set<std::string_view> names, endings;
    for (const Format& format : allFormats()) {
      QVERIFY2(names.insert(format.name).second, format.name.data());
      QVERIFY(format.openWriter != nullptr || format.targets.empty());
      for (const TargetEnding& ending : format.targets) {
        QVERIFY2(endings.insert(ending.text).second, ending.text.data());
        QCOMPARE(nameOf(formatOfTarget("set" + std::string(ending.text))),
                 std::string(format.name));
        QCOMPARE(isOneFile("set" + std::string(ending.text), format), ending.oneFile);
      }
    }
    QVERIFY(formatOfTarget("set") == nullptr && formatOfTarget("set.tar.gz") == nullptr);
    QVERIFY(!isOneFile("set", *formatNamed("tfrecord")));
  }

  void aFileIsFoundByItsName_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format");
    for (const auto& [file, format] : {std::pair("a.TAR.GZ", "webdataset"),
                                       {"lock.mdb", "none"},
                                       {"data.mdb", "lmdb"},
                                       {"train-00000-of-01024", "tfrecord"},
                                       {"shard.00000.mds.zstd", "mds"},
                                       {"x.npz", "numpy"},
                                       {"part.parquet", "parquet"},
                                       {"a.beton", "ffcv"},
                                       {"notes.txt", "none"},
                                       {"X.HDF5", "hdf5"},
                                       {"a.rec", "recordio"}})
      QTest::newRow(file) << file << format;
  }
  void aFileIsFoundByItsName() {
    QFETCH(QString, file);
    QFETCH(QString, format);
    QCOMPARE(nameOf(formatOfFileName(file.toStdString())), format.toStdString());
  }

  void aFileIsFoundByItsHead() {
    const tests::TemporaryFolder folder;
    const auto at = [&](const std::string& bytes) {
      folder.write("file", bytes);
      return nameOf(formatOfHead(folder.path() / "file"));
    };
    QCOMPARE(at("\x93NUMPY\x01"), std::string("numpy"));
    QCOMPARE(at("PAR1"), std::string("parquet"));
    QCOMPARE(at(std::string(16, '\0') + "\xde\xc0\xef\xbe"), std::string("lmdb"));
    QCOMPARE(at("\x93NUMP"), std::string("none"));
    QCOMPARE(at(""), std::string("none"));
    QCOMPARE(nameOf(formatOfHead(folder.path() / "missing")), std::string("none"));
  }

  /// The pages that list formats for users, each with the sign by which it lists one.
  void everyFormatIsOnThePagesThatListFormats() {
    const auto quoted = [](const Format& format) { return fmt::format("`{}`", format.name); };
    const auto title = [](const Format& format) { return std::string(format.title); };
    const struct {
      const char* page;
      std::string (*sign)(const Format& format);
      bool onlyWritten;
    } kPages[] = {{"docs/states.md", title, false},
                  {"docs/remote-data.md", quoted, false},
                  {"docs/reference/command-line.md", quoted, true},
                  {"core/formats/README.md",
                   [](const Format& format) { return fmt::format("({})", format.title); }, false}};
    for (const auto& [page, sign, onlyWritten] : kPages) {
      const std::string text = tests::contentOf(tests::sourcePath(page));
      for (const Format& format : allFormats()) {
        if (format.isFileName == nullptr || format.onlyNamed) continue;
        if (onlyWritten && format.openWriter == nullptr) continue;
        QVERIFY2(text.find(sign(format)) != std::string::npos,
                 fmt::format("{} lists formats, but not {}", page, sign(format)).c_str());
      }
    }
  }

  void everyCodecHasEndingsThatNoOtherHas() {
    std::set<std::string_view> endings;
    for (const CodecEntry& codec : allCodecs()) {
      QVERIFY2(!codec.extensions.empty() && !codec.format.empty(), codec.format.data());
      for (const std::string_view extension : codec.extensions)
        QVERIFY2(endings.insert(extension).second && isPictureExtension(extension),
                 extension.data());
    }
    QVERIFY(isPictureExtension("JPG") && !isPictureExtension("txt") && !isPictureExtension(""));
  }
};

MILLRACE_TEST_CASE(TestFormat)

}  // namespace millrace

#include "tst_format.moc"
