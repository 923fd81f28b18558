// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The readers that exported code has for sources: Python reads the files that the writers wrote,
// and lists folders and tables, as the engine's own sources do.
#include <set>

#include <QProcess>
#include <QStandardPaths>

#include "core/base/text/text.h"
#include "core/export/snippets.h"
#include "core/formats/mds/mds_writer.h"
#include "core/formats/npy/npy_writer.h"
#include "core/formats/recordio/record_io_writer.h"
#include "core/formats/tar/web_writer.h"
#include "core/formats/tfrecord/tfrecord_writer.h"
#include "core/nodes/builtin.h"
#include "core/spec/field_keys.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

const FieldSpec kFileField{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image};
const FieldSpec kPixelField{"image", DType::U8, {1, 2, 3}, Layout::Hwc, Role::Image};
const FieldSpec kLabelField{"label", DType::I64, {}, Layout::Plain, Role::Label};

TensorView viewOfText(const std::string& bytes, const FieldSpec& field) {
  return {field.dtype, field.layout, field.shape,
          reinterpret_cast<std::byte*>(const_cast<char*>(bytes.data())), bytes.size()};
}

/// Writes twelve samples into files of at most 300 bytes.
Status writeSamples(const OpenWriter& writer, bool pixels) {
  if (!writer) return writer.error();
  for (int i = 0; i < 12; ++i) {
    std::string picture(6, static_cast<char>(i * 20));
    if (!pixels) picture = "\xff\xd8\xff" + std::string(static_cast<std::size_t>(i) * 9, '\n');
    std::string label(8, '\0');
    label[0] = static_cast<char>(i % 3);
    const std::vector<TensorView> values{viewOfText(picture, pixels ? kPixelField : kFileField),
                                         viewOfText(label, kLabelField)};
    MILLRACE_TRY((*writer)->add({"a/" + std::to_string(100 + i), values}));
  }
  return (*writer)->finish();
}

/// Appends the snippet after those that it needs, each once; imports go to `imports`.
void addSnippet(const std::string& name, std::set<std::string>& known,
                std::set<std::string>& imports, std::string& bodies) {
  if (!known.insert(name).second) return;
  const Snippet snippet = snippetNamed("python", name);
  for (const std::string& needed : snippet.needs) addSnippet(needed, known, imports, bodies);
  imports.insert(snippet.imports.begin(), snippet.imports.end());
  bodies += snippet.body + "\n";
}

/// Python that prints every sample of the source: its name, then type, shape and bytes of each
/// field.
constexpr const char* kPrintSamples = R"(
for index in range(len(source)):
    print(os.fsdecode(source.names[index]), end='')
    sample = source[index]
    for name in source.fields:
        value = sample[name]
        if isinstance(value, bytes):
            print(f'|{name} bytes', value.hex(), end='')
        else:
            sizes = 'x'.join(map(str, value.shape))
            print(f'|{name} {value.dtype} {sizes}', value.tobytes().hex(), end='')
    print()
)";

/// Name and class of each sample, then the names of the classes.
constexpr const char* kPrintNames = R"(
for index in range(len(source)):
    label = source.labels[index] if source.labels else -1
    os.write(1, os.fsencode(source.names[index]) + b' %d\n' % label)
os.write(1, b' '.join(map(os.fsencode, source.classes)))
)";

std::string programOf(const ExportText& text, const char* print) {
  std::set<std::string> known;
  std::set<std::string> imports{"import os"};
  std::string bodies;
  for (const std::string& name : text.snippets) addSnippet(name, known, imports, bodies);
  std::string program;
  for (const std::string& line : imports) program += line + "\n";
  for (const ExportOption& option : text.options)
    program += option.name + " = " + option.value + "\n";
  return program + bodies + "source = " + text.steps.front().code + "\n" + print;
}

/// What Python prints, or its error.
QString outputOf(const std::string& program) {
  QProcess python;
  python.start("python3", {"-"});
  python.write(program.data(), static_cast<qint64>(program.size()));
  python.closeWriteChannel();
  if (!python.waitForFinished(60000)) return "Python did not end";
  return QString::fromUtf8(python.exitCode() == 0 ? python.readAllStandardOutput()
                                                  : python.readAllStandardError());
}

/// The text of a source for DALI, which has no target-specific step after the reader.
ExportText exported(const std::string& kind, const Values& values, const Source& source) {
  ExportContext context;
  context.out.fields = source.fields();
  context.dataKnown = true;
  if (const auto* has = dynamic_cast<const HasFieldKeys*>(&source)) context.keys = has->fieldKeys();
  return builtinCatalog().find(kind)->exporters.at("dali")(tests::valuesOf(kind, values), context);
}

std::string namesOf(const Source& source) {
  std::string text;
  for (std::uint32_t i = 0; i < source.size(); ++i)
    text += source.name(i) + " " + std::to_string(source.labelOf(i)) + "\n";
  return text + join(source.classes(), " ");
}

/// The same of the engine's own source.
std::string printed(const Source& source) {
  const std::vector<FieldSpec> fields = source.fields();
  const auto reader = source.reader();
  Sample sample;
  ReadCounters counters;
  std::string text;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    sample.reset({0, i, 0}, fields.size());
    if (!reader->read(i, sample, counters)) return "a sample cannot be read";
    text += source.name(i);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const TensorView& view = sample[f];
      const std::string type = view.dtype == DType::I64   ? "int64"
                               : view.dtype == DType::F32 ? "float32"
                               : view.dtype == DType::F64 ? "float64"
                                                          : "uint8";
      const std::string sizes = view.shape.rank() == 0 ? "" : view.shape.text();
      text += "|" + fields[f].name +
              (view.dtype == DType::Encoded ? " bytes " : " " + type + " " + sizes + " ") +
              QByteArray(view.as<const char>(), static_cast<int>(view.bytes)).toHex().toStdString();
    }
    text += "\n";
  }
  return text;
}

}  // namespace

class TestRecordReaders : public QObject {
  Q_OBJECT
 private:
  /// The exported reader gives the samples of the engine's.
  static void compare(const std::string& kind, const Values& values) {
    const auto source = tests::openSource(kind, values);
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 12U);
    const ExportText text = exported(kind, values, **source);
    QVERIFY2(text.missing.empty(), text.missing.c_str());
    QCOMPARE(outputOf(programOf(text, kPrintSamples)), QString::fromStdString(printed(**source)));
  }

 private slots:
  void pythonReadsWhatTheSourceReads_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("pixels");
    for (const char* kind : {"tfrecord", "webdataset", "mds", "recordio"})
      QTest::addRow("%s", kind) << kind << false;
    QTest::addRow("numpy") << "numpy" << true;
    QTest::addRow("tfrecord of pixels") << "tfrecord" << true;
    QTest::addRow("mds of pixels") << "mds" << true;
  }

  void pythonReadsWhatTheSourceReads() {
    QFETCH(QString, kind);
    QFETCH(bool, pixels);
    if (QProcess::execute("python3", {"-c", "import numpy"}) != 0)
      QSKIP("there is no python3 with NumPy");
    const tests::TemporaryFolder folder;
    folder.makeFolder("data");
    const WriteSpec spec{
        folder.path() / "data", "a", 300, {pixels ? kPixelField : kFileField, kLabelField}, {}};
    auto writer = kind == "tfrecord"     ? openTfRecordWriter(spec)
                  : kind == "webdataset" ? openWebWriter(spec)
                  : kind == "mds"        ? openMdsWriter(spec)
                  : kind == "recordio"   ? openRecordIoWriter(spec)
                                         : openNpyWriter(spec);
    const Status written = writeSamples(writer, pixels);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    Values values{{"paths", TextList{(folder.path() / "data").native()}}};
    const TextList fields = (*writer)->readBack();
    if (kind == "webdataset") values["parts"] = fields;
    compare(kind.toStdString(), values);
    if (kind == "tfrecord") values["keys"] = fields;
    if (kind == "mds") values["columns"] = fields;
    compare(kind.toStdString(), values);
  }

  void pythonNumbersTextsOfClasses() {
    if (QProcess::execute("python3", {"-c", "import numpy"}) != 0)
      QSKIP("there is no python3 with NumPy");
    const tests::TemporaryFolder folder;
    const std::vector<tests::MdsColumnText> columns = {{"img", "jpeg"}, {"label", "str"}};
    std::vector<std::vector<std::string>> samples;
    for (int i = 0; i < 12; ++i) samples.push_back({"\xff\xd8\xff", i % 2 == 0 ? "owl" : "cat"});
    const std::string shard = tests::mdsShard(columns, samples);
    folder.write("shard.00000.mds", shard);
    folder.write("index.json", tests::mdsIndex(tests::mdsEntry(columns, "shard.00000.mds",
                                                               shard.size(), samples.size())));
    const Values values{{"paths", TextList{folder.path().native()}}};
    compare("mds", values);
    folder.write("classes.txt", "owl\ncat\n");
    compare("mds", values);
  }

  void pythonReadsEveryLabelOfWebDataset_data() {
    QTest::addColumn<QStringList>("labels");
    QTest::addColumn<QString>("part");
    QTest::addRow("names") << QStringList{"owl\n", "red fox", "owl"} << "cls";
    QTest::addRow("quantities") << QStringList{"0.5\n", "2", "-1.25"} << "cls";
    QTest::addRow("whole reals") << QStringList{"1.0", "0", "2.0\n"} << "cls";
    QTest::addRow("texts that repeat") << QStringList{"owl", "cat", "owl"} << "txt";
    QTest::addRow("names in JSON")
        << QStringList{R"({"class": "owl"})", R"({"class": "cat", "x": 1})"} << "json";
    QTest::addRow("numbers in JSON")
        << QStringList{R"({"label": 3})", R"({"label": 1.0})"} << "json";
  }
  void pythonReadsEveryLabelOfWebDataset() {
    QFETCH(const QStringList, labels);
    QFETCH(const QString, part);
    if (QProcess::execute("python3", {"-c", "import numpy"}) != 0)
      QSKIP("there is no python3 with NumPy");
    const tests::TemporaryFolder folder;
    std::string archive;
    for (int i = 0; i < 12; ++i) {
      const std::string name = std::to_string(i) + ".";
      archive += tests::tarMember(name + "jpg", "\xff\xd8\xff");
      archive +=
          tests::tarMember(name + part.toStdString(), labels[i % labels.size()].toStdString());
    }
    folder.write("x.tar", archive + tests::tarEnd());
    compare("webdataset", {{"paths", TextList{folder.path().native()}}});
  }

  void pythonReadsQuantitiesOfNumpy() {
    if (QProcess::execute("python3", {"-c", "import numpy"}) != 0)
      QSKIP("there is no python3 with NumPy");
    const tests::TemporaryFolder folder;
    std::vector<float> ages(12, 36.5F);
    const std::string bytes(reinterpret_cast<const char*>(ages.data()), 48);
    folder.write("x.npy", tests::npyBytes("'|u1'", "(12, 2)", std::string(24, 'x')));
    folder.write("y.npy", tests::npyBytes("'<f4'", "(12, 1)", bytes));
    const Values values{{"paths", TextList{(folder.path() / "x.npy").native()}},
                        {"labels", (folder.path() / "y.npy").native()}};
    compare("numpy", values);
    ages.assign(12, 3);
    folder.write("y.npy",
                 tests::npyBytes("'<f4'", "(12,)",
                                 std::string(reinterpret_cast<const char*>(ages.data()), 48)));
    compare("numpy", values);
  }

  void pythonReadsGreyPictures() {
    if (QProcess::execute("python3", {"-c", "import numpy"}) != 0)
      QSKIP("there is no python3 with NumPy");
    const tests::TemporaryFolder folder;
    const std::string pixels(12 * 8 * 9, 'g');
    folder.write("x.npy", tests::npyBytes("'|u1'", "(12, 8, 9)", pixels));
    compare("numpy", {{"paths", TextList{(folder.path() / "x.npy").native()}}});
  }

  void pythonListsWhatTheSourceLists_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<Values>("values");
    const auto row = [](const char* name, const char* kind, const Values& values) {
      QTest::newRow(name) << QString(kind) << values;
    };
    row("folders", "image_folder", {{"paths", TextList{"set"}}});
    row("folders by number", "image_folder",
        {{"paths", TextList{"set"}}, {"class_order", std::string("numeric")}});
    row("folders with junk", "image_folder",
        {{"paths", TextList{"set"}}, {"junk", std::string("keep")}});
    row("folders of texts", "image_folder", {{"paths", TextList{"texts"}}});
    row("pairs", "paired_folders", {{"input", std::string("pairs")}});
    row("table", "manifest", {{"paths", TextList{"plain.csv"}}});
    row("table of a spreadsheet", "manifest",
        {{"paths", TextList{"spread.csv"}}, {"labels", std::string("one_based")}});
    row("table with lines before it", "manifest", {{"paths", TextList{"head.csv"}}});
    row("table with spaces", "manifest", {{"paths", TextList{"list.txt"}}});
    row("table of another machine", "manifest", {{"paths", TextList{"moved.csv"}}});
    row("table of names", "manifest",
        {{"paths", TextList{"names.csv"}}, {"find_by", std::string("name")}});
    row("table without a header", "manifest",
        {{"paths", TextList{"bare.tsv"}},
         {"header", std::string("no")},
         {"image_column", std::string("1")},
         {"label_column", std::string("2")}});
  }

  void pythonListsWhatTheSourceLists() {
    QFETCH(QString, kind);
    QFETCH(Values, values);
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    const tests::TemporaryFolder folder;
    for (const char* file :
         {"set/10/a.jpg", "set/2/b.jpg", "set/2/._b.jpg", "set/2/notes.txt", "set/x/c.jpg",
          "set/README", "set/__MACOSX/d.jpg", "pairs/B.JPG", "pairs/b_mask.png",
          "set/2/README_how_the_pictures_of_this_data_set_were_made", "texts/pos/1.txt",
          "texts/neg/2.txt", "texts/LICENSE.md", "pairs/caf\u00e9.jpg", "pairs/cafe\u0301_mask.png",
          "pairs/alone.jpg", "pairs/Thumbs.db"})
      folder.write(file);
    folder.write("plain.csv",
                 "image,label\nset/2/b.jpg,dog\n ,cat\nset/x/c.jpg\nset/x/c.jpg,cat\n");
    folder.write("spread.csv",
                 "\xEF\xBB\xBF"
                 "file;class;\r\nset\\2\\b.jpg;2.0;;\r\n.\\set\\x\\c.jpg;1.0;\r\n");
    folder.write("head.csv", "sep=;\n# by hand\nimage;label\nset/2/b.jpg;dog\n");
    folder.write("list.txt", "set/2/b.jpg 1\nset/x/c.jpg 0\n");
    folder.write("moved.csv", "path,cat,dog\nD:/a/set/2/b.jpg,-1,1.0\nD:/a/set/x/c.jpg,1,-1.0\n");
    folder.write("names.csv", "image,label\nb.jpg,dog\nelsewhere/c.jpg,cat\n");
    folder.write("bare.tsv", "set/2/b\tcat\nset/x/c\tdog\n");
    for (const char* name : {"paths", "input"})
      if (const auto found = values.find(name); found != values.end()) {
        if (auto* list = std::get_if<TextList>(&found->second))
          list->front() = (folder.path() / list->front()).native();
        else
          found->second = (folder.path() / std::get<std::string>(found->second)).native();
      }
    const auto source = tests::openSource(kind.toStdString(), values);
    VERIFY_OK(source);
    const ExportText text = exported(kind.toStdString(), values, **source);
    QCOMPARE(outputOf(programOf(text, kPrintNames)), QString::fromStdString(namesOf(**source)));
  }
};

}  // namespace millrace

using millrace::TestRecordReaders;
MILLRACE_TEST_CASE(TestRecordReaders)
#include "tst_record_readers.moc"
