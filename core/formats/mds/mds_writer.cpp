// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_writer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"
#include "core/formats/mds/mds_column.h"
#include "core/formats/mds/mds_shard.h"
#include "core/formats/tfrecord/example_fields.h"

namespace millrace {

namespace {

constexpr const char* kKeyColumn = "filename";

std::string_view mdsName(DType type) {
  constexpr std::array<std::pair<DType, std::string_view>, 9> kTypes = {{{DType::U8, "uint8"},
                                                                         {DType::I8, "int8"},
                                                                         {DType::U16, "uint16"},
                                                                         {DType::I16, "int16"},
                                                                         {DType::I32, "int32"},
                                                                         {DType::I64, "int64"},
                                                                         {DType::F16, "float16"},
                                                                         {DType::F32, "float32"},
                                                                         {DType::F64, "float64"}}};
  for (const auto& [known, name] : kTypes)
    if (known == type) return name;
  return {};
}

/// A column and the index of its field; no field for the column of keys.
struct Written {
  std::string name;
  std::string encoding;
  std::uint32_t size = 0;  ///< 0: varies between samples
  std::size_t field = 0;
  bool key = false;
};

std::string encodingOf(const FieldSpec& field, std::span<const std::byte> first) {
  if (field.dtype == DType::Encoded) {
    const std::string_view extension = isPicture(field.role) ? usualExtension(first) : "";
    return extension == "jpg" ? "jpeg" : extension == "png" ? "png" : "bytes";
  }
  if (field.shape.rank() == 0)
    return field.dtype == DType::I64 ? "int" : std::string(mdsName(field.dtype));
  std::string text = fmt::format("ndarray:{}:", mdsName(field.dtype));
  for (const std::int64_t size : field.shape) text += fmt::format("{},", size);
  text.pop_back();
  return text;
}

std::vector<Written> columnsFor(const WriteSpec& spec) {
  std::vector<Written> columns;
  bool free = true;
  for (std::size_t f = 0; f < spec.fields.size(); ++f) {
    const FieldSpec& field = spec.fields[f];
    Written column{field.name, {}, 0, f, false};
    if (field.dtype != DType::Encoded)
      column.size = static_cast<std::uint32_t>(static_cast<std::uint64_t>(field.shape.elements()) *
                                               sizeOf(field.dtype));
    columns.push_back(std::move(column));
    free = free && field.name != kKeyColumn;
  }
  if (free) columns.push_back({kKeyColumn, "str", 0, 0, true});
  // In the order of mosaicml-streaming's writer.
  std::sort(columns.begin(), columns.end(),
            [](const Written& a, const Written& b) { return a.name < b.name; });
  return columns;
}

std::string quoted(const std::vector<std::string>& texts) {
  return texts.empty() ? "" : "\"" + join(texts, "\", \"") + "\"";
}

/// The writer for one folder. One thread.
class MdsWriter final : public DatasetWriter {
 public:
  explicit MdsWriter(const WriteSpec& spec) : m_spec(spec), m_columns(columnsFor(spec)) {
    for (const Written& column : m_columns) m_variable += column.size == 0 ? 1 : 0;
  }

  /// Continues at a mark. Earlier shards are complete, so their part files are deleted.
  Status resume(const WriteMark& from) {
    std::error_code error;
    for (std::uint32_t shard = 0; shard < from.shard; ++shard) {
      std::filesystem::remove(partPath(shard), error);
      m_before += std::filesystem::file_size(shardPath(shard), error);
      if (error) return Error{fmt::format("`{}` has disappeared", shardPath(shard).native())};
    }
    MILLRACE_TRY(begin(from));
    if (from.samples == 0) return {};
    if (from.place > 0) MILLRACE_TRY(findSamples(from.place));
    MILLRACE_TRY(relearn(from.shard));
    m_config = config();
    return {};
  }

  Status add(const WriteSample& sample) override {
    std::uint64_t bytes = 4 * m_variable;
    for (const Written& column : m_columns) bytes += content(column, sample).size();
    if (m_at.samples == 0) learn(sample);
    if (!m_starts.empty() && full(bytes)) {
      MILLRACE_TRY(complete());
      MILLRACE_TRY(begin({m_at.samples, m_at.shard + 1, 0}));
    }
    if (full(bytes) && headBytes() + bytes > kLargestMdsShard)
      return Error{fmt::format("`{}` has {}, more than a shard may have", validUtf8(sample.key),
                               humanBytes(static_cast<double>(bytes)))};
    m_starts.push_back(static_cast<std::uint32_t>(m_part.size()));
    for (const Written& column : m_columns) {
      if (column.size > 0) continue;
      const auto size = static_cast<std::uint32_t>(content(column, sample).size());
      MILLRACE_TRY(m_part.append(std::as_bytes(std::span(&size, 1))));
    }
    for (const Written& column : m_columns) MILLRACE_TRY(m_part.append(content(column, sample)));
    ++m_at.samples;
    return {};
  }

  /// Part files of a finished shard are deleted one mark later: a writer that resumes at the
  /// previous mark still needs them.
  Result<WriteMark> sync() override {
    MILLRACE_TRY(m_part.sync());
    m_at.place = m_part.size();
    remove(m_removable);
    m_removable = std::exchange(m_inShard, {});
    return m_at;
  }

  Status finish() override {
    MILLRACE_TRY(complete());
    remove(m_removable);
    remove(m_inShard);
    MILLRACE_ASSIGN_OR_RETURN(auto file, GrowingFile::open(m_spec.folder / "index.json"));
    MILLRACE_TRY(file.append(std::string_view("{\"shards\": [")));
    for (std::uint32_t shard = 0; shard <= m_at.shard; ++shard)
      MILLRACE_TRY(appendEntry(file, shard));
    MILLRACE_TRY(file.append(std::string_view("], \"version\": 2}")));
    return file.close();
  }
  std::uint64_t bytes() const override { return m_before + m_part.size(); }

  std::vector<std::string> readBack() const override {
    std::vector<std::string> entries;
    for (const FieldSpec& field : m_spec.fields) {
      std::string text = textOf(ExampleField{field.name, field, true});
      if (field.layout == Layout::Chw) text += ":chw";
      entries.push_back(std::move(text));
    }
    return entries;
  }

 private:
  std::filesystem::path shardPath(std::uint32_t shard) const {
    return m_spec.folder / fmt::format("shard.{:05}.mds", shard);
  }
  std::filesystem::path partPath(std::uint32_t shard) const {
    return m_spec.folder / fmt::format("shard.{:05}.mds.part", shard);
  }
  static void remove(const std::vector<std::filesystem::path>& files) {
    std::error_code ignored;
    for (const auto& file : files) std::filesystem::remove(file, ignored);
  }

  static std::span<const std::byte> content(const Written& column, const WriteSample& sample) {
    return column.key ? std::as_bytes(std::span(sample.key))
                      : sample.values[column.field].content();
  }

  std::uint64_t headBytes() const { return 4 + 4 * (m_starts.size() + 2) + m_config.size(); }
  bool full(std::uint64_t bytes) const {
    const std::uint64_t size = headBytes() + m_part.size() + bytes;
    return size > kLargestMdsShard || (m_spec.shardBytes > 0 && size > m_spec.shardBytes);
  }

  void learn(const WriteSample& sample) {
    for (Written& column : m_columns)
      if (!column.key)
        column.encoding = encodingOf(m_spec.fields[column.field], content(column, sample));
    m_config = config();
  }

  /// When resuming, recovers what the very first sample determined.
  Status relearn(std::uint32_t shards) {
    auto file = openForReading(shards > 0 ? shardPath(0) : partPath(0));
    if (!file) return cannotGoOn(file.error());
    if (shards > 0) {
      const auto shard = openMdsShard(file.take());
      if (!shard) return cannotGoOn(shard.error());
      const auto columns = columnsOf(*shard);
      if (!columns || columns->size() != m_columns.size())
        return cannotGoOn({"it has different columns"});
      for (std::size_t c = 0; c < m_columns.size(); ++c)
        m_columns[c].encoding = (*columns)[c].encoding;
      return {};
    }
    const std::uint64_t end = m_starts.size() > 1 ? m_starts[1] : m_part.size();
    std::vector<std::byte> sample(end);
    const auto got = readAt(file->fd.get(), 0, sample.data(), sample.size());
    std::vector<MdsColumn> columns(m_columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].size = m_columns[c].size;
    std::vector<std::span<const std::byte>> values;
    if (!got || !splitMdsSample(columns, sample, values)) return cannotGoOn({"it is damaged"});
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (!m_columns[c].key)
        m_columns[c].encoding = encodingOf(m_spec.fields[m_columns[c].field], values[c]);
    return {};
  }

  Error cannotGoOn(const Error& error) const {
    return Error{fmt::format("`{}`: {}; start over", m_spec.folder.native(), error.message)};
  }

  /// Locates the samples of a part file up to `end`.
  Status findSamples(std::uint64_t end) {
    const auto file = openForReading(partPath(m_at.shard));
    if (!file) return cannotGoOn(file.error());
    std::uint64_t fixed = 4 * m_variable;
    for (const Written& column : m_columns) fixed += column.size;
    std::vector<std::uint32_t> sizes(m_variable);
    for (std::uint64_t at = 0; at < end;) {
      m_starts.push_back(static_cast<std::uint32_t>(at));
      const auto got = readAt(file->fd.get(), at, sizes.data(), 4 * m_variable);
      if (!got || *got < 4 * m_variable) return cannotGoOn({"it is damaged"});
      at += fixed;
      for (const std::uint32_t size : sizes) at += size;
    }
    return {};
  }

  Status begin(const WriteMark& at) {
    m_at = at;
    m_starts.clear();
    MILLRACE_ASSIGN_OR_RETURN(m_part, GrowingFile::open(partPath(at.shard), at.place));
    return {};
  }

  /// The description in each shard's header, repeated in the index.
  std::string description() const {
    std::vector<std::string> encodings;
    std::vector<std::string> names;
    std::vector<std::string> sizes;
    for (const Written& column : m_columns) {
      encodings.push_back(column.encoding);
      names.push_back(column.name);
      sizes.push_back(column.size == 0 ? "null" : std::to_string(column.size));
    }
    return fmt::format(
        "\"column_encodings\": [{}], \"column_names\": [{}], \"column_sizes\": [{}], "
        "\"compression\": null, \"format\": \"mds\", \"hashes\": [], ",
        quoted(encodings), quoted(names), join(sizes, ", "));
  }
  std::uint64_t sizeLimit() const {
    return m_spec.shardBytes > 0 ? m_spec.shardBytes : kLargestMdsShard;
  }
  std::string config() const {
    return fmt::format("{{{}\"size_limit\": {}, \"version\": 2}}", description(), sizeLimit());
  }

  /// Writes the shard: the header with the place of each sample, then the samples.
  Status complete() {
    MILLRACE_TRY(m_part.close());
    MILLRACE_ASSIGN_OR_RETURN(auto shard, GrowingFile::open(shardPath(m_at.shard)));
    const auto count = static_cast<std::uint32_t>(m_starts.size());
    const auto base = static_cast<std::uint32_t>(4 + 4 * (m_starts.size() + 1) + m_config.size());
    m_starts.push_back(static_cast<std::uint32_t>(m_part.size()));
    for (std::uint32_t& start : m_starts) start += base;
    MILLRACE_TRY(shard.append(std::as_bytes(std::span(&count, 1))));
    MILLRACE_TRY(shard.append(std::as_bytes(std::span(m_starts))));
    MILLRACE_TRY(shard.append(std::string_view(m_config)));
    MILLRACE_TRY(copyPart(shard));
    MILLRACE_TRY(shard.close());
    m_before += m_part.size();
    m_inShard.push_back(m_part.path());
    return {};
  }

  Status copyPart(GrowingFile& to) const {
    MILLRACE_ASSIGN_OR_RETURN(const auto part, openForReading(m_part.path()));
    std::vector<std::byte> piece(std::size_t{1} << 20U);
    for (std::uint64_t at = 0; at < part.size; at += piece.size()) {
      MILLRACE_ASSIGN_OR_RETURN(const auto got,
                                readAt(part.fd.get(), at, piece.data(), piece.size()));
      MILLRACE_TRY(to.append(std::span(piece).first(got)));
    }
    return {};
  }

  Status appendEntry(GrowingFile& index, std::uint32_t number) const {
    const auto file = openForReading(shardPath(number));
    if (!file) return cannotGoOn(file.error());
    std::uint32_t samples = 0;
    MILLRACE_TRY(readAt(file->fd.get(), 0, &samples, sizeof samples));
    return index.append(fmt::format(
        "{}{{{}\"raw_data\": {{\"basename\": \"shard.{:05}.mds\", \"bytes\": {}, \"hashes\": "
        "{{}}}}, "
        "\"samples\": {}, \"size_limit\": {}, \"version\": 2, \"zip_data\": null}}",
        number == 0 ? "" : ", ", description(), number, file->size, samples, sizeLimit()));
  }

  const WriteSpec m_spec;
  std::vector<Written> m_columns;
  std::size_t m_variable = 0;           ///< number of columns of variable size
  WriteMark m_at;                       ///< its place counts bytes of the current part file
  std::uint64_t m_before = 0;           ///< bytes of the completed shards
  GrowingFile m_part;                   ///< the current shard's samples, until its header is known
  std::vector<std::uint32_t> m_starts;  ///< offsets of its samples
  std::string m_config;                 ///< part of each shard's header
  std::vector<std::filesystem::path> m_inShard;
  std::vector<std::filesystem::path> m_removable;
};

}  // namespace

OpenWriter openMdsWriter(const WriteSpec& spec, const WriteMark& from) {
  for (const FieldSpec& field : spec.fields) {
    if (field.dtype == DType::Encoded) continue;
    if (mdsName(field.dtype).empty())
      return Error{
          fmt::format("`{}` is {}, for which MDS has no type", field.name, nameOf(field.dtype))};
    const std::uint64_t elements = static_cast<std::uint64_t>(field.shape.elements());
    if (elements == 0 || elements > kLargestMdsShard / sizeOf(field.dtype))
      return Error{fmt::format("`{}` is {}, which an MDS shard cannot store", field.name,
                               field.shape.text())};
  }
  auto writer = std::make_unique<MdsWriter>(spec);
  MILLRACE_TRY(writer->resume(from));
  return std::unique_ptr<DatasetWriter>(std::move(writer));
}

}  // namespace millrace
