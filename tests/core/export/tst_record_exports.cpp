// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Sources of records in the targets that translate nodes, compared with their files in golden/.
#include <array>
#include <initializer_list>
#include <string_view>

#include "tests/core/export/export_subject.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::chainJson;
using tests::contains;
using tests::goldenProblem;
using tests::Setup;
using tests::subjectOf;

/// A source of records, its keys said where only the data would show them, in front of a batch.
struct RecordSource {
  const char* name;
  const char* node;
  bool pictures = true;  ///< files, for decode
};
constexpr std::array<RecordSource, 10> kRecordSources = {{
    {"tfrecord",
     R"({"kind": "tfrecord", "params": {"paths": ["a-{00..03}.tfrecord"], "keys": ["image=image/encoded", "label=image/class/label", "board=d:u8:8x8x3"]}})"},
    {"webdataset",
     R"({"kind": "webdataset", "params": {"paths": ["a.tar"], "parts": ["image=jpg;png", "label=cls", "mask=seg.png"]}})"},
    {"webdataset-usual", R"({"kind": "webdataset", "params": {"paths": ["a.tar"]}})"},
    {"numpy",
     R"({"kind": "numpy", "params": {"paths": ["x.npy"], "labels": "y.npy", "content": "features"}})",
     false},
    {"hdf5",
     R"({"kind": "hdf5", "params": {"paths": ["a.h5"], "datasets": ["image=x/train", "label=y", "depth=z:target"]}})"},
    {"lmdb",
     R"({"kind": "lmdb", "params": {"paths": ["lq.lmdb"], "targets": "gt.lmdb", "content": "pictures", "database": "d"}})"},
    {"lmdb-array",
     R"({"kind": "lmdb", "params": {"paths": ["a.lmdb"], "value": "image:u8:32x32x3:image:hwc"}})",
     false},
    {"mds",
     R"({"kind": "mds", "params": {"paths": ["train"], "columns": ["image=img", "label=class"], "check_hashes": true}})"},
    {"recordio", R"({"kind": "recordio", "params": {"paths": ["train.rec"]}})"},
    {"recordio-bytes",
     R"({"kind": "recordio", "params": {"paths": ["train.rec"], "content": "bytes"}})", false},
}};

std::string recordPipeline(const RecordSource& source) {
  std::vector<std::string> nodes{source.node};
  if (source.pictures) {
    nodes.emplace_back(R"({"kind": "decode", "params": {"scaling": "full"}})");
    nodes.emplace_back(R"({"kind": "resize"})");
  } else if (std::string_view(source.node).find("features") != std::string_view::npos) {
    // Without the data nobody knows how many there are.
    nodes.emplace_back(R"({"kind": "select", "params": {"keep": ["label"]}})");
  }
  nodes.emplace_back(R"({"kind": "batch"})");
  nodes.emplace_back(R"({"kind": "drain"})");
  return chainJson(nodes);
}

}  // namespace

class TestRecordExports : public QObject {
  Q_OBJECT
 private slots:
  void everySourceOfRecordsIsWrittenAsItsGoldenFiles() {
    for (const Exporter& exporter : exporters())
      for (const RecordSource& source : kRecordSources) {
        if (!exporter.translates || !exporter.isCode) continue;
        Setup setup;
        setup.name = source.name;
        const std::string problem = goldenProblem(exporter, recordPipeline(source), setup);
        QVERIFY2(problem.empty(), problem.c_str());
      }
  }

  void sourcesOfRecordsAreReadByEveryTarget() {
    for (const Exporter& exporter : exporters())
      for (const RecordSource& source : kRecordSources) {
        if (!exporter.translates || !exporter.isCode) continue;
        const auto subject = subjectOf(recordPipeline(source), {});
        QVERIFY2(subject->pipeline, subject->problems.c_str());
        const Result<Exported> exported = exporter.write(subject->subject);
        VERIFY_OK(exported);
        QVERIFY2(exported->missing.empty(), source.name);
      }
  }

  void whatOnlyTheDataWouldShowIsAskedFor() {
    for (const RecordSource& source : std::initializer_list<RecordSource>{
             {"tfrecord", R"({"kind": "tfrecord", "params": {"paths": ["a.tfrecord"]}})"},
             {"mds", R"({"kind": "mds", "params": {"paths": ["train"]}})"},
             {"lmdb", R"({"kind": "lmdb", "params": {"paths": ["a.lmdb"]}})"},
             {"hdf5", R"({"kind": "hdf5", "params": {"paths": ["a.h5"], "content": "features"}})",
              false}}) {
      const auto subject = subjectOf(recordPipeline(source), {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const Result<Exported> exported = findExporter("pytorch")->write(subject->subject);
      VERIFY_OK(exported);
      QCOMPARE(exported->missing.size(), std::size_t{1});
      QVERIFY(contains(exported->missing.front(), "does not look into the data"));
    }
  }
};

}  // namespace millrace

using millrace::TestRecordExports;
MILLRACE_TEST_CASE(TestRecordExports)
#include "tst_record_exports.moc"
