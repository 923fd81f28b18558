// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Sources of records in the targets that translate nodes.
#include <initializer_list>

#include "tests/core/export/record_sources.h"
#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::kRecordSources;
using tests::recordPipeline;
using tests::RecordSource;
using tests::subjectOf;

}  // namespace

class TestRecordExports : public QObject {
  Q_OBJECT
 private slots:
  void sourcesOfRecordsAreReadByEveryTarget() {
    MILLRACE_NEEDS_PART("hdf5");
    for (const Exporter& exporter : exporters())
      for (const RecordSource& source : kRecordSources) {
        if (!exporter.translates || !exporter.builtOn.empty()) continue;
        const auto subject = subjectOf(recordPipeline(source), {});
        QVERIFY2(subject->pipeline, subject->problems.c_str());
        const Result<Exported> exported = exportAs(exporter, subject->subject);
        VERIFY_OK(exported);
        QVERIFY2(exported->missing.empty(), source.name);
      }
  }

  void whatOnlyTheDataWouldShowIsAskedFor() {
    MILLRACE_NEEDS_PART("hdf5");
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
      QVERIFY(contains(exported->missing.front(), "The exported code does not detect"));
    }
  }
};

}  // namespace millrace

using millrace::TestRecordExports;
MILLRACE_TEST_CASE(TestRecordExports)
#include "tst_record_exports.moc"
