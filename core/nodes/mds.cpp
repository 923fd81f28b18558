// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/array_inlay.h"
#include "core/formats/example_fields.h"
#include "core/formats/mds_data_set.h"
#include "core/formats/range_reader.h"
#include "core/nodes/mds_fields.h"
#include "core/nodes/path_literal.h"
#include "core/nodes/reading_params.h"
#include "core/nodes/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/source.h"

namespace millrace::nodes {

namespace {

namespace fs = std::filesystem;

struct Params {
  TextList paths;
  TextList columns;
  bool checkHashes = false;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// Samples that are looked at to learn what columns hold.
constexpr std::uint32_t kLookedAt = 16;

/// The samples of MDS shards.
class MdsSamples final : public Source {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_set->size(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> specs;
    for (const MdsField& field : m_fields) specs.push_back(field.spec);
    return specs;
  }
  std::string name(std::uint32_t index) const override {
    const auto [shard, record] = m_set->find(index);
    return fmt::format("{}#{}", m_set->path(shard).filename().native(), record);
  }
  std::vector<std::string> warnings() const override { return m_notes; }
  std::string file(std::uint32_t index) const override {
    return m_set->path(m_set->find(index).first).native();
  }
  std::unique_ptr<SourceReader> reader() const override;

  const MdsDataSet& set() const { return *m_set; }
  ReadBy readBy() const { return m_readBy; }
  const std::vector<MdsField>& taken() const { return m_fields; }

 private:
  Status learnFields(const Params& params);

  ReadBy m_readBy = ReadBy::Cache;
  std::unique_ptr<MdsDataSet> m_set;
  std::vector<MdsField> m_fields;
  std::vector<std::string> m_notes;
};

/// Reads a sample's bytes and cuts them into columns. One thread.
class Cutter {
 public:
  Cutter(const MdsDataSet& set, ReadBy by) : m_set(set), m_reader(by) {}

  using Values = std::vector<std::span<const std::byte>>;

  /// Valid until the next one.
  Result<const Values*> values(std::uint32_t index, ReadCounters& counters) {
    MILLRACE_TRY(find(index));
    const auto bytes = m_reader.read(m_fd, m_range.offset, m_range.bytes, counters);
    if (!bytes) return bytes.error();
    return cut(*bytes);
  }

  /// The columns of `fields`, in the sample.
  Status read(std::uint32_t index, const std::vector<MdsField>& fields, ArrayInlay& array,
              Sample& sample, ReadCounters& counters) {
    MILLRACE_TRY(find(index));
    const auto inlay = array.guess(m_range.bytes, sample);
    const auto bytes =
        inlay ? m_reader.readAround(m_fd, m_range.offset, m_range.bytes, *inlay, counters)
              : m_reader.read(m_fd, m_range.offset, m_range.bytes, counters, sample.recordRoom());
    if (!bytes) return bytes.error();
    const Status taken = put(*bytes, fields, sample);
    return array.settle(*bytes, sample) ? taken : put(*bytes, fields, sample);
  }

 private:
  Status find(std::uint32_t index) {
    const auto [number, record] = m_set.find(index);
    const auto shard = m_set.shard(number);
    if (!shard) return shard.error();
    const auto range = (*shard)->range(record);
    if (!range) return range.error();
    m_fd = (*shard)->file.fd.get();
    m_range = *range;
    return {};
  }

  Result<const Values*> cut(std::span<const std::byte> bytes) {
    if (Status cut = splitMdsSample(m_set.columns(), bytes, m_values); !cut)
      return Error{fmt::format("at byte {}: {}", grouped(m_range.offset), cut.error().message)};
    return &m_values;
  }

  Status put(std::span<const std::byte> bytes, const std::vector<MdsField>& fields,
             Sample& sample) {
    const auto values = cut(bytes);
    if (!values) return values.error();
    for (std::size_t f = 0; f < fields.size(); ++f)
      MILLRACE_TRY(putMdsValue(m_set.columns()[fields[f].column], fields[f].spec,
                               (**values)[fields[f].column], sample, f));
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
    return m_cutter.read(index, m_source.taken(), m_array, sample, counters);
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

Status MdsSamples::learnFields(const Params& params) {
  MdsSurvey survey(m_set->columns());
  Cutter cutter(*m_set, m_readBy);
  ReadCounters counters;
  std::string first;
  for (std::uint32_t i = 0; i < std::min(size(), kLookedAt); ++i) {
    const auto values = cutter.values(i, counters);
    if (values)
      survey.add(**values);
    else if (first.empty())
      first = fmt::format("{}: {}", validUtf8(name(i)), values.error().message);
  }
  if (params.columns.empty()) {
    m_fields = survey.guess();
  } else {
    auto fields = survey.chosen(params.columns);
    if (!fields) return fields.error();
    m_fields = fields.take();
  }
  if (m_fields.empty())
    return Error{
        fmt::format("no column can be read as it is ({}); name what you want in `columns`{}",
                    join(survey.leftOut({}), ", "),
                    first.empty() ? "" : "; the first samples are damaged: " + first)};
  const std::vector<std::string> left = survey.leftOut(m_fields);
  if (params.columns.empty() && !left.empty())
    m_notes.push_back(
        fmt::format("columns left out: {}; `columns` takes others", join(left, ", ")));
  return {};
}

Result<std::shared_ptr<const Source>> MdsSamples::open(const Params& params, const fs::path& base) {
  auto source = std::make_shared<MdsSamples>();
  source->m_readBy = params.readBy;
  auto set =
      MdsDataSet::open(params.paths, base, source->m_notes, {params.checkHashes, params.readBy});
  if (!set) return set.error();
  source->m_set = set.take();
  MILLRACE_TRY(source->learnFields(params));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no MDS data set is given", "name one");
  StreamType out;
  const auto columns = parseExampleKeys(params.columns);
  if (!columns)
    context.error("columns", columns.error().message, "write NAME=COLUMN, as `nodes` explains");
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
    text.limit("Hashes are not compared: damage goes unseen. With Millrace its samples fail.");
  return text.limit(
      "Shards are found by an index.json, and packed ones are not read. Millrace takes shards by "
      "themselves too, and unpacks them.");
}

}  // namespace

NodeSpec mds() {
  Describe<Params> d("mds", Category::Source, NodeRole::Source);
  d.label("MosaicML MDS")
      .help(
          "Samples of MosaicML's MDS shards (mosaicml-streaming), by index.json or shard by shard, "
          "plain or compressed with zstd, gzip, Brotli, bzip2 or Snappy. Columns become fields: "
          "pictures, whole and real numbers, arrays, bytes. A shard is opened when its first "
          "sample "
          "is wanted; shards that are not there are left out and named.");
  d.example(R"({"paths": ["train"], "columns": ["image=img", "label=class"]})");
  d.tags({"mosaicml", "streaming", "shards", "column", "index.json", "zstd"});
  d.paths("paths", &Params::paths)
      .label("Data sets")
      .data()
      .help(
          "Folders with an index.json, such files, or shards; several are one set and have the "
          "same columns. Relative ones start at the pipeline file.");
  d.texts("columns", &Params::columns)
      .optional()
      .label("Columns")
      .help(
          "Fields and the columns that they come from: NAME=COLUMN, then, each behind a colon and "
          "where the data does not say it, an element type, a shape and a role: image=jpg, "
          "label=class_id, tokens=data:i32:2048. Empty: pictures and labels, else whatever has one "
          "size.");
  d.boolean("check_hashes", &Params::checkHashes)
      .label("Check hashes")
      .help(fmt::format(
          "Compares each shard, when its first sample is wanted, with the hashes that index.json "
          "names for it, and fails its samples where they differ. Each whole shard is read once "
          "more for that. Compared are {}; a warning names others.",
          knownHashes()));
  describeReadAhead(d);
  describeReadBy(d,
                 "It concerns the samples and the check of hashes: a compressed shard is unpacked "
                 "through the cache.");
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return MdsSamples::open(params, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali"}, exported);
  return d.take();
}

}  // namespace millrace::nodes
