// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/conversion.h"

#include <cstring>
#include <map>
#include <set>

#include "core/base/text/text.h"
#include "core/codecs/encode.h"
#include "core/nodes/builtin.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Samples with pictures of one colour and label i % 3; some are broken.
class Colours final : public Source {
 public:
  explicit Colours(std::uint32_t count, std::set<std::uint32_t> broken = {}, bool mixed = false,
                   int channels = 3)
      : m_count(count), m_broken(std::move(broken)), m_mixed(mixed), m_channels(channels) {}
  std::uint32_t size() const override { return m_count; }
  std::vector<FieldSpec> fields() const override {
    return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
            {"label", DType::I64, {}, Layout::Plain, Role::Label}};
  }
  std::string name(std::uint32_t i) const override {
    return "part" + std::to_string(i % 2) + "/" + std::to_string(i / 2) + ".v1.png";
  }
  std::vector<std::string> classes() const override { return {"b", "a", "c"}; }
  std::unique_ptr<SourceReader> reader() const override;

  std::vector<std::byte> picture(std::uint32_t i) const {
    const int width = m_mixed && i > 3 ? 20 : 16;
    const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * 16 * m_channels),
                                           static_cast<std::uint8_t>(i));
    auto file =
        encodePng({pixels.data(), width, 16, m_channels, std::ptrdiff_t{width} * m_channels})
            .take();
    if (m_broken.count(i) != 0) file.resize(file.size() - 20);
    return file;
  }

 private:
  const std::uint32_t m_count;
  const std::set<std::uint32_t> m_broken;
  const bool m_mixed;
  const int m_channels;
};

class ColourReader final : public SourceReader {
 public:
  explicit ColourReader(const Colours& source) : m_source(source) {}
  Status read(std::uint32_t i, Sample& sample, ReadCounters&) override {
    const auto file = m_source.picture(i);
    std::copy(file.begin(), file.end(), sample.replaceBytes(0, file.size()).data);
    *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = i % 3;
    return {};
  }

 private:
  const Colours& m_source;
};

std::unique_ptr<SourceReader> Colours::reader() const {
  return std::make_unique<ColourReader>(*this);
}

bool goOn(const ConvertProgress&) { return true; }

/// Samples of bytes that are not pictures, with different lengths.
class Notes final : public Source {
 public:
  std::uint32_t size() const override { return 4; }
  std::vector<FieldSpec> fields() const override {
    return {{"note", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Features}};
  }
  std::string name(std::uint32_t i) const override { return "note" + std::to_string(i); }
  std::unique_ptr<SourceReader> reader() const override {
    class Reader final : public SourceReader {
      Status read(std::uint32_t i, Sample& sample, ReadCounters&) override {
        std::memset(sample.replaceBytes(0, i + 1).data, 'n', i + 1);
        return {};
      }
    };
    return std::make_unique<Reader>();
  }
};

/// The same pictures as Colours, each with a box.
class Boxed final : public Source {
 public:
  std::uint32_t size() const override { return m_pictures->size(); }
  std::vector<FieldSpec> fields() const override {
    return {m_pictures->fields().front(),
            {"boxes", DType::F32, {Shape::kUnknown, 4}, Layout::Plain, Role::Boxes}};
  }
  std::string name(std::uint32_t i) const override { return m_pictures->name(i); }
  std::unique_ptr<SourceReader> reader() const override {
    class Reader final : public SourceReader {
     public:
      explicit Reader(std::unique_ptr<SourceReader> pictures) : m_of(std::move(pictures)) {}
      Status read(std::uint32_t i, Sample& sample, ReadCounters& counters) override {
        MILLRACE_TRY(m_of->read(i, sample, counters));
        const TensorView to = sample.replace(1, DType::F32, {1, 4}, Layout::Plain);
        std::memset(to.data, 0, to.bytes);
        return {};
      }

     private:
      std::unique_ptr<SourceReader> m_of;
    };
    return std::make_unique<Reader>(m_pictures->reader());
  }

 private:
  std::shared_ptr<Colours> m_pictures = std::make_shared<Colours>(4);
};

ConvertOptions jobFor(const fs::path& target, std::string_view format, std::uint32_t count = 20) {
  ConvertOptions job;
  job.source = std::make_shared<Colours>(count);
  job.target = target;
  job.format = formatNamed(format);
  job.verify = true;
  job.shardBytes = 800;
  return job;
}

std::map<std::string, std::string> filesIn(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).native()] = tests::contentOf(entry.path());
  return files;
}

std::string messageOf(const Result<ConvertOutcome>& result) {
  return result ? std::string() : result.error().message;
}

}  // namespace

class TestConversion : public QObject {
  Q_OBJECT
 private slots:
  void everyFormatReadsBackWhatWasWritten_data() {
    QTest::addColumn<QString>("format");
    int written = 0;
    for (const Format& format : allFormats()) {
      if (format.openWriter == nullptr) continue;
      ++written;
      const QString name =
          QString::fromUtf8(format.name.data(), static_cast<int>(format.name.size()));
      QTest::newRow(qPrintable(name)) << name;
    }
    QCOMPARE(written, 8);
  }
  /// Reads back bytes and labels through the format's source (`verify`); files must not depend on
  /// the number of threads.
  void everyFormatReadsBackWhatWasWritten() {
    QFETCH(QString, format);
    if (format == "hdf5" || format == "lmdb") MILLRACE_NEEDS_PART(format.toStdString());
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "one", format.toStdString());
    const auto one = convertData(job, goOn);
    QVERIFY2(one, messageOf(one).c_str());
    QCOMPARE(one->samples, std::uint64_t{20});
    QVERIFY(one->files > 1 || job.format == formatNamed("lmdb"));
    const auto source = openSourceOf(one->proposal->graph, builtinCatalog());
    QVERIFY(source);
    QCOMPARE((*source)->size(), 20U);
    job.workers = 4;
    job.target = folder.path() / "many" / ".." / "one2";
    fs::create_directories(folder.path() / "many");
    job.target = job.target.lexically_normal();
    QVERIFY(convertData(job, goOn));
    std::map<std::string, std::string> second = filesIn(folder.path() / "one2");
    const auto first = filesIn(folder.path() / "one");
    QCOMPARE(second.size(), first.size());
    for (auto a = first.begin(),
              b = std::map<std::string, std::string>::const_iterator(second.begin());
         a != first.end(); ++a, ++b)
      QVERIFY(a->second == b->second);
  }

  void brokenSamplesAreLeftOutAndNamed() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "a.tar", "webdataset");
    job.source = std::make_shared<Colours>(20, std::set<std::uint32_t>{0, 7});
    job.allowedFailures = 1;
    const std::string refused = messageOf(convertData(job, goOn));
    QVERIFY2(refused.find("part0/0.v1.png") != std::string::npos, refused.c_str());
    QVERIFY(fs::is_empty(folder.path()));
    job.allowedFailures = 2;
    const auto done = convertData(job, goOn);
    QVERIFY2(done, messageOf(done).c_str());
    QCOMPARE(done->samples, std::uint64_t{18});
    QCOMPARE(done->failures[1].first, std::string("part1/3.v1.png"));
    job.pictures.check = false;  // copied unchanged
    job.ifThere = IfThere::Replace;
    QCOMPARE(convertData(job, goOn)->samples, std::uint64_t{20});
  }

  void anInterruptedConversionGoesOn() {
    const tests::TemporaryFolder folder;
    ConvertOptions whole = jobFor(folder.path() / "set", "tfrecord");
    QVERIFY(convertData(whole, goOn));
    const auto wanted = filesIn(folder.path() / "set");
    fs::remove_all(folder.path() / "set");
    ConvertOptions job = whole;
    const auto stopped = convertData(job, [](const ConvertProgress& at) { return at.done < 9; });
    QVERIFY(stopped && stopped->interrupted);
    QVERIFY(!fs::exists(folder.path() / "set"));
    const std::string left = messageOf(convertData(job, goOn));
    QVERIFY2(left.find("`resume`") != std::string::npos, left.c_str());
    job.resume = true;
    job.pictures.form = PictureOptions::Form::Jpeg;
    QVERIFY(messageOf(convertData(job, goOn)).find("different data or settings") !=
            std::string::npos);
    job.pictures.form = PictureOptions::Form::Keep;
    const auto resumed = convertData(job, goOn);
    QVERIFY2(resumed, messageOf(resumed).c_str());
    QVERIFY(resumed->resumedAt >= 9 && resumed->resumedAt < 20);
    QVERIFY(filesIn(folder.path() / "set") == wanted);
    QVERIFY(!fs::exists(folder.path() / "set.part"));
  }

  void whatIsThereIsReplacedOnlyWhenAllowed() {
    const tests::TemporaryFolder folder;
    folder.write("set/old.tfrecord");
    ConvertOptions job = jobFor(folder.path() / "set", "tfrecord");
    QVERIFY(messageOf(convertData(job, goOn)).find("`force`") != std::string::npos);
    job.ifThere = IfThere::Replace;
    QVERIFY(convertData(job, goOn));
    QVERIFY(!fs::exists(folder.path() / "set/old.tfrecord"));
    folder.write("set/thesis.odt");
    QVERIFY(messageOf(convertData(job, goOn)).find("thesis.odt") != std::string::npos);
    QVERIFY(fs::exists(folder.path() / "set/thesis.odt"));
    QVERIFY(!fs::exists(folder.path() / "set.part"));
  }

  void hdf5IsPackedOnRequestAndKeepsTheNamesOfClasses() {
    MILLRACE_NEEDS_PART("hdf5");
    const tests::TemporaryFolder folder;
    // 768 bytes a row: chunks of 21, 21 and 8 rows.
    ConvertOptions job = jobFor(folder.path() / "plain.h5", "hdf5", 50);
    job.pictures.form = PictureOptions::Form::Raw;
    const auto plain = convertData(job, goOn);
    QVERIFY2(plain, messageOf(plain).c_str());
    job.target = folder.path() / "packed.h5";
    job.gzip = 4;
    const auto packed = convertData(job, goOn);
    QVERIFY2(packed, messageOf(packed).c_str());
    QVERIFY(packed->bytesWritten + 30'000 < plain->bytesWritten);
    for (const auto* outcome : {&*plain, &*packed}) {
      const auto source = openSourceOf(outcome->proposal->graph, builtinCatalog());
      VERIFY_OK(source);
      QVERIFY((*source)->classes() == (std::vector<std::string>{"b", "a", "c"}));
    }
  }

  void whatTheTargetLacksIsNotedWithItsCount() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "a.tar", "webdataset");
    job.source = std::make_shared<Colours>(20, std::set<std::uint32_t>(), false, 4);
    job.pictures.form = PictureOptions::Form::Jpeg;
    const std::string note =
        "20 pictures of 20 samples have transparency: alpha is dropped, the colours are kept";
    const auto notesOf = [&](const ConvertOptions& of) {
      const auto done = convertData(of, goOn);
      return done ? join(done->notes, "\n") : done.error().message;
    };
    QVERIFY2(notesOf(job).find(note) != std::string::npos, notesOf(job).c_str());
    // Of the samples before an interruption too.
    job.target = folder.path() / "b.tar";
    const auto stopped = convertData(job, [](const ConvertProgress& at) { return at.done < 9; });
    QVERIFY(stopped && stopped->interrupted);
    job.resume = true;
    QVERIFY2(notesOf(job).find(note) != std::string::npos, "the resumed conversion");
    job.resume = false;
    job.target = folder.path() / "c.tar";
    job.pictures.form = PictureOptions::Form::Keep;
    QCOMPARE(notesOf(job), std::string());
  }

  void numbersOfFilesAreKeptOrRefused() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "numbers", "numpy");
    job.source = std::make_shared<Colours>(20, std::set<std::uint32_t>(), false, 4);
    job.pictures.form = PictureOptions::Form::Raw;
    job.pictures.decode = DecodeStep();
    job.pictures.decode->form = DecodeForm::Stored;
    job.pictures.size = Size{8, 4};
    const auto done = convertData(job, goOn);
    QVERIFY2(done, messageOf(done).c_str());
    QCOMPARE(done->fields.front().dtype, DType::F32);
    QCOMPARE(done->fields.front().shape, (Shape{4, 8, 4}));
    for (const std::string& note : done->notes)
      QVERIFY2(note.find("alpha") == std::string::npos, note.c_str());
    const auto source = openSourceOf(done->proposal->graph, builtinCatalog());
    VERIFY_OK(source);
    Sample sample;
    sample.reset({0, 5, 0}, (*source)->fields().size());
    ReadCounters counters;
    VERIFY_OK((*source)->reader()->read(5, sample, counters));
    QCOMPARE(sample[0].dtype, DType::F32);
    QCOMPARE(sample[0].as<float>()[7], 5.0F);
    job.target = folder.path() / "files";
    job.format = formatNamed("folder");
    QVERIFY2(messageOf(convertData(job, goOn)).find("JPEG and PNG files cannot hold") !=
                 std::string::npos,
             messageOf(convertData(job, goOn)).c_str());
  }

  void rawPicturesNeedOneSize() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "a", "numpy");
    job.source = std::make_shared<Colours>(8, std::set<std::uint32_t>{}, true);
    QVERIFY(messageOf(convertData(job, goOn)).find("`resize`") != std::string::npos);
    QVERIFY(fs::is_empty(folder.path()));
    job.pictures.size = Size{8, 4};
    const auto done = convertData(job, goOn);
    QVERIFY2(done, messageOf(done).c_str());
    QCOMPARE(done->fields[0].shape, (Shape{4, 8, 3}));
  }

  void aDatumOfPixelsHasItsOwnSize() {
    MILLRACE_NEEDS_PART("lmdb");
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "a.mdb", "lmdb", 8);
    job.source = std::make_shared<Colours>(8, std::set<std::uint32_t>{}, true);
    job.pictures.form = PictureOptions::Form::Raw;
    const auto done = convertData(job, goOn);
    QVERIFY2(done, messageOf(done).c_str());
    QCOMPARE(done->samples, std::uint64_t{8});
    QVERIFY(fs::is_regular_file(job.target));
  }

  void valuesOfLmdbArePixelsOrArraysPackedOnRequest() {
    MILLRACE_NEEDS_PART("lmdb");
    MILLRACE_NEEDS_PART("lz4");
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "packed.mdb", "lmdb");
    job.lz4 = true;
    QVERIFY(messageOf(convertData(job, goOn)).find("`lossy`") != std::string::npos);
    job.lossy = true;
    const auto packed = convertData(job, goOn);
    QVERIFY2(packed, messageOf(packed).c_str());
    QCOMPARE(packed->notes.size(), std::size_t{2});
    QVERIFY(packed->notes[0].ends_with("cannot store it: label"));
    QVERIFY(packed->notes[1].find("`value` to image:u8:16x16x3,") != std::string::npos);
    // Read as pixels, and written to an LMDB without LZ4.
    job.source = openSourceOf(packed->proposal->graph, builtinCatalog()).value();
    QCOMPARE(job.source->fields().front().text(), "image u8 16x16x3 hwc");
    job.target = folder.path() / "plain.mdb";
    job.lz4 = false;
    job.pictures.form = PictureOptions::Form::Raw;
    const auto plain = convertData(job, goOn);
    QVERIFY2(plain, messageOf(plain).c_str());
    QCOMPARE(plain->notes.size(), std::size_t{1});
    QVERIFY(packed->bytesWritten < plain->bytesWritten);
    const auto source = openSourceOf(plain->proposal->graph, builtinCatalog());
    VERIFY_OK(source);
    QCOMPARE((*source)->fields().front().text(), "image u8 16x16x3 hwc");
    // Pictures of one size, which a Datum would not need.
    job.source = std::make_shared<Colours>(8, std::set<std::uint32_t>{}, true);
    job.target = folder.path() / "sizes.mdb";
    job.lz4 = true;
    QVERIFY(messageOf(convertData(job, goOn)).find("`resize`") != std::string::npos);
    job.pictures.patch = 8;
    job.pictures.stride = 8;
    job.pictures.downscale = 2;
    QVERIFY(messageOf(convertData(job, goOn)).find("`downscale` makes two") != std::string::npos);
    // Bytes of different lengths can be stored, but not with LZ4.
    job = jobFor(folder.path() / "bytes.mdb", "lmdb");
    job.lossy = true;
    job.source = std::make_shared<Notes>();
    job.lz4 = true;
    QVERIFY(messageOf(convertData(job, goOn)).find("values of one shape") != std::string::npos);
    QVERIFY(!fs::exists(job.target));
  }

  void objectsAreLeftOutOnlyOnRequest() {
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "out", "tfrecord");
    job.source = std::make_shared<Boxed>();
    QVERIFY(messageOf(convertData(job, goOn)).find("`boxes` of objects cannot be written") !=
            std::string::npos);
    job.lossy = true;
    const auto done = convertData(job, goOn);
    VERIFY_OK(done);
    QCOMPARE(done->samples, 4U);
  }

  void patchesArePairedWithTheirSmallerSelves() {
    MILLRACE_NEEDS_PART("lmdb");
    const tests::TemporaryFolder folder;
    ConvertOptions job = jobFor(folder.path() / "a", "folder", 3);
    job.pictures.patch = 8;
    job.pictures.stride = 4;
    job.pictures.downscale = 2;
    QVERIFY(messageOf(convertData(job, goOn)).find("`label`") != std::string::npos);
    job.lossy = true;
    const auto done = convertData(job, goOn);
    QVERIFY2(done, messageOf(done).c_str());
    QCOMPARE(done->samples, std::uint64_t{27});
    QCOMPARE(filesIn(folder.path() / "a/images").size(), std::size_t{27});
    job.format = formatNamed("lmdb");
    job.target = folder.path() / "b.lmdb";
    const auto pairs = convertData(job, goOn);
    QVERIFY2(pairs, messageOf(pairs).c_str());
    QVERIFY(filesIn(job.target).at("targets.lmdb/meta_info.txt").find("(8,8,3) 1") !=
            std::string::npos);
    job.pictures.downscale = 3;
    QVERIFY(messageOf(convertData(job, goOn)).find("multiples") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestConversion;
MILLRACE_TEST_CASE(TestConversion)
#include "tst_conversion.moc"
