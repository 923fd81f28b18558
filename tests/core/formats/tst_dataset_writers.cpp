// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <iterator>

#include "core/formats/folder/folder_writer.h"
#include "core/formats/hdf5/hdf5_writer.h"
#include "core/formats/io/open_file.h"
#include "core/formats/mds/mds_writer.h"
#include "core/formats/npy/npy_array.h"
#include "core/formats/npy/npy_writer.h"
#include "core/formats/recordio/record_io.h"
#include "core/formats/recordio/record_io_writer.h"
#include "core/formats/tar/tar_walk.h"
#include "core/formats/tar/web_writer.h"
#include "core/formats/tfrecord/tfrecord_writer.h"
#include "tests/support/needs_part.h"
#include "tests/support/record_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::contentOf;

TensorView viewOf(const std::string& bytes, const FieldSpec& field) {
  return {field.dtype, field.layout, field.shape,
          reinterpret_cast<std::byte*>(const_cast<char*>(bytes.data())), bytes.size()};
}

const FieldSpec kFile{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image};
const FieldSpec kPixels{"image", DType::U8, {1, 2, 3}, Layout::Hwc, Role::Image};
const FieldSpec kLabel{"label", DType::I64, {}, Layout::Plain, Role::Label};

/// A picture file: its magic bytes and a number.
std::string fileOf(int i, std::size_t bytes = 20) {
  std::string file = "\xff\xd8\xff" + std::to_string(i);
  file.resize(bytes, 'x');
  return file;
}

/// Writes samples [first, end) with label i % 2; files or pixels, depending on the fields.
Status addSamples(DatasetWriter& writer, const WriteSpec& spec, int first, int end) {
  for (int i = first; i < end; ++i) {
    const std::string picture =
        spec.fields[0].dtype == DType::Encoded ? fileOf(i) : std::string(6, static_cast<char>(i));
    const std::string label = tests::littleEndian(static_cast<unsigned>(i % 2), 8);
    const std::vector<TensorView> values{viewOf(picture, kFile), viewOf(label, kLabel)};
    const std::string key = "a/" + std::to_string(100 + i);
    MILLRACE_TRY(writer.add({key, std::span(values).first(spec.fields.size())}));
  }
  return {};
}

OpenWriter openKind(const QString& kind, const WriteSpec& spec, const WriteMark& from = {}) {
  if (kind == "tfrecord") return openTfRecordWriter(spec, from);
  if (kind == "webdataset") return openWebWriter(spec, from);
  if (kind == "folder") return openFolderWriter(spec, from);
  if (kind == "mds") return openMdsWriter(spec, from);
  if (kind == "recordio") return openRecordIoWriter(spec, from);
  if (kind == "hdf5") return openHdf5Writer(spec, from);
  return openNpyWriter(spec, from);
}

/// All files below a folder: names and contents.
std::map<std::string, std::string> filesIn(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).native()] = contentOf(entry.path());
  return files;
}

}  // namespace

class TestDatasetWriters : public QObject {
  Q_OBJECT
 private slots:
  void anExampleIsWhatTheFormatSays() {
    const tests::TemporaryFolder folder;
    const WriteSpec spec{folder.path(), "a.tfrecord", 0, {kFile, kLabel}, {"cat", "dog"}};
    auto writer = openTfRecordWriter(spec);
    QVERIFY(writer);
    QVERIFY(addSamples(**writer, spec, 1, 2));
    QVERIFY((*writer)->finish());
    const std::string wanted = tests::example(tests::bytesFeature("image/encoded", {fileOf(1)}) +
                                              tests::intFeature("image/class/label", {1}) +
                                              tests::bytesFeature("image/class/text", {"dog"}) +
                                              tests::bytesFeature("image/filename", {"a/101"}));
    QVERIFY(contentOf(folder.path() / "a.tfrecord") == tests::tfRecord(wanted));
  }

  void aMemberOfAnyNameAndSizeIsFoundAgain() {
    const tests::TemporaryFolder folder;
    const WriteSpec spec{folder.path(), "a.tar", 0, {kFile}, {}};
    auto writer = openWebWriter(spec);
    const std::string key = std::string(150, 'k') + "/" + std::string(120, 'n');
    for (const std::size_t bytes : {std::size_t{5}, std::size_t{512}, std::size_t{1500000}}) {
      const std::string file = fileOf(1, bytes);
      const std::vector<TensorView> values{viewOf(file, kFile)};
      QVERIFY((*writer)->add({key + std::to_string(bytes), values}));
    }
    QVERIFY((*writer)->finish());
    const auto file = openForReading(folder.path() / "a.tar");
    QVERIFY(file->size % 512 == 0);
    TarWalk walk(file->fd.get(), file->size);
    TarMember member;
    for (const std::size_t bytes : {std::size_t{5}, std::size_t{512}, std::size_t{1500000}}) {
      QVERIFY(*walk.next(member));
      QCOMPARE(member.name, key + std::to_string(bytes) + ".jpg");
      QCOMPARE(member.size, bytes);
    }
    QVERIFY(!*walk.next(member));
    QVERIFY(walk.damage().empty());
  }

  void aRecordIsCutWhereTheMagicLiesInIt() {
    const tests::TemporaryFolder folder;
    const WriteSpec spec{folder.path(), "a", 1000, {kFile}, {}};
    auto writer = openRecordIoWriter(spec);
    const std::string magic = "\x0a\x23\xd7\xce";
    const std::string file = "\xff\xd8\xff." + magic + magic + "a" + magic + "bcd" + magic + "end";
    const std::vector<TensorView> values{viewOf(file, kFile)};
    for (const char* key : {"a", "b"}) QVERIFY((*writer)->add({key, values}));
    QVERIFY((*writer)->finish());
    const auto written = openForReading(folder.path() / "a-000000.rec");
    const auto index = readRecordIoIdx(folder.path() / "a-000000.idx", written->size);
    QVERIFY(index);
    QCOMPARE(index->places.size(), std::size_t{2});
    RecordIoReader reader;
    ReadCounters counters;
    for (const RecordIoIndex::Place& place : index->places) {
      const auto record = reader.read(written->fd.get(), place, counters);
      QVERIFY(record);
      const auto content = parseRecordIoImage(*record)->content;
      QVERIFY(std::string(reinterpret_cast<const char*>(content.data()), content.size()) == file);
    }
    const std::string bytes = contentOf(folder.path() / "a-000000.rec");
    std::size_t heads = 0;  // three splits make four parts of each record
    for (std::size_t at = 0; at < bytes.size(); at += 4) heads += bytes.compare(at, 4, magic) == 0;
    QCOMPARE(heads, std::size_t{8});
    QVERIFY(!openRecordIoWriter({folder.path(), "a", 0, {kPixels}, {}}));
  }

  void arraysHaveTheRowsThatWereWritten() {
    const tests::TemporaryFolder folder;
    const WriteSpec spec{folder.path(), "a", 60, {kPixels, kLabel}, {}};
    auto writer = openNpyWriter(spec);
    QVERIFY(addSamples(**writer, spec, 0, 6));
    QVERIFY((*writer)->finish());
    QCOMPARE(filesIn(folder.path()).size(), std::size_t{2});
    const auto file = openForReading(folder.path() / "a-000001.npz");
    std::vector<std::string> notes;
    const auto arrays = openNpyArrays(*file, notes);
    QCOMPARE(arrays->size(), std::size_t{2});
    QCOMPARE((*arrays)[0].name, std::string("image"));
    QCOMPARE((*arrays)[0].head.row, (Shape{1, 2, 3}));
    QCOMPARE((*arrays)[1].head.rows, std::uint64_t{2});
    QVERIFY((*arrays)[0].note.empty());
    std::array<char, 12> rows{};
    QVERIFY(readAt((*arrays)[0].fd, (*arrays)[0].offset, rows.data(), rows.size()));
    QCOMPARE(std::string(rows.data(), 12), std::string(6, 4) + std::string(6, 5));
  }

  void aWriterGoesOnAtAMark_data() {
    QTest::addColumn<bool>("raw");
    QTest::addColumn<quint64>("shard");
    for (const char* kind : {"tfrecord", "webdataset", "folder", "mds", "recordio"})
      QTest::newRow(kind) << false << quint64{1000};
    QTest::newRow("tfrecord, one file") << false << quint64{0};
    QTest::newRow("mds, one file") << false << quint64{0};
    QTest::newRow("hdf5") << false << quint64{300};
    QTest::newRow("hdf5, one file") << false << quint64{0};
    QTest::newRow("hdf5, raw") << true << quint64{45};
    QTest::newRow("numpy") << true << quint64{45};
  }
  void aWriterGoesOnAtAMark() {
    QFETCH(bool, raw);
    QFETCH(quint64, shard);
    const QString kind = QString(QTest::currentDataTag()).section(',', 0, 0);
    if (kind == "hdf5") MILLRACE_NEEDS_PART("hdf5");
    const tests::TemporaryFolder folder;
    folder.makeFolder("whole");
    folder.makeFolder("killed");
    WriteSpec spec{
        folder.path() / "whole", "a", shard, {raw ? kPixels : kFile, kLabel}, {"x", "y"}};
    auto whole = openKind(kind, spec);
    QVERIFY(addSamples(**whole, spec, 0, 20));
    QVERIFY((*whole)->finish());
    spec.folder = folder.path() / "killed";
    auto killed = openKind(kind, spec);
    QVERIFY(addSamples(**killed, spec, 0, 6));
    QVERIFY((*killed)->sync());
    QVERIFY(addSamples(**killed, spec, 6, 11));
    const auto mark = (*killed)->sync();
    QVERIFY(addSamples(**killed, spec, 11, 17));
    killed->reset();
    auto second = openKind(kind, spec, *mark);
    QVERIFY2(second, second ? "" : second.error().message.c_str());
    QVERIFY(addSamples(**second, spec, 11, 20));
    QVERIFY((*second)->finish());
    QVERIFY(filesIn(folder.path() / "killed") == filesIn(folder.path() / "whole"));
    QVERIFY(filesIn(folder.path() / "whole").size() >= (shard > 0 ? 2 : 1));
  }

  void aFolderHasAFolderForEachClass() {
    const tests::TemporaryFolder folder;
    const WriteSpec spec{folder.path(), "a", 0, {kFile, kLabel}, {"a", "../b"}};
    auto writer = openFolderWriter(spec);
    QVERIFY(addSamples(**writer, spec, 0, 2));
    QVERIFY((*writer)->finish());
    const auto files = filesIn(folder.path());
    QCOMPARE(files.size(), std::size_t{2});
    QVERIFY(files.at("a/100.jpg") == fileOf(0));
    QVERIFY(files.at(".._b/a_101.jpg") == fileOf(1));
    QVERIFY(!openFolderWriter({folder.path(), "a", 0, {kPixels}, {}}));
  }

  void aFileThatCannotGrowIsNamed() {
    const tests::TemporaryFolder folder;
    struct rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = before;
    small.rlim_cur = 100;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const WriteSpec spec{folder.path(), "a.tfrecord", 0, {kFile, kLabel}, {}};
    auto writer = openTfRecordWriter(spec);
    Status wrote = addSamples(**writer, spec, 0, 10);
    if (wrote) wrote = (*writer)->finish();
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!wrote);
    QVERIFY2(wrote.error().message.find("a.tfrecord") != std::string::npos,
             wrote.error().message.c_str());
  }
};

}  // namespace millrace

using millrace::TestDatasetWriters;
MILLRACE_TEST_CASE(TestDatasetWriters)
#include "tst_dataset_writers.moc"
