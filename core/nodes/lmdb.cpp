// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/caffe_datum.h"
#include "core/formats/example_fields.h"
#include "core/formats/lmdb_database.h"
#include "core/formats/lz4_value.h"
#include "core/formats/shard_files.h"
#include "core/nodes/path_literal.h"
#include "core/nodes/reading_params.h"
#include "core/nodes/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"

namespace millrace::nodes {

namespace {

namespace fs = std::filesystem;

enum class Content : std::uint8_t { Auto, Pictures, Datum, Bytes };
enum class PairRole : std::uint8_t { Target, Mask };

struct Params {
  TextList paths;
  std::string targets;
  PairRole pairRole = PairRole::Target;
  Content content = Content::Auto;
  std::string value;
  std::string database;
  std::int64_t readAhead = 0;
};

/// What the values of a database are.
struct Kind {
  Content content = Content::Bytes;
  std::vector<FieldSpec> fields;
};

FieldSpec encodedField(std::string name, Role role) {
  return {std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
}

FieldSpec labelField() { return {"label", DType::I64, {}, Layout::Plain, Role::Label}; }

/// What `value` says, as `image:u8:224x224x3`.
Result<FieldSpec> valueField(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon);
  auto fields = parseExampleKeys({name + "=value" + rest});
  if (!fields) return fields.error();
  ExampleField& field = fields->front();
  if (!field.typed) field.spec.dtype = DType::Encoded;
  if (field.key != "value")
    return Error{fmt::format("`{}`: write NAME:TYPE:SHAPE, as image:u8:224x224x3", text)};
  if (field.spec.dtype != DType::Encoded && !field.spec.shape.known())
    return Error{fmt::format("`{}`: give the whole shape, as image:u8:224x224x3", text)};
  return field.spec;
}

Result<Kind> kindOf(const Params& params, const LmdbDatabase& base) {
  const LmdbLook look = lookAtLmdb(base);
  Kind kind{params.content, {}};
  if (!params.value.empty()) kind.content = Content::Bytes;
  if (look.seen == 0 && kind.content == Content::Auto)
    return Error{"none of the first values can be read; the file is damaged"};
  if (kind.content == Content::Auto)
    kind.content = 2 * look.pictures > look.seen ? Content::Pictures
                   : 2 * look.datums > look.seen ? Content::Datum
                                                 : Content::Bytes;
  if (kind.content == Content::Pictures) {
    kind.fields = {encodedField("image", Role::Image)};
  } else if (kind.content == Content::Datum) {
    FieldSpec image = encodedField("image", Role::Image);
    constexpr std::int64_t kAny = Shape::kUnknown;
    if (!look.encoded)
      image = {
          "image", DType::U8,
          look.sameShape ? look.shape.value_or(Shape{kAny, kAny, kAny}) : Shape{kAny, kAny, kAny},
          Layout::Hwc, Role::Image};
    kind.fields = {image, labelField()};
  } else if (!params.value.empty()) {
    auto field = valueField(params.value);
    if (!field) return field.error();
    kind.fields = {field.take()};
  } else if (look.sameSize && look.size > 0) {
    kind.fields = {{"features",
                    DType::U8,
                    {static_cast<std::int64_t>(look.size)},
                    Layout::Plain,
                    Role::Features}};
  } else {
    kind.fields = {encodedField("features", Role::Features)};
  }
  return kind;
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
  const Kind& kind() const { return m_kind; }
  /// The second database of pairs, or nullptr.
  const LmdbDatabase* pairs() const { return m_pairs ? &*m_pairs : nullptr; }
  std::uint32_t partner(std::uint32_t index) const { return m_partners[index]; }

 private:
  Status addPairs(const Params& params, const fs::path& base);

  std::vector<LmdbDatabase> m_bases;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each, and the end
  Kind m_kind;
  std::optional<LmdbDatabase> m_pairs;
  FieldSpec m_pairField;
  std::vector<std::uint32_t> m_partners;  ///< record of the second database, by sample
  std::vector<std::string> m_notes;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const LmdbSamples& source)
      : m_source(source), m_spec(source.kind().fields.front()) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const auto [base, record] = m_source.find(index);
    const std::size_t label = m_source.pairs() == nullptr ? 1 : 2;
    MILLRACE_TRY(readInput(*base, base->listing.place(record), sample, label, counters));
    const LmdbDatabase* pairs = m_source.pairs();
    if (pairs == nullptr) return {};
    const auto& place = pairs->listing.place(m_source.partner(index));
    const auto value = readLmdbValue(m_second, pairs->fd(), pairs->snapshot, place, counters);
    if (!value) return Error{"target: " + value.error().message};
    borrow(sample, 1, *value);
    return {};
  }

 private:
  /// Values from here on are read straight to their place.
  static constexpr std::uint32_t kLong = 16384;

  static void borrow(Sample& sample, std::size_t field, std::span<const std::byte> bytes) {
    sample.borrow(field, {DType::Encoded,
                          Layout::Plain,
                          {static_cast<std::int64_t>(bytes.size())},
                          const_cast<std::byte*>(bytes.data()),
                          bytes.size()});
  }

  Status readInput(const LmdbDatabase& base, const LmdbListing::Place& place, Sample& sample,
                   std::size_t label, ReadCounters& counters) {
    const int fd = base.fd();
    const bool array = m_source.kind().content == Content::Bytes && m_spec.dtype != DType::Encoded;
    const std::uint64_t wanted =
        array ? static_cast<std::uint64_t>(m_spec.shape.elements()) * sizeOf(m_spec.dtype) : 0;
    if (array && place.size != wanted) return readPacked(base, place, wanted, sample, counters);
    if (array && place.size >= kLong) {
      const TensorView to = sample.replace(0, m_spec.dtype, m_spec.shape, m_spec.layout);
      return readLmdbValueTo(m_first, fd, base.snapshot, place, to.data, counters);
    }
    const auto value = readLmdbValue(m_first, fd, base.snapshot, place, counters);
    if (!value) return value.error();
    if (m_source.kind().content == Content::Datum) return putDatum(*value, sample, label);
    if (!array) return borrow(sample, 0, *value), Status();
    const TensorView to = sample.replace(0, m_spec.dtype, m_spec.shape, m_spec.layout);
    if (!value->empty()) std::memcpy(to.data, value->data(), value->size());
    return {};
  }

  /// An array whose value is not as long as it.
  Status readPacked(const LmdbDatabase& base, const LmdbListing::Place& place, std::uint64_t wanted,
                    Sample& sample, ReadCounters& counters) {
    const auto value = readLmdbValue(m_first, base.fd(), base.snapshot, place, counters);
    if (!value) return value.error();
    if (!Lz4Unpacker::isPacked(*value, wanted))
      return Error{fmt::format("it has {} bytes where {} {} have {}", grouped(place.size),
                               m_spec.shape.text(), nameOf(m_spec.dtype), grouped(wanted))};
    const TensorView to = sample.replace(0, m_spec.dtype, m_spec.shape, m_spec.layout);
    return m_unpacker.unpack(*value, {to.data, wanted});
  }

  Status putDatum(std::span<const std::byte> value, Sample& sample, std::size_t label) const {
    const auto datum = parseDatum(value);
    if (!datum) return datum.error();
    if (datum->encoded != (m_spec.dtype == DType::Encoded))
      return Error{datum->encoded ? "it is a picture file where the first ones are pixels"
                                  : "it is pixels where the first ones are picture files"};
    if (datum->encoded) {
      borrow(sample, 0, datum->data);
    } else {
      const Shape shape{datum->height, datum->width, datum->channels};
      datumPixels(*datum, sample.replace(0, DType::U8, shape, Layout::Hwc).data);
    }
    *sample.replace(label, DType::I64, {}, Layout::Plain).as<std::int64_t>() = datum->label;
    return {};
  }

  const LmdbSamples& m_source;
  const FieldSpec m_spec;
  RangeReader m_first;
  RangeReader m_second;
  Lz4Unpacker m_unpacker;
};

std::unique_ptr<SourceReader> LmdbSamples::reader() const {
  return std::make_unique<Reader>(*this);
}

/// Keys of both databases say what belongs together; samples without partner are left out.
Status LmdbSamples::addPairs(const Params& params, const fs::path& base) {
  const auto files = shardFiles({params.targets}, base, isLmdbFileName);
  if (!files) return files.error();
  auto second = openLmdbDatabase(files->front(), params.database, m_notes);
  if (!second) return second.error();
  std::map<std::string_view, std::uint32_t> byKey;
  for (const std::uint32_t record : second->records)
    byKey.emplace(second->listing.key(record), record);
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
    return Error{fmt::format("no key of `{}` is in `{}`: they are no pairs",
                             validUtf8(m_bases.front().name()), validUtf8(second->name()))};
  if (alone > 0)
    m_notes.push_back(fmt::format("{} samples without a partner left out", grouped(alone)));
  const bool mask = params.pairRole == PairRole::Mask;
  m_pairField = encodedField(mask ? "mask" : "target", mask ? Role::Mask : Role::Target);
  m_pairs = second.take();
  return {};
}

Result<std::shared_ptr<const Source>> LmdbSamples::open(const Params& params,
                                                        const fs::path& base) {
  const auto files = shardFiles(params.paths, base, isLmdbFileName);
  if (!files) return files.error();
  auto source = std::make_shared<LmdbSamples>();
  for (const fs::path& file : *files) {
    auto opened = openLmdbDatabase(file, params.database, source->m_notes);
    if (!opened) return opened.error();
    const std::uint64_t total = source->m_starts.back() + opened->records.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
      return Error{"more than 4 294 967 295 samples; name fewer files"};
    source->m_starts.push_back(static_cast<std::uint32_t>(total));
    source->m_bases.push_back(opened.take());
  }
  auto kind = kindOf(params, source->m_bases.front());
  if (!kind)
    return Error{fmt::format("`{}`: {}", validUtf8(files->front().native()), kind.error().message)};
  source->m_kind = kind.take();
  if (!params.targets.empty()) MILLRACE_TRY(source->addPairs(params, base));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no database is given", "name one");
  StreamType out;
  out.fields = {encodedField("image", Role::Image)};
  if (!params.value.empty()) {
    const auto field = valueField(params.value);
    if (field)
      out.fields = {*field};
    else
      context.error("value", field.error().message, "write NAME:TYPE:SHAPE");
  } else if (params.content == Content::Bytes) {
    out.fields = {encodedField("features", Role::Features)};
  } else if (params.content != Content::Pictures && params.targets.empty()) {
    out.fields.push_back(labelField());
  }
  if (!params.targets.empty())
    out.fields.insert(out.fields.begin() + 1, params.pairRole == PairRole::Mask
                                                  ? encodedField("mask", Role::Mask)
                                                  : encodedField("target", Role::Target));
  return out;
}

/// What the first field is and whether values are Datums; nothing where the data would have to say.
std::optional<std::pair<FieldSpec, bool>> exportedValue(const Params& p,
                                                        const ExportContext& context) {
  const bool label = context.out.field("label") != nullptr;
  if (p.content == Content::Auto && p.value.empty() && !context.dataKnown) return std::nullopt;
  const FieldSpec& first = context.out.fields.front();
  if (first.dtype == DType::BF16) return std::nullopt;
  return std::pair(first, p.value.empty() && label);
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto value = exportedValue(p, context);
  ExportText text;
  if (!value) {
    text.missing =
        "The exported code does not look into the data for what values are: set `content`, or "
        "`value` for arrays.";
    return text;
  }
  const auto& [first, datum] = *value;
  std::vector<ExampleField> fields{{first.name, first}};
  if (datum) fields.push_back({"label", labelField()});
  std::string call = "LmdbValues(DATA, " + fieldLiterals(fields);
  if (datum) call += ", datum=True";
  if (!p.targets.empty())
    call += fmt::format(", targets=TARGETS, pair=\"{}\"",
                        p.pairRole == PairRole::Mask ? "mask" : "target");
  if (!p.database.empty()) call += ", database=" + pythonText(p.database);
  text = recordSource(target, "lmdb_values", call + ")");
  text.option("DATA", pathListLiteral(p.paths, context));
  if (!p.targets.empty()) text.option("TARGETS", pathLiteral(p.targets, context));
  if (!p.value.empty()) text.limit("Values packed with LZ4 are not unpacked: such samples fail.");
  return text.limit(
      "Values are read by the package lmdb, which a damaged file ends. Millrace leaves damaged "
      "pages out.");
}

}  // namespace

NodeSpec lmdb() {
  Describe<Params> d("lmdb", Category::Source, NodeRole::Source);
  d.label("LMDB").help(
      "Values of LMDB databases, in the order of their keys: picture files, Datums of Caffe (with "
      "their labels), or arrays. Needs no lock file and no place to write. Values about the others "
      "(__len__, __keys__) are passed over; damaged pages are left out and named.");
  d.example(R"({"paths": ["lq.lmdb"], "targets": "gt.lmdb"})");
  d.tags({"mdb", "caffe", "datum", "basicsr", "key", "database"});
  d.paths("paths", &Params::paths)
      .label("Databases")
      .data()
      .help(
          "Folders with a data.mdb, or .mdb files; several are one set. Relative ones start at the "
          "pipeline file.");
  d.path("targets", &Params::targets)
      .label("Targets")
      .optional()
      .help("A second database of pictures under the same keys: makes pairs.");
  d.choice<PairRole>("pair_role", &Params::pairRole,
                     {{PairRole::Target, "target", "Pictures that the first are to become."},
                      {PairRole::Mask, "mask", "Masks."}})
      .label("Targets are")
      .help("What the pictures of the second database are.");
  d.choice<Content>("content", &Params::content,
                    {{Content::Auto, "auto", "By the first values."},
                     {Content::Pictures, "pictures", "JPEG, PNG and so on."},
                     {Content::Datum, "datum", "Caffe's Datum, with its label."},
                     {Content::Bytes, "bytes", "As they are; `value` says what they mean."}})
      .label("Content")
      .help("What a value is.");
  d.text("value", &Params::value)
      .label("Value")
      .optional()
      .help(
          "How to take values that are arrays: NAME:TYPE:SHAPE, then a role, hwc or chw, as "
          "image:u8:224x224x3. Those that are packed with LZ4 are unpacked.");
  d.text("database", &Params::database)
      .label("Database")
      .optional()
      .help("Name of a database within the file. Empty: the main one.");
  describeReadAhead(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return LmdbSamples::open(params, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali"}, exported);
  return d.take();
}

}  // namespace millrace::nodes
