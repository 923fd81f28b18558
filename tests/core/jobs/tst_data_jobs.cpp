// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/edit/graph_edit.h"
#include "core/jobs/convert/convert_job.h"
#include "core/jobs/inspect/inspect_job.h"
#include "core/nodes/builtin.h"
#include "core/sample_data/sample_data.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Counts the calls, and stops the job at the first progress if asked to.
class Watched final : public ConvertObserver {
 public:
  explicit Watched(ConvertJob* stopped = nullptr) : m_stopped(stopped) {}
  void onStart() override { ++starts; }
  void onProgress(const ConvertProgress& progress) override {
    of = std::max(of, progress.of);
    if (m_stopped != nullptr) m_stopped->stop();
  }
  int starts = 0;
  std::uint64_t of = 0;

 private:
  ConvertJob* m_stopped;
};

class Found final : public InspectObserver {
 public:
  void onContent(const FolderContent& content) override { paths = content.paths; }
  void onProposal(const PipelineProposal& proposal) override { like = proposal.like; }
  std::vector<fs::path> paths;
  std::string like;
};

}  // namespace

class TestDataJobs : public QObject {
  Q_OBJECT

  tests::TemporaryFolder m_folder;
  fs::path m_pictures;

  ConvertJob::Options toShards(const std::string& name) const {
    ConvertJob::Options options;
    options.source = m_pictures;
    options.conversion.format = formatNamed("tfrecord");
    options.conversion.target = m_folder.path() / name;
    return options;
  }

 private slots:
  void initTestCase() {
    m_pictures = m_folder.path() / "pictures";
    VERIFY_OK(makeSampleData(m_pictures, {"cats-vs-dogs", 8, 0, 1}));
  }

  void anInspectionHasKindSurveyAndPipeline() {
    InspectJob job({m_pictures, 1000});
    Found observer;
    const auto found = job.run(observer);
    VERIFY_OK(found);
    QVERIFY(found->isReadable());
    QCOMPARE(found->path, m_pictures.native());
    QCOMPARE(found->survey->samples, found->survey->samplesRead);
    QVERIFY(found->proposal.has_value());
    QVERIFY(observer.paths == std::vector<fs::path>{m_pictures});
    QVERIFY(!observer.like.empty());
  }

  void dataThatNothingReadsIsAResultWithoutASurvey() {
    m_folder.write("notes/a.txt");
    InspectJob job({m_folder.path() / "notes", 10});
    Found observer;
    const auto found = job.run(observer);
    VERIFY_OK(found);
    QVERIFY(!found->isReadable() && !found->proposal);
    QVERIFY(!found->description.empty());
    QVERIFY(observer.like.empty());
  }

  void oneContainerThatDiffersFromTheOthersIsLeftOut() {
    const std::string bytes(4, 'x');
    for (const std::string odd : {"a", "b", "c"}) {
      const std::string folder = "odd-" + odd;
      for (const std::string name : {"a", "b", "c"})
        m_folder.write(folder + "/" + name + ".npy",
                       tests::npyBytes("'|u1'", name == odd ? "(1, 4)" : "(2, 2)", bytes));
      InspectJob job({m_folder.path() / folder, 10});
      Found observer;
      const auto found = job.run(observer);
      VERIFY_OK(found);
      QVERIFY2(found->isReadable(), found->description.c_str());
      QCOMPARE(found->survey->samples, 4U);
      QVERIFY2(found->description.starts_with("2 files of NumPy. 1 file is left out: `" + odd),
               found->description.c_str());
    }
  }

  void containersThatAreNotOneDataSetAreInspectedAlone() {
    const std::string bytes(4, 'x');
    m_folder.write("arrays/a.npy", tests::npyBytes("'|u1'", "(2, 2)", bytes));
    m_folder.write("arrays/b.npy", tests::npyBytes("'|u1'", "(1, 4)", bytes));
    m_folder.write("arrays/c.npy", tests::npyBytes("'|u1'", "(2, 2)", bytes, 1, "True"));
    InspectJob job({m_folder.path() / "arrays", 10});
    Found observer;
    const auto found = job.run(observer);
    VERIFY_OK(found);
    QVERIFY(!found->isReadable());
    QCOMPARE(found->below.size(), 2U);
    QVERIFY(found->below[0].path == m_folder.path() / "arrays/a.npy");
    QVERIFY(found->below[1].path == m_folder.path() / "arrays/b.npy");
    QVERIFY(found->description.find("`c.npy`: the array is in Fortran order") != std::string::npos);
  }

  void containersOfWhichNoneCanBeReadAreAnError() {
    m_folder.write("broken/a.npy", "not an array");
    m_folder.write("broken/b.npy", "neither");
    InspectJob job({m_folder.path() / "broken", 10});
    Found observer;
    QVERIFY(!job.run(observer));
  }

  void aStoppedInspectionReadsNoSamples() {
    InspectJob job({m_pictures, 1000});
    job.stop();
    Found observer;
    const auto found = job.run(observer);
    QVERIFY(!found || !found->survey || found->survey->samplesRead == 0);
  }

  void aConversionIsWholeAndCounted() {
    ConvertJob::Options options = toShards("whole");
    options.conversion.verify = true;
    ConvertJob job(options);
    Watched observer;
    const auto done = job.run(observer);
    VERIFY_OK(done);
    QCOMPARE(observer.starts, 1);
    QVERIFY(observer.of > 0);
    QVERIFY(done->verified && done->seconds > 0);
    QCOMPARE(done->kind, std::string("tfrecord"));
    QCOMPARE(done->outcome.samples, done->outcome.sourceSamples);
    QVERIFY(fs::exists(m_folder.path() / "whole"));
  }

  void aPipelineDecidesHowPicturesAreDecoded() {
    ConvertJob::Options options = toShards("numbers");
    auto proposal = proposePipeline(detectContent(m_pictures), builtinCatalog());
    VERIFY_OK(proposal);
    auto graph = setParameter(std::move(proposal->graph), builtinCatalog(), "decode", "form",
                              Value{std::string("stored")});
    VERIFY_OK(graph);
    options.source = LoadedPipeline{graph.take(), {}};
    options.conversion.pictures.form = PictureOptions::Form::Raw;
    options.conversion.pictures.size = Size{8, 8};
    ConvertJob job(options);
    Watched observer;
    const auto done = job.run(observer);
    VERIFY_OK(done);
    QCOMPARE(done->outcome.fields.front().dtype, DType::F32);
  }

  void aStoppedConversionCanBeResumed() {
    ConvertJob job(toShards("stopped"));
    Watched observer(&job);
    const auto stopped = job.run(observer);
    VERIFY_OK(stopped);
    QVERIFY(stopped->outcome.interrupted);
    QVERIFY(!fs::exists(m_folder.path() / "stopped"));
    ConvertJob::Options options = toShards("stopped");
    options.conversion.resume = true;
    ConvertJob again(options);
    Watched rest;
    const auto done = again.run(rest);
    VERIFY_OK(done);
    QCOMPARE(done->outcome.samples, done->outcome.sourceSamples);
  }

  void aSourceThatCannotBeReadIsAnErrorBeforeTheStart() {
    m_folder.write("words/a.txt");
    ConvertJob::Options options = toShards("none");
    options.source = m_folder.path() / "words";
    ConvertJob job(options);
    Watched observer;
    QVERIFY(!job.run(observer));
    QCOMPARE(observer.starts, 0);
  }

  void sourceAndTargetMustNotContainEachOther() {
    VERIFY_OK(ConvertJob::checkApart(m_pictures, m_folder.path() / "apart"));
    QVERIFY(!ConvertJob::checkApart(m_pictures, m_pictures / "inside"));
    QVERIFY(!ConvertJob::checkApart(m_pictures, m_folder.path()));
    VERIFY_OK(ConvertJob::checkApart("classification", m_folder.path()));
  }
};

}  // namespace millrace

using millrace::TestDataJobs;
MILLRACE_TEST_CASE(TestDataJobs)
#include "tst_data_jobs.moc"
