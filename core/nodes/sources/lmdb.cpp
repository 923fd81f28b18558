// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/class_names.h"
#include "core/formats/lmdb/lmdb_database.h"
#include "core/formats/shard_files.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/lmdb_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"

namespace millrace::nodes::lmdb {

namespace {

namespace fs = std::filesystem;

enum class PairRole : std::uint8_t { Target, Mask };

struct Params {
  TextList paths;
  std::string targets;
  PairRole pairRole = PairRole::Target;
  LmdbContent content = LmdbContent::Auto;
  std::string value;
  std::string labels = "auto";
  std::string database;
  Junk junk = Junk::Skip;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

FieldSpec pairField(PairRole role) {
  return role == PairRole::Mask ? lmdbFileField("mask", Role::Mask)
                                : lmdbFileField("target", Role::Target);
}

class LmdbSamples final : public Source {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> fields = m_kind.fields;
    if (m_pairs) fields.insert(fields.begin() + 1, m_pairField);
    return fields;
  }
  std::string name(std::uint32_t index) const override {
    const auto [base, record] = find(index);
    return fmt::format("{}#{}", base->name(), base->keyText(record));
  }
  std::vector<std::string> warnings() const override { return m_notes; }
  std::string file(std::uint32_t index) const override {
    return find(index).first->file.path.native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override { return find(index).first->file.entry; }
  std::vector<std::string> moreFiles(std::uint32_t) const override {
    if (!m_pairs) return {};
    return {m_pairs->file.path.native()};
  }
  std::unique_ptr<SourceReader> reader() const override;

  std::pair<const LmdbDatabase*, std::uint32_t> find(std::uint32_t index) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    const auto file = static_cast<std::size_t>(after - m_starts.begin()) - 1;
    const LmdbDatabase& base = m_bases[file];
    return {&base, base.records[index - m_starts[file]]};
  }
  const LmdbKind& kind() const { return m_kind; }
  ReadBy readBy() const { return m_readBy; }
  /// The second database of pairs, or nullptr.
  const LmdbDatabase* pairs() const { return m_pairs ? &*m_pairs : nullptr; }
  std::uint32_t partner(std::uint32_t index) const { return m_partners[index]; }
  /// The record with the sample's label, if kind() has labels.
  std::uint32_t label(std::uint32_t index) const { return m_labels[index]; }

 private:
  Status addPairs(const Params& params, const fs::path& base);
  void addLabels();

  std::vector<LmdbDatabase> m_bases;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each, and the end
  LmdbKind m_kind;
  ReadBy m_readBy = ReadBy::Cache;
  std::optional<LmdbDatabase> m_pairs;
  FieldSpec m_pairField;
  std::vector<std::uint32_t> m_partners;  ///< record in the second database, by sample
  std::vector<std::uint32_t> m_labels;    ///< record of the label, by sample
  std::vector<std::string> m_notes;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const LmdbSamples& source)
      : m_source(source),
        m_values(source.readBy()),
        m_pairs(source.readBy()),
        m_labels(source.readBy()) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const auto [base, record] = m_source.find(index);
    const LmdbDatabase* pairs = m_source.pairs();
    const std::size_t label = pairs == nullptr ? 1 : 2;
    MILLRACE_TRY(m_values.read(*base, record, m_source.kind(), sample, label, counters));
    if (m_source.kind().labels) return readLabel(*base, index, sample, counters);
    if (pairs == nullptr) return {};
    const Status paired = m_pairs.readFile(*pairs, m_source.partner(index), sample, 1, counters);
    if (!paired) return Error{"target: " + paired.error().message};
    return {};
  }

 private:
  Status readLabel(const LmdbDatabase& base, std::uint32_t index, Sample& sample,
                   ReadCounters& counters) {
    const LmdbKind& kind = m_source.kind();
    const std::uint32_t label = m_source.label(index);
    if (label == kNoLabel)
      return Error{fmt::format("it has no label: its key has no partner with `{}` in place of `{}`",
                               validUtf8(kind.labels->label), validUtf8(kind.labels->picture))};
    Status read = m_labels.readLabel(base, label, kind.fields[1], sample, 1, counters);
    if (read) return read;
    return Error{
        fmt::format("label {}: {}", singleLine(base.keyText(label)), read.error().message)};
  }

  const LmdbSamples& m_source;
  LmdbValueReader m_values;
  LmdbValueReader m_pairs;
  LmdbValueReader m_labels;
};

std::unique_ptr<SourceReader> LmdbSamples::reader() const {
  return std::make_unique<Reader>(*this);
}

/// Equal keys in both databases form pairs; samples without a partner are left out.
Status LmdbSamples::addPairs(const Params& params, const fs::path& base) {
  MILLRACE_ASSIGN_OR_RETURN(const auto files,
                            shardFiles({params.targets}, base, isLmdbFileName, m_notes));
  const LmdbOpening opening{params.database, params.junk};
  MILLRACE_ASSIGN_OR_RETURN(auto second, openLmdbDatabase(files.front().path, opening, m_notes));
  std::map<std::string_view, std::uint32_t> byKey;
  for (const std::uint32_t record : second.records)
    byKey.emplace(second.listing.key(record), record);
  std::size_t alone = 0;
  for (std::size_t b = 0; b < m_bases.size(); ++b) {
    std::erase_if(m_bases[b].records, [&](std::uint32_t record) {
      const auto found = byKey.find(m_bases[b].listing.key(record));
      if (found == byKey.end()) return ++alone, true;
      m_partners.push_back(found->second);
      return false;
    });
    m_starts[b + 1] = m_starts[b] + static_cast<std::uint32_t>(m_bases[b].records.size());
  }
  if (m_partners.empty())
    return Error{fmt::format("no key of `{}` is in `{}`, so they are not pairs",
                             validUtf8(m_bases.front().name()), validUtf8(second.name()))};
  if (alone > 0)
    m_notes.push_back(fmt::format("{} samples without a partner are left out", grouped(alone)));
  m_pairField = pairField(params.pairRole);
  m_pairs = std::move(second);
  return {};
}

/// The values that are labels are no samples.
void LmdbSamples::addLabels() {
  for (std::size_t b = 0; b < m_bases.size(); ++b) {
    const auto labels = takeLabels(m_bases[b], *m_kind.labels);
    m_labels.insert(m_labels.end(), labels.begin(), labels.end());
    m_starts[b + 1] = m_starts[b] + static_cast<std::uint32_t>(labels.size());
  }
}

Result<std::shared_ptr<const Source>> LmdbSamples::open(const Params& params,
                                                        const fs::path& base) {
  auto source = std::make_shared<LmdbSamples>();
  MILLRACE_ASSIGN_OR_RETURN(const auto files,
                            shardFiles(params.paths, base, isLmdbFileName, source->m_notes));
  source->m_readBy = params.readBy;
  for (const auto& [file, entry] : files) {
    MILLRACE_ASSIGN_OR_RETURN(
        auto opened, openLmdbDatabase(file, {params.database, params.junk}, source->m_notes));
    const std::uint64_t total = source->m_starts.back() + opened.records.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
      return Error{"more than 4 294 967 295 samples; use fewer files"};
    source->m_starts.push_back(static_cast<std::uint32_t>(total));
    opened.file.entry = entry;
    source->m_bases.push_back(std::move(opened));
  }
  auto kind = lmdbKindOf(
      {params.content, params.value, params.targets.empty() ? params.labels : std::string()},
      source->m_bases.front());
  if (!kind)
    return Error{
        fmt::format("`{}`: {}", validUtf8(files.front().path.native()), kind.error().message)};
  source->m_kind = kind.take();
  if (!source->m_kind.others.empty())
    source->m_notes.push_back(validUtf8(source->m_bases.front().name()) + ": " +
                              source->m_kind.others);
  if (source->m_kind.labels) source->addLabels();
  if (!params.targets.empty()) MILLRACE_TRY(source->addPairs(params, base));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no database is set", "set at least one");
  StreamType out;
  out.fields = {lmdbFileField("image", Role::Image)};
  if (!params.value.empty()) {
    const auto field = lmdbValueField(params.value);
    if (field)
      out.fields = {*field};
    else
      context.error("value", field.error().message, "use NAME:TYPE:SHAPE");
  } else if (params.content == LmdbContent::Bytes) {
    out.fields = {lmdbFileField("features", Role::Features)};
  } else if (params.content != LmdbContent::Pictures && params.targets.empty()) {
    out.fields.push_back(lmdbLabelField());
  }
  if (!params.targets.empty())
    out.fields.insert(out.fields.begin() + 1, pairField(params.pairRole));
  return out;
}

/// The first field, and whether values are Datums; nullopt if only the data could tell.
std::optional<std::pair<FieldSpec, bool>> exportedValue(const Params& p,
                                                        const ExportContext& context) {
  const bool label = context.out.field("label") != nullptr;
  if (p.content == LmdbContent::Auto && p.value.empty() && !context.dataKnown) return std::nullopt;
  const FieldSpec& first = context.out.fields.front();
  if (first.dtype == DType::BF16) return std::nullopt;
  return std::pair(first, p.value.empty() && label);
}

/// Whether pictures have labels under separate keys.
bool hasLabelKeys(const Params& p, const ExportContext& context) {
  if (p.labels.empty() || !p.targets.empty() || !p.value.empty()) return false;
  if (p.labels != "auto") return true;
  if (!context.dataKnown || p.paths.empty()) return false;
  std::vector<std::string> notes;
  const auto files = shardFiles(p.paths, context.base, isLmdbFileName, notes);
  if (!files || files->empty()) return false;
  const auto base = openLmdbDatabase(files->front().path, {p.database, p.junk}, notes);
  if (!base) return false;
  const auto kind = lmdbKindOf({p.content, p.value, p.labels}, *base);
  return kind && kind->labels;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto value = exportedValue(p, context);
  ExportText text;
  if (hasLabelKeys(p, context)) {
    text.missing =
        "lmdb.labels is not exported: convert the data to another format, or export the pipeline "
        "as Python over the engine.";
    return text;
  }
  if (!value) {
    text.missing =
        "The exported code does not detect the type of values from the data: set `content`, or "
        "`value` for arrays.";
    return text;
  }
  const auto& [first, datum] = *value;
  std::vector<ExampleField> fields{{first.name, first}};
  if (datum) fields.push_back({"label", lmdbLabelField()});
  std::string call = "LmdbValues(DATA, " + fieldLiterals(fields);
  if (datum) call += ", datum=True";
  if (!p.targets.empty())
    call += fmt::format(", targets=TARGETS, pair=\"{}\"",
                        p.pairRole == PairRole::Mask ? "mask" : "target");
  if (!p.database.empty()) call += ", database=" + pythonText(p.database);
  if (p.junk == Junk::Keep) call += ", junk=\"keep\"";
  text = recordSource(target, "lmdb_values", call + ")");
  text.option("DATA", pathListLiteral(p.paths, context));
  if (!p.targets.empty()) text.option("TARGETS", pathLiteral(p.targets, context));
  if (!p.value.empty())
    text.limit("Values compressed with LZ4 are not decompressed: such samples fail.");
  return text.limit(
      "Values are read by the package lmdb, which crashes on damaged files. Millrace skips damaged "
      "pages.");
}

/// What the values and the labels are.
void describeValues(Describe<Params>& d) {
  d.choice<LmdbContent>(
       "content", &Params::content,
       {{LmdbContent::Auto, "auto", "Determined by values from all parts of the database."},
        {LmdbContent::Pictures, "pictures", "Encoded pictures: JPEG, PNG etc."},
        {LmdbContent::Datum, "datum", "Caffe's Datum, with its label."},
        {LmdbContent::Bytes, "bytes", "Unchanged bytes; `value` defines their meaning."}})
      .label("Content")
      .help("What a value contains.");
  d.text("value", &Params::value)
      .label("Value")
      .optional()
      .help(
          "The meaning of values that are arrays: NAME:TYPE:SHAPE, followed by a role and hwc or "
          "chw, for example image:u8:224x224x3. Values packed with LZ4 are unpacked.");
  d.text("labels", &Params::labels)
      .label("Labels")
      .optional()
      .help(
          "For pictures whose labels are separate values: the word of a picture's key and that "
          "of its label's key, as image=label for image-1 and label-1. Numbers are classes, other "
          "labels are texts. auto: found from the keys. Empty: none.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("lmdb", Category::Source, NodeRole::Source);
  d.label("LMDB").help(
      "Reads values of LMDB databases, in the order of their keys: encoded pictures, Caffe's "
      "Datums (with their labels), or arrays. Needs no lock file and no write permission. Values "
      "that describe the database (__len__, __keys__, length) are skipped, and damaged pages are "
      "skipped and reported.");
  d.example(R"({"paths": ["lq.lmdb"], "targets": "gt.lmdb"})");
  d.tags({"mdb", "caffe", "datum", "basicsr", "key", "database"});
  d.paths("paths", &Params::paths)
      .label("Databases")
      .data()
      .help(
          "Folders with a data.mdb, or .mdb files. Several form one data set. Relative paths start "
          "at the pipeline file.");
  d.path("targets", &Params::targets)
      .label("Targets")
      .optional()
      .help("A second database with pictures under the same keys, to read pairs.");
  d.choice<PairRole>(
       "pair_role", &Params::pairRole,
       {{PairRole::Target, "target", "Target pictures that a network should produce."},
        {PairRole::Mask, "mask", "Masks."}})
      .label("Targets are")
      .help("What the pictures of the second database are.")
      .usedWith("targets");
  describeValues(d);
  d.text("database", &Params::database)
      .label("Database")
      .optional()
      .help("Name of a database in the file. Empty: the main database.");
  describeJunk(d,
               "These are keys with two underscores at both ends, and keys such as `length` and "
               "`meta` that describe the database.");
  describeReadAhead(d);
  describeReadBy(d,
                 "Applies to the values, one read each. The tree of keys, which is scanned once, "
                 "and the header, which shows changes, are read through the page cache.");
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(LmdbSamples::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  return d.take();
}

}  // namespace millrace::nodes::lmdb
