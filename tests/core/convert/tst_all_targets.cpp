// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Every kind of samples in every format: what comes back equals what went in, or the format refuses
// and says which field it cannot store.
#include <algorithm>
#include <map>

#include "core/codecs/encode.h"
#include "core/convert/conversion.h"
#include "core/formats/real_labels.h"
#include "core/nodes/builtin.h"
#include "tests/core/inspect/opened_proposal.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kSamples = 6;
const Shape kRun{Shape::kUnknown};

FieldSpec pictureField(const char* name, Role role) {
  return {name, DType::Encoded, kRun, Layout::Plain, role};
}

std::vector<std::byte> pictureOf(std::uint32_t sample, std::size_t field) {
  const std::vector<std::uint8_t> pixels(std::size_t{8} * 6 * 3,
                                         static_cast<std::uint8_t>(40 * field + sample));
  return encodePng({pixels.data(), 8, 6, 3, 24}).take();
}

/// Samples in memory with these fields, six in two classes.
class Samples final : public Source {
 public:
  explicit Samples(std::vector<FieldSpec> fields) : m_fields(std::move(fields)) {}
  std::uint32_t size() const override { return kSamples; }
  std::vector<FieldSpec> fields() const override { return m_fields; }
  std::string name(std::uint32_t i) const override {
    return (i % 2 == 0 ? "red fox/" : "owl/") + std::to_string(i) + ".png";
  }
  std::vector<std::string> classes() const override {
    for (const FieldSpec& field : m_fields)
      if (field.role == Role::Label) return {"owl", "red fox"};
    return {};
  }
  std::unique_ptr<SourceReader> reader() const override {
    class Reader final : public SourceReader {
     public:
      explicit Reader(const std::vector<FieldSpec>& fields) : m_fields(fields) {}
      Status read(std::uint32_t i, Sample& sample, ReadCounters&) override {
        for (std::size_t f = 0; f < m_fields.size(); ++f) put(i, f, sample);
        return {};
      }

     private:
      void put(std::uint32_t i, std::size_t f, Sample& sample) const {
        const FieldSpec& field = m_fields[f];
        if (field.dtype == DType::Encoded) {
          const auto file = pictureOf(i, f);
          std::ranges::copy(file, sample.replaceBytes(f, file.size()).data);
          return;
        }
        const TensorView to = sample.replace(f, field.dtype, field.shape, field.layout);
        if (field.role == Role::Label)
          *to.as<std::int64_t>() = i % 2 == 0 ? 1 : 0;
        else
          for (std::size_t b = 0; b < to.bytes; ++b) to.data[b] = static_cast<std::byte>(i + b % 7);
      }

      const std::vector<FieldSpec>& m_fields;
    };
    return std::make_unique<Reader>(m_fields);
  }

 private:
  const std::vector<FieldSpec> m_fields;
};

const FieldSpec kLabel{"label", DType::I64, {}, Layout::Plain, Role::Label};

std::map<QString, std::vector<FieldSpec>> kinds() {
  const FieldSpec image = pictureField("image", Role::Image);
  return {{"classes", {image, kLabel}},
          {"pairs", {image, pictureField("target", Role::Target)}},
          {"masks", {image, pictureField("mask", Role::Mask)}},
          {"pixels", {{"image", DType::U8, {6, 8, 3}, Layout::Hwc, Role::Image}, kLabel}},
          {"planes", {{"image", DType::U8, {3, 6, 8}, Layout::Chw, Role::Image}}},
          {"quantities", {image, quantityField(DType::F32)}},
          {"arrays", {{"x", DType::F32, {4, 5}, Layout::Plain, Role::Features}, kLabel}},
          {"bytes", {{"note", DType::Encoded, kRun, Layout::Plain, Role::Features}}},
          {"odd names",
           {{"x", DType::U8, {6, 8, 3}, Layout::Hwc, Role::Image},
            {"id", DType::I64, {}, Layout::Plain, Role::Label}}}};
}

ConvertOptions jobOf(std::shared_ptr<const Source> source, const Format& format,
                     const fs::path& target) {
  ConvertOptions job;
  job.source = std::move(source);
  job.format = &format;
  job.target = target;
  job.verify = true;
  return job;
}

Result<ConvertOutcome> convert(const ConvertOptions& job) {
  return convertData(job, [](const ConvertProgress&) { return true; });
}

std::map<std::string, std::string> treeOf(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).native()] = tests::contentOf(entry.path());
  return files;
}

/// Whether the message names a field and what to do.
bool namesAField(const std::string& message, const std::vector<FieldSpec>& fields) {
  for (const FieldSpec& field : fields)
    if (message.find("`" + field.name + "`") != std::string::npos)
      return message.find("the setting `") != std::string::npos;
  return message.find("choose ") != std::string::npos;
}

void addFormats(const char* kind) {
  for (const Format& format : allFormats())
    if (format.openWriter != nullptr)
      QTest::addRow("%s to %s", kind, std::string(format.name).c_str())
          << kind << QString::fromStdString(std::string(format.name));
}

bool needsPart(const QString& format) { return format == "hdf5" || format == "lmdb"; }

}  // namespace

class TestAllTargets : public QObject {
  Q_OBJECT
 private slots:
  void whatGoesInComesBackOrIsRefusedByName_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("format");
    for (const auto& [kind, fields] : kinds()) addFormats(qPrintable(kind));
  }
  void whatGoesInComesBackOrIsRefusedByName() {
    QFETCH(const QString, kind);
    QFETCH(const QString, format);
    if (needsPart(format)) MILLRACE_NEEDS_PART(format.toStdString());
    const std::vector<FieldSpec> fields = kinds().at(kind);
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobOf(std::make_shared<Samples>(fields),
                               *formatNamed(format.toStdString()), folder.path() / "set");
    const auto done = convert(job);
    if (!done) {
      QVERIFY2(namesAField(done.error().message, fields), done.error().message.c_str());
      QVERIFY(!fs::exists(job.target));
      return;
    }
    QVERIFY(done->proposal.has_value());
    const auto back = openSourceOf(done->proposal->graph, builtinCatalog());
    VERIFY_OK(back);
    QCOMPARE((*back)->size(), kSamples);
    const std::vector<FieldSpec> found = (*back)->fields();
    // A folder without classes reads as one class.
    if (format == "folder" && job.source->classes().empty()) return;
    QCOMPARE(found.size(), fields.size());
    // NumPy takes the label of another name for a number.
    if (std::ranges::any_of(found, [](const FieldSpec& f) { return f.role == Role::Label; }))
      QVERIFY((*back)->classes() == job.source->classes());
  }

  /// Found in the files alone, without what the writer says about them.
  void aLabelOfRealNumbersIsTheSameFieldInEveryFormat_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("format");
    addFormats("quantities");
  }
  void aLabelOfRealNumbersIsTheSameFieldInEveryFormat() {
    QFETCH(const QString, kind);
    QFETCH(const QString, format);
    if (needsPart(format)) MILLRACE_NEEDS_PART(format.toStdString());
    const tests::TemporaryFolder folder;
    const auto samples = std::make_shared<Samples>(kinds().at(kind));
    const ConvertOptions job =
        jobOf(samples, *formatNamed(format.toStdString()), folder.path() / "set");
    if (!convert(job)) return;
    const auto source = tests::opened(detectContent(job.target));
    QVERIFY(source != nullptr);
    const std::vector<FieldSpec> fields = source->fields();
    QVERIFY2(isQuantity(fields.back()), fields.back().text().c_str());
    const auto reader = source->reader();
    ReadCounters counters;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      Sample sample;
      sample.reset({0, i, 0}, fields.size());
      VERIFY_OK(reader->read(i, sample, counters));
      const TensorView found = sample[fields.size() - 1];
      QCOMPARE(static_cast<int>(*found.as<const std::byte>()), static_cast<int>(i));
    }
  }

  void samplesOfSeveralPathsAreToldApart_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("format");
    addFormats("classes");
    addFormats("pixels");
  }
  void samplesOfSeveralPathsAreToldApart() {
    QFETCH(const QString, kind);
    QFETCH(const QString, format);
    if (needsPart(format)) MILLRACE_NEEDS_PART(format.toStdString());
    const tests::TemporaryFolder folder;
    const auto samples = std::make_shared<Samples>(kinds().at(kind));
    for (const char* name : {"a", "b"}) {
      const auto done =
          convert(jobOf(samples, *formatNamed(format.toStdString()), folder.path() / name));
      if (!done) return;
    }
    auto proposal = proposePipeline(detectContent(folder.path() / "a"), builtinCatalog());
    VERIFY_OK(proposal);
    GraphNode& node = proposal->graph.nodes.front();
    const auto& params = builtinCatalog().find(node.kind)->params;
    const auto paths = std::ranges::find(params, ParamType::PathList, &ParamSpec::type);
    if (paths == params.end()) return;
    const Value given = valueOf(node, *paths);
    std::string second = std::get<TextList>(given).front();
    second.replace(second.rfind("/a"), 2, "/b");
    node.params[paths->name] = Value(TextList{std::get<TextList>(given).front(), second});
    const auto source = openSourceOf(proposal->graph, builtinCatalog());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2 * kSamples);
    for (std::uint32_t i = 0; i < 2 * kSamples; ++i)
      QCOMPARE((*source)->pathOf(i), std::uint32_t{i < kSamples ? 0U : 1U});
  }

  /// One hop through each format, then a folder again.
  void foldersOfClassesComeBackWithTheirNames_data() {
    QTest::addColumn<QString>("format");
    for (const Format& format : allFormats())
      if (format.openWriter != nullptr && format.pictures != Format::Pictures::Raw &&
          format.name != "hdf5")
        QTest::addRow("%s", std::string(format.name).c_str())
            << QString::fromStdString(std::string(format.name));
  }
  void foldersOfClassesComeBackWithTheirNames() {
    QFETCH(const QString, format);
    if (needsPart(format)) MILLRACE_NEEDS_PART(format.toStdString());
    const tests::TemporaryFolder folder;
    const Format& folders = *formatNamed("folder");
    const auto first = convert(
        jobOf(std::make_shared<Samples>(kinds().at("classes")), folders, folder.path() / "first"));
    VERIFY_OK(first);
    const auto source = openSourceOf(first->proposal->graph, builtinCatalog());
    VERIFY_OK(source);
    const auto hop =
        convert(jobOf(*source, *formatNamed(format.toStdString()), folder.path() / "hop"));
    VERIFY_OK(hop);
    const auto back = openSourceOf(hop->proposal->graph, builtinCatalog());
    VERIFY_OK(back);
    VERIFY_OK(convert(jobOf(*back, folders, folder.path() / "second")));
    const auto files = treeOf(folder.path() / "first");
    QVERIFY(files.contains("red fox/0.png"));
    QVERIFY(files == treeOf(folder.path() / "second"));
  }

  void aSingleFileHasItsClassesBesideIt() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobOf(std::make_shared<Samples>(kinds().at("classes")),
                               *formatNamed("webdataset"), folder.path() / "a.tar");
    VERIFY_OK(convert(job));
    QCOMPARE(tests::contentOf(folder.path() / "a.tar.classes.txt"), std::string("owl\nred fox\n"));
    const auto again = convert(job);
    QVERIFY(!again && again.error().message.find("`force`") != std::string::npos);
    fs::remove(job.target);
    const auto beside = convert(job);
    QVERIFY2(!beside && beside.error().message.find("a.tar.classes.txt") != std::string::npos,
             "a file of the user is not replaced");
    job.ifThere = IfThere::Replace;
    VERIFY_OK(convert(job));
  }

  void twoFilesOfOneNameHaveTheirOwnClasses() {
    const tests::TemporaryFolder folder;
    const auto source = std::make_shared<Samples>(kinds().at("classes"));
    VERIFY_OK(convert(jobOf(source, *formatNamed("webdataset"), folder.path() / "a.tar")));
    VERIFY_OK(convert(jobOf(source, *formatNamed("recordio"), folder.path() / "a.rec")));
    for (const char* name : {"a.tar.classes.txt", "a.rec.classes.txt"})
      QCOMPARE(tests::contentOf(folder.path() / name), std::string("owl\nred fox\n"));
  }

  void fieldsAreLeftOutOnlyOnRequest() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobOf(std::make_shared<Samples>(kinds().at("pairs")),
                               *formatNamed("recordio"), folder.path() / "a");
    const auto refused = convert(job);
    QVERIFY(!refused);
    QCOMPARE(
        refused.error().message,
        std::string(
            "RecordIO cannot store `target`: add the setting `lossy` to leave it out, or choose "
            "another format: tfrecord, webdataset, folder, numpy, lmdb, mds, hdf5"));
    job.lossy = true;
    const auto done = convert(job);
    VERIFY_OK(done);
    QVERIFY(done->notes.front().ends_with("cannot store it: target"));
  }

  void lostNamesOfSamplesAreNoted() {
    const tests::TemporaryFolder folder;
    const auto source = std::make_shared<Samples>(kinds().at("pixels"));
    const auto arrays = convert(jobOf(source, *formatNamed("numpy"), folder.path() / "a.npy"));
    VERIFY_OK(arrays);
    QCOMPARE(arrays->notes.front(),
             std::string("NumPy stores no names of samples: they are in the order of the source"));
    const auto records =
        convert(jobOf(source, *formatNamed("tfrecord"), folder.path() / "a.tfrecord"));
    VERIFY_OK(records);
    QVERIFY(records->notes.empty());
  }

  void theTypeOfPixelsIsInTheRecordOrInTheText() {
    const tests::TemporaryFolder folder;
    const auto source = std::make_shared<Samples>(kinds().at("pixels"));
    const auto records =
        convert(jobOf(source, *formatNamed("tfrecord"), folder.path() / "a.tfrecord"));
    VERIFY_OK(records);
    FolderContent content = detectContent(folder.path() / "a.tfrecord");
    const auto proposal = proposePipeline(content, builtinCatalog());
    VERIFY_OK(proposal);
    const auto found = openSourceOf(proposal->graph, builtinCatalog());
    VERIFY_OK(found);
    QCOMPARE((*found)->fields().front().text(), std::string("image u8 6x8x3 hwc"));
    QCOMPARE((*found)->fields().size(), std::size_t{2});
    const auto shards = convert(jobOf(source, *formatNamed("webdataset"), folder.path() / "b.tar"));
    VERIFY_OK(shards);
    QVERIFY(shards->notes.back().find("`parts` to image=image.bin:u8:6x8x3") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestAllTargets;
MILLRACE_TEST_CASE(TestAllTargets)
#include "tst_all_targets.moc"
