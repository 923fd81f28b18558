// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/inspect/report_job.h"

#include <sys/stat.h>

#include <cmath>

#include "core/codecs/encode.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// A JPEG file of waves that differ by `seed`.
std::string photo(int seed, int width = 120, int height = 90, int quality = 90) {
  std::vector<std::uint8_t> values;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        const double u = 6.28 * x / width;
        const double v = 6.28 * y / height;
        const double wave = std::sin((1 + seed % 5) * u + c) + std::cos((1 + seed % 7) * v + seed);
        values.push_back(static_cast<std::uint8_t>(128 + 60 * wave));
      }
  JpegSettings settings;
  settings.quality = quality;
  const auto bytes =
      encodeJpeg({values.data(), width, height, 3, std::ptrdiff_t{width} * 3}, settings).take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Counts the calls, and stops the job when it starts if asked to.
class Watched final : public DataReportObserver {
 public:
  void onStart() override {
    ++starts;
    if (stopped != nullptr) stopped->stop();
  }
  int starts = 0;
  DataReportJob* stopped = nullptr;
};

const ReportedFinding* of(const DataReport& report, Finding finding) {
  for (const ReportedFinding& found : report.findings)
    if (found.finding == finding) return &found;
  return nullptr;
}

std::string names(const DataReport& report, Finding finding) {
  std::string all;
  if (const ReportedFinding* found = of(report, finding))
    for (const ReportedSample& sample : found->samples)
      all += (all.empty() ? "" : " ") + sample.set + ":" + sample.name;
  return all;
}

}  // namespace

class TestReportJob : public QObject {
  Q_OBJECT

  std::unique_ptr<tests::TemporaryFolder> m_folder;

  fs::path data() const { return m_folder->path() / "data"; }
  DataReportJob::Options options() const {
    DataReportJob::Options made;
    made.path = data();
    made.states = m_folder->path() / "states";
    made.workers = 2;
    return made;
  }
  void add(const std::string& name, const std::string& content) const {
    m_folder->write("data/" + name, content);
  }
  void addPhotos(const std::string& folder, int first, int end) const {
    for (int i = first; i < end; ++i) add(folder + "/p" + std::to_string(i) + ".jpg", photo(i));
  }
  DataReport reportOf(const DataReportJob::Options& made) const {
    DataReportJob job(made);
    Watched observer;
    auto report = job.run(observer);
    return report ? report.take() : DataReport();
  }

 private slots:
  void init() { m_folder = std::make_unique<tests::TemporaryFolder>(); }

  void everyKindOfDamageIsAFindingAndNotTheEnd() {
    addPhotos("cat", 0, 6);
    addPhotos("dog", 6, 12);
    add("cat/broken.jpg", "not a picture");
    add("cat/empty.jpg", "");
    add("dog/half.jpg", photo(3).substr(0, photo(3).size() * 2 / 3));
    add("dog/copy.jpg", photo(8));
    add("cat/twice.jpg", photo(9));
    add("cat/again.jpg", photo(2, 120, 90, 60));
    add("cat/small.jpg", photo(4, 20, 15));
    const DataReport report = reportOf(options());
    QCOMPARE(report.samples(), std::uint64_t{19});
    QCOMPARE(report.examined(), std::uint64_t{19});
    QCOMPARE(names(report, Finding::Broken), std::string("data:cat/broken.jpg"));
    QCOMPARE(names(report, Finding::Unreadable), std::string("data:cat/empty.jpg"));
    QCOMPARE(names(report, Finding::Truncated), std::string("data:dog/half.jpg"));
    QCOMPARE(names(report, Finding::Duplicate), std::string("data:dog/p8.jpg data:dog/p9.jpg"));
    QCOMPARE(names(report, Finding::Conflict), std::string("data:cat/twice.jpg data:dog/p9.jpg"));
    QVERIFY2(names(report, Finding::NearDuplicate).find("cat/p2.jpg") != std::string::npos,
             names(report, Finding::NearDuplicate).c_str());
    QCOMPARE(names(report, Finding::Tiny), std::string("data:cat/small.jpg"));
    const SetReport& set = report.sets.front();
    QVERIFY(set.perClass == std::vector<std::uint64_t>({11, 8}));
    QCOMPARE(set.mean.size(), std::size_t{3});
    QVERIFY(!set.slowest.empty() && set.slowest.size() <= DataReport::kSlowest);
    QCOMPARE(set.slowest[0].file, (data() / set.slowest[0].name).native());
    std::uint64_t timed = 0;
    for (const auto& [name, count] : set.decodeTimes) timed += count;
    QCOMPARE(timed, std::uint64_t{set.slowest.size()});
    const ReportedSample& copy = of(report, Finding::Duplicate)->samples[1];
    QCOMPARE(copy.file, (data() / "dog/p9.jpg").native());
    QCOMPARE(copy.likeFile, (data() / "cat/twice.jpg").native());
  }

  void missingFilesAndPipesThatATableListsAreFindings() {
    addPhotos(".", 0, 6);
    QCOMPARE(::mkfifo((data() / "pipe.jpg").c_str(), 0600), 0);
    std::string table = "image,label\n";
    for (int i = 0; i < 6; ++i) table += "p" + std::to_string(i) + ".jpg,a\n";
    add("labels.csv", table + "pipe.jpg,b\ngone.jpg,b\n");
    const DataReport report = reportOf(options());
    QCOMPARE(report.examined(), std::uint64_t{8});
    QCOMPARE(of(report, Finding::Unreadable)->count, std::uint64_t{2});
    QVERIFY(!of(report, Finding::Unreadable)->samples[0].reason.empty());
  }

  void heldOutDataNextToTrainIsComparedWithIt() {
    addPhotos("train/cat", 0, 4);
    addPhotos("train/dog", 4, 8);
    addPhotos("val/cat", 20, 22);
    add("val/cat/leak.jpg", photo(5));
    const DataReport report = reportOf(options());
    QCOMPARE(report.sets.size(), std::size_t{2});
    QVERIFY(report.sets[0].name == "train" && report.sets[1].name == "val");
    QCOMPARE(names(report, Finding::Shared), std::string("val:cat/leak.jpg"));
    QCOMPARE(of(report, Finding::Shared)->samples[0].like, std::string("train/dog/p5.jpg"));
  }

  void otherDataIsComparedIfAskedFor() {
    addPhotos("cat", 0, 4);
    m_folder->write("new/a.jpg", photo(2));
    DataReportJob::Options made = options();
    made.path = data() / "cat";
    made.against = m_folder->path() / "new";
    const DataReport report = reportOf(made);
    QCOMPARE(names(report, Finding::Shared), std::string("new:a.jpg"));
  }

  void aStoppedReportHasWhatWasExamined() {
    addPhotos("cat", 0, 4);
    addPhotos("dog", 4, 8);
    DataReportJob job(options());
    Watched observer;
    observer.stopped = &job;
    const auto stopped = job.run(observer);
    VERIFY_OK(stopped);
    QVERIFY(stopped->interrupted);
    QCOMPARE(stopped->examined(), std::uint64_t{0});
    QVERIFY(!reportOf(options()).interrupted);
  }

  void aKilledReportContinuesAndAFinishedOneIsNotRepeated() {
    addPhotos("cat", 0, 40);
    addPhotos("dog", 40, 80);
    add("cat/broken.jpg", "not a picture");
    const DataReport whole = reportOf(options());
    QCOMPARE(whole.examined(), std::uint64_t{81});
    QCOMPARE(reportOf(options()).sets[0].resumed, std::uint64_t{81});
    // A kill while a block is written.
    const fs::path state = stateIn(options().states);
    fs::resize_file(state, fs::file_size(state) / 2);
    const DataReport continued = reportOf(options());
    QVERIFY(continued.sets[0].resumed > 0 && continued.sets[0].resumed < 81);
    QCOMPARE(continued.examined(), std::uint64_t{81});
    QVERIFY(std::abs(continued.sets[0].mean[1] - whole.sets[0].mean[1]) < 1e-12);
    QCOMPARE(names(continued, Finding::Broken), std::string("data:cat/broken.jpg"));
    QCOMPARE(of(continued, Finding::Broken)->samples[0].reason,
             of(whole, Finding::Broken)->samples[0].reason);
    DataReportJob::Options again = options();
    again.restart = true;
    QCOMPARE(reportOf(again).sets[0].resumed, std::uint64_t{0});
  }

  void changedDataAndDamagedStateAreExaminedFromTheStart() {
    addPhotos("cat", 0, 5);
    addPhotos("dog", 5, 9);
    QCOMPARE(reportOf(options()).sets[0].resumed, std::uint64_t{0});
    add("dog/p5.jpg", photo(77));
    const DataReport changed = reportOf(options());
    QCOMPARE(changed.sets[0].resumed, std::uint64_t{0});
    QVERIFY2(changed.notes.at(0).find("has changed") != std::string::npos,
             changed.notes.at(0).c_str());
    const fs::path state = stateIn(options().states);
    std::string bytes = tests::contentOf(state);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(state, std::ios::binary) << bytes;
    const DataReport damaged = reportOf(options());
    QCOMPARE(damaged.sets[0].resumed, std::uint64_t{0});
    QVERIFY2(damaged.notes.at(0).find("damaged") != std::string::npos, damaged.notes.at(0).c_str());
  }

  void stateThatCannotBeKeptIsANote() {
    addPhotos("cat", 0, 2);
    addPhotos("dog", 2, 4);
    m_folder->write("file", "x");
    DataReportJob::Options made = options();
    made.states = m_folder->path() / "file" / "below";
    const DataReport report = reportOf(made);
    QCOMPARE(report.examined(), std::uint64_t{4});
    QVERIFY2(report.notes.at(0).find("cannot be continued") != std::string::npos,
             report.notes.at(0).c_str());
  }

  void cleanSamplesAreThoseWithoutDamageAndCopies() {
    addPhotos("cat", 0, 2);
    addPhotos("dog", 2, 4);
    add("cat/broken.jpg", "not a picture");
    add("cat/z.jpg", photo(0));
    DataReportJob job(options());
    Watched observer;
    VERIFY_OK(job.run(observer));
    std::string clean;
    job.listClean(
        [&](const CleanSample& sample) { clean += sample.name + "=" + sample.label + " "; });
    QCOMPARE(clean, std::string("cat/p0.jpg=cat cat/p1.jpg=cat dog/p2.jpg=dog dog/p3.jpg=dog "));
    std::string files;
    job.list(Finding::Broken, [&](const ReportedSample& sample) { files += sample.file; });
    QCOMPARE(files, (data() / "cat/broken.jpg").native());
  }

  void dataThatCannotBeReadIsAnErrorBeforeTheStart() {
    m_folder->write("words/a.txt");
    DataReportJob::Options made = options();
    made.path = m_folder->path() / "words";
    DataReportJob job(made);
    Watched observer;
    QVERIFY(!job.run(observer));
    QCOMPARE(observer.starts, 0);
  }

 private:
  /// The only file in the folder of states.
  static fs::path stateIn(const fs::path& folder) { return fs::directory_iterator(folder)->path(); }
};

}  // namespace millrace

using millrace::TestReportJob;
MILLRACE_TEST_CASE(TestReportJob)
#include "tst_report_job.moc"
