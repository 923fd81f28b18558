// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/tfrecord.h"
#include "core/formats/class_names.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/array_inlay.h"
#include "core/formats/folder/growing_listing.h"
#include "core/formats/io/container_file.h"
#include "core/formats/io/data_path.h"
#include "core/formats/shard_files.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/example_keys.h"
#include "core/node_parts/fields/tfrecord_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/class_lists.h"
#include "core/spec/describe.h"
#include "core/spec/field_keys.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"
#include "core/spec/stored_names.h"
#include "core/storage/remote_path.h"

namespace millrace::nodes::tfrecord {

namespace {

namespace fs = std::filesystem;

enum class Content : std::uint8_t { Auto, Examples, Bytes };

struct Params {
  TextList paths;
  Content content = Content::Auto;
  TextList keys;
  bool checkSums = true;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The number of records that are examined to determine their content, from the first file on.
constexpr std::uint32_t kExamined = 64;
/// Fewer records are examined if they are large.
constexpr std::uint64_t kExaminedBytes = std::uint64_t{32} << 20U;
/// How many of the other files, evenly spread, are examined, and how many records of each: files
/// that were written by another program may have other keys. From a server, every file is a wait.
constexpr std::size_t kOtherFiles = 16;
constexpr std::size_t kOtherFilesAtServer = 2;
constexpr std::size_t kExaminedOfOther = 4;
/// The name of the picture file, as in the records of TensorFlow's own data sets.
constexpr const char* kNameKey = "image/filename";

std::vector<FieldSpec> recordField() {
  return {{"record", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Features}};
}

/// The records of one file.
class Part {
 public:
  explicit Part(const OpenFile& file) : m_scan(std::in_place, file.fd.get(), file.size) {}
  Status advance(std::size_t most) { return m_scan->advance(most, m_index); }
  bool done() const { return m_scan->done(); }
  std::size_t size() const { return m_index.size(); }
  std::vector<std::string> finish() {
    std::vector<std::string> notes = m_scan->damage();
    if (m_scan->damagedPlaces() > notes.size())
      notes.push_back(fmt::format("{} damaged places in total", grouped(m_scan->damagedPlaces())));
    m_scan.reset();
    return notes;
  }
  TfRecordIndex::Place at(std::size_t record) const { return m_index.at(record); }

 private:
  std::optional<TfRecordScan> m_scan;
  TfRecordIndex m_index;
};

/// The records of one or more files.
class TfRecords final : public Source,
                        public KeepsNames,
                        public FindsClassLists,
                        public HasFieldKeys {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  TfRecords(const Params& params, std::vector<ContainerFile> files, std::vector<std::string> notes)
      : m_checkSums(params.checkSums),
        m_readBy(params.readBy),
        m_files(std::move(files)),
        m_notes(std::move(notes)),
        m_listing(m_files.size(), [this](std::size_t file) { return Part(m_files[file].file); }) {}

  std::uint32_t size() const override { return m_listing.whole(); }
  std::uint32_t atLeast(std::uint32_t count) const override { return m_listing.atLeast(count); }
  bool listed() const override { return m_listing.complete(); }
  std::vector<FieldSpec> fields() const override {
    return m_examples ? specsOf(m_fields) : recordField();
  }
  std::vector<std::string> fieldKeys() const override {
    std::vector<std::string> keys;
    for (const ExampleField& field : m_fields) keys.push_back(field.key);
    return keys;
  }
  std::string name(std::uint32_t index) const override {
    const Found found = find(index);
    return nameOf(found.file, found.record);
  }
  std::vector<std::string> warnings() const override;
  std::string file(std::uint32_t index) const override {
    return m_files[find(index).file].path.native();
  }
  std::unique_ptr<StoredNames> storedNames() const override;
  std::optional<ClassLists> classLists() const override { return m_classLists; }
  std::unique_ptr<SourceReader> reader() const override;

  struct Found {
    std::size_t file;
    std::uint32_t record;
    TfRecordIndex::Place place;
  };
  Found find(std::uint32_t index) const {
    return m_listing.at(index, [](const Part& part, std::size_t file, std::uint32_t record) {
      return Found{file, record, part.at(record)};
    });
  }
  int descriptor(std::size_t file) const { return m_files[file].file.fd.get(); }
  bool checksSums() const { return m_checkSums; }
  ReadBy readBy() const { return m_readBy; }
  bool areExamples() const { return m_examples; }
  const std::vector<ExampleField>& exampleFields() const { return m_fields; }

 private:
  using Examine =
      std::function<void(std::size_t file, std::size_t number, TfRecordIndex::Place place)>;

  std::string nameOf(std::size_t file, std::size_t record) const {
    return fmt::format("{}#{}", m_files[file].name(), record);
  }
  Status scanFirst();
  void examineOtherFiles(std::size_t first, const Examine& examine) const;
  ExaminedRecords examine(ExampleSurvey& survey) const;
  Status learnFields(const Params& params);

  // Constant after opening.
  const bool m_checkSums;
  const ReadBy m_readBy;
  const std::vector<ContainerFile> m_files;
  std::vector<std::string> m_notes;
  bool m_examples = false;
  bool m_named = false;  ///< the first records have kNameKey
  std::vector<ExampleField> m_fields;
  std::optional<ClassLists> m_classLists;

  const GrowingListing<Part> m_listing;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const TfRecords& source)
      : m_source(source),
        m_range(source.readBy()),
        m_parser(source.exampleFields()),
        m_array(partsOf(source)) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const TfRecords::Found found = m_source.find(index);
    const int fd = m_source.descriptor(found.file);
    const bool check = m_source.checksSums();
    const auto inlay = m_array.guess(found.place.length, sample);
    MILLRACE_ASSIGN_OR_RETURN(
        const auto record,
        inlay ? readTfRecord(m_range, fd, found.place, check, counters, *inlay)
              : readTfRecord(m_range, fd, found.place, check, counters, sample.recordRoom()));
    if (m_source.areExamples()) {
      const Status parsed = m_parser.parse(record, sample);
      return m_array.settle(record, sample) ? parsed : m_parser.parse(record, sample);
    }
    sample.borrow(0, {DType::Encoded,
                      Layout::Plain,
                      {static_cast<std::int64_t>(record.size())},
                      record.data(),
                      record.size()});
    return {};
  }

 private:
  static std::vector<ArrayInlay::Part> partsOf(const TfRecords& source) {
    std::vector<ArrayInlay::Part> parts;
    for (const ExampleField& field : source.exampleFields())
      parts.push_back({field.key, field.spec});
    return parts;
  }

  const TfRecords& m_source;
  RangeReader m_range;
  ExampleParser m_parser;
  ArrayInlay m_array;
};

std::unique_ptr<SourceReader> TfRecords::reader() const { return std::make_unique<Reader>(*this); }

/// The names in the records' key kNameKey.
class ExampleNames final : public StoredNames {
 public:
  explicit ExampleNames(const TfRecords& source)
      : m_source(source),
        m_parser({{kNameKey, {"name", DType::Encoded, {Shape::kUnknown}}, true}}) {}

  std::string name(std::uint32_t index) override {
    const TfRecords::Found found = m_source.find(index);
    const auto record =
        readTfRecord(m_range, m_source.descriptor(found.file), found.place, false, m_counters);
    m_sample.reset({0, index, 0}, 1);
    if (!record || !m_parser.parse(*record, m_sample)) return {};
    return {m_sample[0].as<const char>(), m_sample[0].bytes};
  }

 private:
  const TfRecords& m_source;
  ExampleParser m_parser;
  RangeReader m_range;
  ReadCounters m_counters;
  Sample m_sample;
};

std::unique_ptr<StoredNames> TfRecords::storedNames() const {
  if (!m_named) return nullptr;
  return std::make_unique<ExampleNames>(*this);
}

std::vector<std::string> TfRecords::warnings() const {
  std::vector<std::string> all = m_notes;
  for (const auto& [file, note] : m_listing.notes())
    all.push_back(validUtf8(m_files[file].name()) + ": " + note);
  return all;
}

/// Scans until the first record is found; otherwise returns why there is none.
Status TfRecords::scanFirst() {
  m_listing.begin();
  if (atLeast(1) > 0) return {};
  const std::vector<std::string> why = warnings();
  return Error{fmt::format("no TFRecord record in `{}`{}: {}",
                           validUtf8(m_files.front().path.native()),
                           m_files.size() > 1 ? " and the others" : "",
                           why.empty() ? "all files are empty" : why.front())};
}

/// The first records of files from `first` on.
void TfRecords::examineOtherFiles(std::size_t first, const Examine& examine) const {
  const std::size_t others = m_files.size() - std::min(first, m_files.size());
  const std::size_t count = std::min(
      others, isRemotePath(m_files.front().path.native()) ? kOtherFilesAtServer : kOtherFiles);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t file = first + (i + 1) * others / count - 1;
    TfRecordIndex index;
    TfRecordScan scan(descriptor(file), m_files[file].file.size);
    if (!scan.advance(kExaminedOfOther, index)) continue;
    for (std::size_t record = 0; record < index.size(); ++record)
      examine(file, record, index.at(record));
  }
}

/// Adds the first records, and some of other files, to the survey.
ExaminedRecords TfRecords::examine(ExampleSurvey& survey) const {
  ExaminedRecords examined;
  RangeReader range;
  ReadCounters counters;
  const Examine add = [&](std::size_t file, std::size_t number, TfRecordIndex::Place place) {
    if (counters.bytes >= kExaminedBytes) return;
    const auto record = readTfRecord(range, descriptor(file), place, true, counters);
    if (!record) return;
    ++examined.sound;
    if (!survey.add(*record) && examined.firstOther.empty())
      examined.firstOther = nameOf(file, number);
  };
  const std::uint32_t count = std::min(atLeast(kExamined), kExamined);
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Found found = find(i);
    add(found.file, found.record, found.place);
    next = found.file + 1;
  }
  examineOtherFiles(next, add);
  return examined;
}

/// From the first records, unless the parameters define them.
Status TfRecords::learnFields(const Params& params) {
  if (params.content == Content::Bytes) return {};
  ExampleSurvey survey;
  const ExaminedRecords examined = examine(survey);
  auto fields = tfRecordFields(survey, examined, params.keys, params.content == Content::Examples);
  if (!fields)
    return Error{
        fmt::format("`{}`: {}", validUtf8(m_files.front().path.native()), fields.error().message)};
  TfRecordFields found = fields.take();
  m_fields = std::move(found.fields);
  m_classLists = std::move(found.classLists);
  m_examples = !m_fields.empty();
  m_named = found.examples && survey.keys().contains(kNameKey);
  for (std::string& note : found.notes) m_notes.push_back(std::move(note));
  return {};
}

Result<std::shared_ptr<const Source>> TfRecords::open(const Params& params, const fs::path& base) {
  std::vector<std::string> notes;
  MILLRACE_ASSIGN_OR_RETURN(const auto files,
                            shardFiles(params.paths, base, isTfRecordName, notes));
  auto opened = openContainers(
      files, kTfRecordHead, [](const std::byte* head) { return tfRecordLength(head).has_value(); },
      notes);
  if (!opened) return opened.error();
  auto source = std::make_shared<TfRecords>(params, opened.take(), std::move(notes));
  MILLRACE_TRY(source->scanFirst());
  MILLRACE_TRY(source->learnFields(params));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no TFRecord file is set", "set at least one");
  const auto keys = parseExampleKeys(params.keys);
  if (!keys)
    context.error("keys", keys.error().message, "use NAME=KEY, see `millrace nodes tfrecord`");
  if (!params.keys.empty() && params.content == Content::Bytes)
    context.error("keys", "records have no keys with content bytes", "set content to auto");
  StreamType out;
  if (params.content == Content::Bytes)
    out.fields = recordField();
  else
    out.fields = keys && !keys->empty() ? specsOf(*keys) : usualTfRecordFields();
  return out;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto fields = fieldsSaid(p.keys, context);
  const bool bytes =
      p.content == Content::Bytes || (context.dataKnown && context.out.fields == recordField());
  if (!bytes && !fields) return fieldsNotSaid("keys");
  ExportText text;
  const bool parses = target == "dali" || target == "grain";  // in the reader
  if (!bytes && parses)
    text = recordSource(target, "parsed_examples",
                        "ParsedExamples(TfRecords(DATA), " + fieldLiterals(*fields) + ")")
               .needs("tfrecord");
  else
    text = recordSource(target, "tfrecord", "TfRecords(DATA)");
  if (!bytes && !parses) addExampleStep(target, "record", *fields, text);
  text.option("DATA", pathListLiteral(p.paths, context));
  // tf.data states it only if its own reader, which verifies checksums, is not used.
  if (p.checkSums && target != "tfdata") text.limit(kNoCheckSums);
  return text.limit(
      "Files compressed with gzip or zlib are not read, and after a damaged place the rest of a "
      "file is left out. Millrace decompresses them, and continues with the next record.");
}

/// Whether the files are `sorted(glob("*.tfrec*"))` in the folder, and none is compressed.
bool isGlobbed(const Params& p, const ExportContext& context, const fs::path& folder) {
  std::vector<std::string> notes;
  const auto files = shardFiles(p.paths, context.base, isTfRecordName, notes);
  if (!files) return false;
  std::vector<std::string> names = globbed(folder, 1);
  std::erase_if(names, [](const std::string& name) {
    return name.find(".tfrec") == std::string::npos || validUtf8(name) != name;
  });
  const auto isPlain = [&](const fs::path& file, const std::string& name) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 2> start{};
    stream.read(start.data(), start.size());
    return file == folder / name && start != std::array{'\x1f', '\x8b'};
  };
  return std::equal(files->begin(), files->end(), names.begin(), names.end(), isPlain);
}

ExportText shortText(const Params& p, const ExportContext& context, std::string_view form) {
  const bool torch = form.starts_with("pytorch");
  const auto fields = fieldsSaid(p.keys, context);
  const bool bytes =
      p.content == Content::Bytes || (context.dataKnown && context.out.fields == recordField());
  if (p.paths.size() != 1 || (!bytes && (torch || !fields)))
    return longForm("it reads several paths, or parses records into fields");
  const auto folder = resolveDataPath(p.paths.front(), context.base);
  if (!folder) return longForm(folder.error().message);
  if (context.dataKnown && !isGlobbed(p, context, *folder))
    return longForm("its files are compressed, or are not *.tfrec* in one folder");
  ExportText text;
  text.needs("record_files").option("DATA", pythonText(folder->native()), "holds *.tfrec* files");
  if (torch && p.checkSums) text.limit(kNoCheckSums);
  if (torch) return text.step("Records()");
  text.step("tf.data.TFRecordDataset(list_files())").step("sample = {\"record\": record}");
  if (!bytes) addShortExample("record", *fields, false, text);
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("tfrecord", Category::Source, NodeRole::Source);
  d.label("TFRecord")
      .help(
          "Reads records of TFRecord files, uncompressed or compressed with gzip or zlib. Records "
          "that are a tf.train.Example are unpacked to fields, which are selected and typed by the "
          "first records; other records stay bytes. Needs no index. Damaged places are skipped and "
          "reported with their offset.");
  d.example(
      R"({"paths": ["train-{00000..01023}-of-01024"], "keys": ["image=image/encoded", "label=image/class/label"]})");
  d.tags({"tensorflow", "tf.data", "records", "example", "shards"});
  d.paths("paths", &Params::paths)
      .label("Files")
      .data()
      .help(
          "Files, names with braces such as {000..127} or {a,b}, and folders of such files. "
          "Several files form one data set. Relative paths start at the pipeline file.");
  d.choice<Content>(
       "content", &Params::content,
       {{Content::Auto, "auto", "Examples if the first records are examples, otherwise bytes."},
        {Content::Examples, "examples", "tf.train.Example; anything else is an error."},
        {Content::Bytes, "bytes", "Records without interpretation, for example_parse."}})
      .label("Content")
      .help("What a record contains.");
  ParamBuilder keys = d.texts("keys", &Params::keys);
  describeKeys(keys.optional());
  d.boolean("check_sums", &Params::checkSums)
      .label("Checksums")
      .help(
          "Verify the checksum of each record, and fail samples whose checksum is wrong. Every "
          "byte is then read one additional time.");
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(TfRecords::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  d.exporters({"pytorch.short", "tfdata.short"}, shortText);
  return d.take();
}

}  // namespace millrace::nodes::tfrecord
