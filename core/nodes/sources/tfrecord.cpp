// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/tfrecord.h"
#include "core/formats/class_names.h"

#include <algorithm>
#include <filesystem>
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
#include "core/formats/tfrecord/tfrecord_part.h"
#include "core/node_parts/fields/example_keys.h"
#include "core/node_parts/fields/text_classes.h"
#include "core/node_parts/fields/tfrecord_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/nodes/sources/tfrecord_params.h"
#include "core/spec/class_lists.h"
#include "core/spec/describe.h"
#include "core/spec/field_keys.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"
#include "core/spec/stored_names.h"
#include "core/storage/remote_path.h"

namespace millrace::nodes::tfrecord {

std::vector<FieldSpec> recordField() {
  return {{"record", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Features}};
}

namespace {

namespace fs = std::filesystem;

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

/// The records of one or more files.
class TfRecords final : public Source,
                        public KeepsNames,
                        public FindsClassLists,
                        public HasFieldKeys {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);
  /// With fields, but without the numbers of classes that are texts.
  static Result<std::shared_ptr<TfRecords>> openFields(const Params& params, const fs::path& base);

  TfRecords(const Params& params, std::vector<ContainerFile> files, std::vector<std::string> notes)
      : m_checkSums(params.checkSums),
        m_readBy(params.readBy),
        m_files(std::move(files)),
        m_notes(std::move(notes)),
        m_listing(m_files.size(),
                  [this](std::size_t file) { return TfRecordPart(m_files[file].file); }) {}

  std::uint32_t size() const override { return m_listing.whole(); }
  std::uint32_t atLeast(std::uint32_t count) const override { return m_listing.atLeast(count); }
  bool listed() const override { return m_listing.complete(); }
  std::vector<FieldSpec> fields() const override;
  std::vector<std::string> classes() const override { return m_textClasses.names(); }
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
  std::uint32_t pathOf(std::uint32_t index) const override {
    return m_files[find(index).file].entry;
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
    return m_listing.at(index,
                        [](const TfRecordPart& part, std::size_t file, std::uint32_t record) {
                          return Found{file, record, part.at(record)};
                        });
  }
  int descriptor(std::size_t file) const { return m_files[file].file.fd.get(); }
  bool checksSums() const { return m_checkSums; }
  ReadBy readBy() const { return m_readBy; }
  bool areExamples() const { return m_examples; }
  const std::vector<ExampleField>& exampleFields() const { return m_fields; }
  /// The field whose classes are texts.
  std::optional<std::size_t> textLabel() const { return m_textLabel; }
  const TextClasses& textClasses() const { return m_textClasses; }
  Status learnTextClasses(const Params& params, const fs::path& base);
  std::string labelStoredAs() const;

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
  Status collectTexts();

  // Constant after opening.
  const bool m_checkSums;
  const ReadBy m_readBy;
  const std::vector<ContainerFile> m_files;
  std::vector<std::string> m_notes;
  bool m_examples = false;
  bool m_named = false;  ///< the first records have kNameKey
  std::vector<ExampleField> m_fields;
  std::optional<ClassLists> m_classLists;
  std::optional<std::size_t> m_textLabel;
  TextClasses m_textClasses;

  const GrowingListing<TfRecordPart> m_listing;
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
      MILLRACE_TRY(m_array.settle(record, sample) ? parsed : m_parser.parse(record, sample));
      return m_source.textLabel() ? putClass(sample) : Status();
    }
    sample.borrow(0, {DType::Encoded,
                      Layout::Plain,
                      {static_cast<std::int64_t>(record.size())},
                      record.data(),
                      record.size()});
    return {};
  }

 private:
  /// Puts the class in the place of its text.
  Status putClass(Sample& sample) const {
    const TensorView text = sample[*m_source.textLabel()];
    MILLRACE_ASSIGN_OR_RETURN(
        const std::int64_t label,
        m_source.textClasses().numberOf({text.as<const std::byte>(), text.bytes}));
    *sample.replace(*m_source.textLabel(), DType::I64, {}, Layout::Plain).as<std::int64_t>() =
        label;
    return {};
  }

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
  const auto text = std::ranges::find_if(m_fields, [](const ExampleField& field) {
    return field.spec.role == Role::Label && field.spec.dtype == DType::Encoded;
  });
  if (text != m_fields.end()) m_textLabel = static_cast<std::size_t>(text - m_fields.begin());
  m_named = found.examples && survey.keys().contains(kNameKey);
  for (std::string& note : found.notes) m_notes.push_back(std::move(note));
  return {};
}

std::vector<FieldSpec> TfRecords::fields() const {
  std::vector<FieldSpec> fields = m_examples ? specsOf(m_fields) : recordField();
  if (m_textLabel)
    fields[*m_textLabel] = {fields[*m_textLabel].name,
                            DType::I64,
                            {},
                            Layout::Plain,
                            Role::Label,
                            static_cast<std::int64_t>(m_textClasses.names().size())};
  return fields;
}

/// Adds the texts of all records to the classes.
Status TfRecords::collectTexts() {
  constexpr std::uint64_t kMost = std::uint64_t{4} << 30U;
  std::uint64_t bytes = 0;
  for (const ContainerFile& file : m_files) bytes += file.file.size;
  if (bytes > kMost)
    return Error{
        "their numbers are unknown, because finding all texts would read more than 4 GB; write "
        "`classes.txt` next to the data, with a class on each line"};
  ExampleField label = m_fields[*m_textLabel];
  ExampleParser parser({label});
  RangeReader range(m_readBy);
  ReadCounters counters;
  Sample sample;
  for (std::uint32_t i = 0; i < size(); ++i) {
    const Found found = find(i);
    const auto record = readTfRecord(range, descriptor(found.file), found.place, false, counters);
    sample.reset({0, i, 0}, 1);
    // A damaged record fails when it is read as a sample.
    if (record && parser.parse(*record, sample))
      MILLRACE_TRY(m_textClasses.add({sample[0].as<const std::byte>(), sample[0].bytes}));
  }
  return {};
}

/// Numbers the classes of a label that is text: as the names next to the data say, or by reading
/// all records.
Status TfRecords::learnTextClasses(const Params& params, const fs::path& base) {
  if (!m_textLabel) return {};
  const auto label = m_fields.begin() + static_cast<std::ptrdiff_t>(*m_textLabel);
  Status learned = m_textClasses.learn(
      "key", validUtf8(label->key), classNamesFor(params.paths, base),
      [&] { return collectTexts(); }, m_notes);
  if (learned) return {};
  if (!params.keys.empty() || m_fields.size() == 1) return learned;
  m_notes.push_back(learned.error().message);
  m_fields.erase(label);
  m_textLabel.reset();
  return {};
}

std::string TfRecords::labelStoredAs() const {
  if (m_textLabel) return "texts";
  const bool reals =
      std::ranges::any_of(m_fields, [](const ExampleField& field) { return field.reals; });
  return reals ? "floats" : "";
}

Result<std::shared_ptr<TfRecords>> TfRecords::openFields(const Params& params,
                                                         const fs::path& base) {
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
  return source;
}

Result<std::shared_ptr<const Source>> TfRecords::open(const Params& params, const fs::path& base) {
  MILLRACE_ASSIGN_OR_RETURN(auto source, openFields(params, base));
  MILLRACE_TRY(source->learnTextClasses(params, base));
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

}  // namespace

std::string labelStoredAs(const Params& p, const fs::path& base) {
  const auto source = TfRecords::openFields(p, base);
  return source ? (*source)->labelStoredAs() : std::string();
}

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
  addExporters(d);
  return d.take();
}

}  // namespace millrace::nodes::tfrecord
