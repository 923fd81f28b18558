// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/array_inlay.h"
#include "core/formats/class_names.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/mds/mds_data_set.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/mds_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/spec/class_lists.h"
#include "core/spec/describe.h"
#include "core/spec/field_keys.h"
#include "core/spec/source.h"
#include "core/spec/stored_names.h"

namespace millrace::nodes::mds {

namespace {

namespace fs = std::filesystem;

struct Params {
  TextList paths;
  TextList columns;
  bool checkHashes = false;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The number of samples that are examined to determine the columns' content.
constexpr std::uint32_t kExamined = 16;
constexpr const char* kNameColumn = "filename";

/// The samples of MDS shards.
class MdsSamples final : public Source,
                         public KeepsNames,
                         public FindsClassLists,
                         public HasFieldKeys {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_set->size(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> specs;
    for (const MdsField& field : m_fields) specs.push_back(field.spec);
    return specs;
  }
  std::vector<std::string> fieldKeys() const override {
    std::vector<std::string> keys;
    for (const MdsField& field : m_fields) keys.push_back(m_set->columns()[field.column].name);
    return keys;
  }
  std::string name(std::uint32_t index) const override {
    const auto [shard, record] = m_set->find(index);
    return fmt::format("{}#{}", m_set->path(shard).filename().native(), record);
  }
  std::vector<std::string> classes() const override { return m_textClasses.names(); }
  std::vector<std::string> warnings() const override { return m_notes; }
  std::string file(std::uint32_t index) const override {
    return m_set->path(m_set->find(index).first).native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override {
    return m_set->entry(m_set->find(index).first);
  }
  std::unique_ptr<StoredNames> storedNames() const override;
  std::optional<ClassLists> classLists() const override { return m_classLists; }
  std::unique_ptr<SourceReader> reader() const override;

  const MdsDataSet& set() const { return *m_set; }
  ReadBy readBy() const { return m_readBy; }
  const std::vector<MdsField>& taken() const { return m_fields; }
  const TextClasses& textClasses() const { return m_textClasses; }

 private:
  Status learnFields(const Params& params);
  Status learnTextClasses(const Params& params, const fs::path& base);
  Status collectTexts(std::size_t column);

  ReadBy m_readBy = ReadBy::Cache;
  std::unique_ptr<MdsDataSet> m_set;
  std::vector<MdsField> m_fields;
  std::optional<ClassLists> m_classLists;
  TextClasses m_textClasses;
  std::vector<std::string> m_notes;
};

/// Reads a sample's bytes and splits them into columns. For use by one thread.
class Cutter {
 public:
  Cutter(const MdsDataSet& set, ReadBy by) : m_set(set), m_reader(by) {}

  using Values = std::vector<std::span<const std::byte>>;

  /// Valid until the next call.
  Result<const Values*> values(std::uint32_t index, ReadCounters& counters) {
    MILLRACE_TRY(find(index));
    MILLRACE_ASSIGN_OR_RETURN(const auto bytes,
                              m_reader.read(m_fd, m_range.offset, m_range.bytes, counters));
    return cut(bytes);
  }

  /// Reads the columns of the source's fields into the sample.
  Status read(std::uint32_t index, const MdsSamples& source, ArrayInlay& array, Sample& sample,
              ReadCounters& counters) {
    MILLRACE_TRY(find(index));
    const auto inlay = array.guess(m_range.bytes, sample);
    MILLRACE_ASSIGN_OR_RETURN(
        const auto bytes,
        inlay ? m_reader.readAround(m_fd, m_range.offset, m_range.bytes, *inlay, counters)
              : m_reader.read(m_fd, m_range.offset, m_range.bytes, counters, sample.recordRoom()));
    const Status taken = put(bytes, source, sample);
    return array.settle(bytes, sample) ? taken : put(bytes, source, sample);
  }

 private:
  Status find(std::uint32_t index) {
    const auto [number, record] = m_set.find(index);
    MILLRACE_ASSIGN_OR_RETURN(const auto shard, m_set.shard(number));
    MILLRACE_ASSIGN_OR_RETURN(const auto range, shard->range(record));
    m_fd = shard->file.fd.get();
    m_range = range;
    return {};
  }

  Result<const Values*> cut(std::span<const std::byte> bytes) {
    if (Status cut = splitMdsSample(m_set.columns(), bytes, m_values); !cut)
      return Error{fmt::format("at byte {}: {}", grouped(m_range.offset), cut.error().message)};
    return &m_values;
  }

  Status put(std::span<const std::byte> bytes, const MdsSamples& source, Sample& sample) {
    MILLRACE_ASSIGN_OR_RETURN(const auto values, cut(bytes));
    const std::vector<MdsField>& fields = source.taken();
    for (std::size_t f = 0; f < fields.size(); ++f)
      MILLRACE_TRY(putMdsValue(m_set.columns()[fields[f].column], fields[f].spec,
                               (*values)[fields[f].column], source.textClasses(), sample, f));
    return {};
  }

  const MdsDataSet& m_set;
  RangeReader m_reader;
  int m_fd = -1;
  MdsShard::Range m_range;
  Values m_values;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const MdsSamples& source)
      : m_source(source), m_cutter(source.set(), source.readBy()), m_array(partsOf(source)) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    return m_cutter.read(index, m_source, m_array, sample, counters);
  }

 private:
  static std::vector<ArrayInlay::Part> partsOf(const MdsSamples& source) {
    std::vector<ArrayInlay::Part> parts;
    for (const MdsField& field : source.taken())
      parts.push_back({source.set().columns()[field.column].name, field.spec});
    return parts;
  }

  const MdsSamples& m_source;
  Cutter m_cutter;
  ArrayInlay m_array;
};

std::unique_ptr<SourceReader> MdsSamples::reader() const { return std::make_unique<Reader>(*this); }

/// The names in the column kNameColumn.
class ColumnNames final : public StoredNames {
 public:
  ColumnNames(const MdsSamples& source, std::size_t column)
      : m_cutter(source.set(), source.readBy()), m_column(column) {}

  std::string name(std::uint32_t index) override {
    const auto values = m_cutter.values(index, m_counters);
    if (!values) return {};
    const auto text = (**values)[m_column];
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

 private:
  Cutter m_cutter;
  const std::size_t m_column;
  ReadCounters m_counters;
};

std::unique_ptr<StoredNames> MdsSamples::storedNames() const {
  const auto& columns = m_set->columns();
  const auto found = std::ranges::find_if(columns, [](const MdsColumn& column) {
    return column.name == kNameColumn && column.encoding == "str";
  });
  if (found == columns.end()) return nullptr;
  return std::make_unique<ColumnNames>(*this, static_cast<std::size_t>(found - columns.begin()));
}

Status MdsSamples::learnFields(const Params& params) {
  MdsFieldDetector detector(m_set->columns());
  Cutter cutter(*m_set, m_readBy);
  ReadCounters counters;
  std::string first;
  for (std::uint32_t i = 0; i < std::min(size(), kExamined); ++i) {
    const auto values = cutter.values(i, counters);
    if (values)
      detector.add(**values);
    else if (first.empty())
      first = fmt::format("{}: {}", validUtf8(name(i)), values.error().message);
  }
  if (params.columns.empty()) {
    m_fields = detector.guess();
  } else {
    MILLRACE_ASSIGN_OR_RETURN(m_fields, detector.chosen(params.columns));
  }
  if (m_fields.empty())
    return Error{fmt::format(
        "no column can be used without a description ({}); list what you need in `columns`{}",
        join(detector.leftOut({}), ", "),
        first.empty() ? "" : "; the first samples are damaged: " + first)};
  const std::vector<std::string> left = detector.leftOut(m_fields);
  if (params.columns.empty() && !left.empty())
    m_notes.push_back(
        fmt::format("unused columns: {}; select them with `columns`", join(left, ", ")));
  if (const auto lists = detector.listOfClasses(m_fields);
      params.columns.empty() && lists >= 0 && suitClassLists(fields())) {
    std::vector<ExampleField> fields;
    for (const MdsField& field : m_fields)
      fields.push_back({m_set->columns()[field.column].name, field.spec});
    m_classLists =
        classListsIn("columns", m_set->columns()[static_cast<std::size_t>(lists)].name, fields);
    m_notes.push_back(noteOf(*m_classLists));
  }
  return {};
}

/// Adds the texts of all samples to the classes.
Status MdsSamples::collectTexts(std::size_t column) {
  if (m_set->isCompressed())
    return Error{
        "their numbers are unknown, because finding all texts would decompress every shard; write "
        "`classes.txt` next to the index, with a class on each line"};
  Cutter cutter(*m_set, m_readBy);
  ReadCounters counters;
  for (std::uint32_t i = 0; i < size(); ++i) {
    const auto values = cutter.values(i, counters);
    // A damaged sample fails when it is read.
    if (values) MILLRACE_TRY(m_textClasses.add((**values)[column]));
  }
  return {};
}

/// Numbers the classes of a label that is text: as the names next to the data say, or by reading
/// all samples.
Status MdsSamples::learnTextClasses(const Params& params, const fs::path& base) {
  const auto label = std::ranges::find_if(m_fields, [&](const MdsField& field) {
    return hasTextClasses(m_set->columns()[field.column], field.spec);
  });
  if (label == m_fields.end()) return {};
  Status learned = m_textClasses.learn(
      "column", validUtf8(m_set->columns()[label->column].name), classNamesFor(params.paths, base),
      [&] { return collectTexts(label->column); }, m_notes);
  if (!learned) {
    if (!params.columns.empty() || m_fields.size() == 1) return learned;
    m_notes.push_back(learned.error().message);
    m_fields.erase(label);
    return {};
  }
  label->spec.classes = static_cast<std::int64_t>(m_textClasses.names().size());
  return {};
}

Result<std::shared_ptr<const Source>> MdsSamples::open(const Params& params, const fs::path& base) {
  auto source = std::make_shared<MdsSamples>();
  source->m_readBy = params.readBy;
  MILLRACE_ASSIGN_OR_RETURN(source->m_set, MdsDataSet::open(params.paths, base, source->m_notes,
                                                            {params.checkHashes, params.readBy}));
  MILLRACE_TRY(source->learnFields(params));
  MILLRACE_TRY(source->learnTextClasses(params, base));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no MDS data set is set", "set at least one");
  StreamType out;
  const auto columns = parseExampleKeys(params.columns);
  if (!columns)
    context.error("columns", columns.error().message, "use NAME=COLUMN, see `millrace nodes mds`");
  else
    for (const ExampleField& field : *columns) out.fields.push_back(field.spec);
  if (out.fields.empty())
    out.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
                  {"label", DType::I64, {}, Layout::Plain, Role::Label}};
  return out;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto fields = fieldsSaid(p.columns, context);
  if (!fields) return fieldsNotSaid("columns");
  ExportText text = recordSource(target, "mds", "MdsSamples(DATA, " + fieldLiterals(*fields) + ")");
  text.option("DATA", pathListLiteral(p.paths, context));
  if (p.checkHashes)
    text.limit(
        "Hashes are not compared: damage is not noticed. With Millrace damaged samples fail.");
  return text.limit(
      "Shards are found by an index.json, and compressed ones are not read. Millrace also reads "
      "shards without an index, and decompresses them.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("mds", Category::Source, NodeRole::Source);
  d.label("MosaicML MDS")
      .help(
          "Reads samples of MosaicML's MDS shards (mosaicml-streaming), listed by index.json or "
          "shard by shard, uncompressed or compressed with zstd, gzip, Brotli, bzip2 or Snappy. "
          "Columns become fields: pictures, integers and reals, arrays, bytes. A shard is opened "
          "when its first sample is needed; missing shards are left out and reported.");
  d.example(R"({"paths": ["train"], "columns": ["image=img", "label=class"]})");
  d.tags({"mosaicml", "streaming", "shards", "column", "index.json", "zstd"});
  d.paths("paths", &Params::paths)
      .label("Data sets")
      .data()
      .help(
          "Folders with an index.json, index.json files, or shards. Several form one data set and "
          "must have the same columns. Relative paths start at the pipeline file.");
  d.texts("columns", &Params::columns)
      .optional()
      .label("Columns")
      .help(
          "The fields and their columns, as NAME=COLUMN. If the data does not state them, append "
          "an element type, a shape and a role, each after a colon: image=jpg, label=class_id, "
          "tokens=data:i32:2048. Empty: pictures and labels, or else everything that has a fixed "
          "size.");
  d.boolean("check_hashes", &Params::checkHashes)
      .label("Check hashes")
      .help(fmt::format("Compares each shard with the hashes in index.json when its first sample "
                        "is needed, and fails its samples if they differ. This reads each shard "
                        "one additional time. Supported hashes are {}; a warning lists others.",
                        knownHashes()));
  describeReadAhead(d);
  describeReadBy(d,
                 "Applies to the samples and to the check of hashes; compressed shards are "
                 "unpacked through the page cache.");
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(MdsSamples::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  return d.take();
}

}  // namespace millrace::nodes::mds
