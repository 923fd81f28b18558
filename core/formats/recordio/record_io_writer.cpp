// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/recordio/record_io_writer.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"
#include "core/formats/recordio/record_io.h"
#include "core/formats/shard_sequence.h"

namespace millrace {

namespace {

/// The length of a part has 29 bits.
constexpr std::size_t kLongestPart = (std::size_t{1} << 29U) - 1;
/// Integers up to this are exact in a float.
constexpr std::int64_t kMostClasses = 16777216;

template <class T>
void append(std::vector<std::byte>& to, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

class RecordIoWriter final : public DatasetWriter {
 public:
  RecordIoWriter(const WriteSpec& spec, ShardSequence files, const WriteMark& from)
      : m_spec(spec), m_files(std::move(files)), m_samples(from.samples) {
    for (std::size_t f = 0; f < spec.fields.size(); ++f)
      (spec.fields[f].role == Role::Label ? m_label : m_image) = f;
  }

  Status add(const WriteSample& sample) override {
    MILLRACE_TRY(makeRecord(sample));
    makeParts();
    if (m_files.full(m_parts.size())) {
      MILLRACE_TRY(completeFile());
      MILLRACE_TRY(m_files.next());
      MILLRACE_TRY(openList());
    }
    MILLRACE_TRY(m_files.file().append(m_parts));
    MILLRACE_TRY(list(sample));
    m_files.count();
    ++m_samples;
    return {};
  }
  Result<WriteMark> sync() override {
    MILLRACE_TRY(m_list.sync());
    return m_files.sync();
  }
  Status finish() override {
    MILLRACE_TRY(completeFile());
    return m_files.close();
  }

  /// Opens the list of the current file, and keeps its lines of samples before the current one.
  Status openList() {
    const std::filesystem::path path =
        std::filesystem::path(m_files.file().path()).replace_extension(".lst");
    std::ifstream lines(path, std::ios::binary);
    std::uint64_t keep = 0;
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
      if (std::strtoull(line.c_str(), nullptr, 10) >= m_samples) break;
      keep += line.size() + 1;
    }
    MILLRACE_ASSIGN_OR_RETURN(m_list, GrowingFile::open(path, keep));
    return {};
  }
  std::uint64_t bytes() const override { return m_files.bytes(); }

 private:
  Status makeRecord(const WriteSample& sample) {
    const auto content = sample.values[*m_image].content();
    if (content.size() > kLongestPart - 64)
      return Error{fmt::format("`{}` has {}, which exceeds a record", validUtf8(sample.key),
                               humanBytes(static_cast<double>(content.size())))};
    const std::int64_t label = m_label ? *sample.values[*m_label].as<std::int64_t>() : 0;
    if (label < -1 || label > kMostClasses)
      return Error{
          fmt::format("`{}` has the label {}; RecordIO stores labels as f32, which is "
                      "exact only up to {}",
                      validUtf8(sample.key), label, grouped(kMostClasses))};
    m_record.clear();
    append(m_record, std::uint32_t{0});
    append(m_record, static_cast<float>(label));
    append(m_record, m_samples);
    append(m_record, std::uint64_t{0});
    m_record.insert(m_record.end(), content.begin(), content.end());
    return {};
  }

  void appendPart(std::uint32_t kind, std::size_t from, std::size_t to) {
    append(m_parts, kRecordIoMagic);
    append(m_parts, kind << 29U | static_cast<std::uint32_t>(to - from));
    m_parts.insert(m_parts.end(), m_record.begin() + static_cast<std::ptrdiff_t>(from),
                   m_record.begin() + static_cast<std::ptrdiff_t>(to));
    m_parts.resize((m_parts.size() + 3) / 4 * 4);
  }

  /// Splits the record at every magic number, which would be taken for a header.
  void makeParts() {
    m_parts.clear();
    std::size_t from = 0;
    for (std::size_t at = 0; at + 4 <= m_record.size(); at += 4) {
      if (littleEndian<std::uint32_t>(m_record.data() + at) != kRecordIoMagic) continue;
      appendPart(from == 0 ? 1 : 2, from, at);
      from = at + 4;
    }
    appendPart(from == 0 ? 0 : 3, from, m_record.size());
  }

  /// A line as im2rec's lists have: number, label and name of the picture.
  Status list(const WriteSample& sample) {
    const std::int64_t label = m_label ? *sample.values[*m_label].as<std::int64_t>() : 0;
    return m_list.append(fmt::format("{}\t{}\t{}.{}\n", m_samples, label, sample.key,
                                     usualExtension(sample.values[*m_image].content())));
  }

  Status completeFile() {
    MILLRACE_TRY(writeIdx());
    return m_list.close();
  }

  /// Writes the places of the records of the current, completed file.
  Status writeIdx() {
    MILLRACE_TRY(m_files.file().flush());
    const std::filesystem::path records = m_files.file().path();
    const auto file = openForReading(records);
    if (!file)
      return Error{fmt::format("`{}`: {}", validUtf8(records.native()), file.error().message)};
    RecordIoIndex index;
    RecordIoScan scan(file->fd.get(), file->size);
    MILLRACE_TRY(scan.advance(std::numeric_limits<std::size_t>::max(), index));
    MILLRACE_ASSIGN_OR_RETURN(
        auto idx, GrowingFile::open(std::filesystem::path(records).replace_extension(".idx")));
    const std::uint64_t first = m_samples - index.places.size();
    for (std::size_t i = 0; i < index.places.size(); ++i)
      MILLRACE_TRY(idx.append(fmt::format("{}\t{}\n", first + i, index.places[i].offset)));
    return idx.close();
  }

  const WriteSpec m_spec;
  ShardSequence m_files;
  GrowingFile m_list;
  std::uint64_t m_samples;
  std::optional<std::size_t> m_image;  ///< index of the picture's field
  std::optional<std::size_t> m_label;
  std::vector<std::byte> m_record;
  std::vector<std::byte> m_parts;
};

}  // namespace

OpenWriter openRecordIoWriter(const WriteSpec& spec, const WriteMark& from) {
  std::size_t pictures = 0;
  for (const FieldSpec& field : spec.fields)
    if (field.role != Role::Label) pictures += field.dtype == DType::Encoded ? 1 : 2;
  if (pictures != 1)
    return Error{"a RecordIO record stores one picture file and its label, nothing else"};
  MILLRACE_ASSIGN_OR_RETURN(auto files, ShardSequence::open(spec, "rec", from));
  auto writer = std::make_unique<RecordIoWriter>(spec, std::move(files), from);
  MILLRACE_TRY(writer->openList());
  return std::unique_ptr<DatasetWriter>(std::move(writer));
}

}  // namespace millrace
