// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/formats/hdf5/hdf5_assembly.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"
#include "core/formats/shard_sequence.h"
#include "core/formats/tfrecord/example_fields.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLengthBytes = sizeof(std::uint64_t);

/// The rows of one field, in a separate file until the HDF5 file is assembled.
struct Hdf5Rows {
  Hdf5Part part;
  GrowingFile values;
  GrowingFile lengths;

  bool encoded() const { return part.field.dtype == DType::Encoded; }
  std::uint64_t bytes() const { return values.size() + (encoded() ? lengths.size() : 0); }
};

/// Size of the first `rows` values, from the file with their lengths.
Result<std::uint64_t> bytesOfRuns(const fs::path& lengths, std::uint64_t rows) {
  if (rows == 0) return std::uint64_t{0};
  const auto file = openForReading(lengths);
  if (!file) return Error{fmt::format("`{}`: {}", lengths.native(), file.error().message)};
  std::vector<std::uint64_t> sizes(rows);
  MILLRACE_ASSIGN_OR_RETURN(const auto got,
                            readAt(file->fd.get(), 0, sizes.data(), rows * kLengthBytes));
  if (got < rows * kLengthBytes)
    return Error{fmt::format("`{}` has become shorter", lengths.native())};
  std::uint64_t bytes = 0;
  for (const std::uint64_t size : sizes) bytes += size;
  return bytes;
}

class Hdf5Writer final : public DatasetWriter {
 public:
  explicit Hdf5Writer(const WriteSpec& spec) : m_spec(spec) {}

  /// Continues at a mark. Earlier files are complete, so their row files are deleted.
  Status resume(const WriteMark& from) {
    for (m_at.shard = 0; m_at.shard < from.shard; ++m_at.shard)
      for (const FieldSpec& field : m_spec.fields) removeRows(partOf(field));
    return begin(from);
  }

  Status add(const WriteSample& sample) override {
    std::uint64_t bytes = 0;
    for (const TensorView& value : sample.values) bytes += value.bytes;
    if (m_spec.shardBytes > 0 && m_at.place > 0 && fileBytes() + bytes > m_spec.shardBytes) {
      MILLRACE_TRY(complete());
      MILLRACE_TRY(begin({m_at.samples, m_at.shard + 1, 0}));
    }
    for (std::size_t f = 0; f < m_rows.size(); ++f) {
      const auto content = sample.values[f].content();
      MILLRACE_TRY(m_rows[f].values.append(content));
      const std::uint64_t length = content.size();
      if (m_rows[f].encoded())
        MILLRACE_TRY(m_rows[f].lengths.append(std::as_bytes(std::span(&length, 1))));
    }
    m_bytes += bytes;
    ++m_at.samples;
    ++m_at.place;
    return {};
  }

  /// Row files of a finished HDF5 file are deleted one mark later: a writer that resumes at the
  /// previous mark still needs them.
  Result<WriteMark> sync() override {
    for (Hdf5Rows& rows : m_rows) {
      MILLRACE_TRY(rows.values.sync());
      if (rows.encoded()) MILLRACE_TRY(rows.lengths.sync());
    }
    for (const Hdf5Part& part : m_removable) removeRows(part);
    m_removable = std::exchange(m_written, {});
    return m_at;
  }

  Status finish() override {
    MILLRACE_TRY(complete());
    for (const auto* parts : {&m_removable, &m_written})
      for (const Hdf5Part& part : *parts) removeRows(part);
    return {};
  }
  std::uint64_t bytes() const override { return m_bytes; }

  std::vector<std::string> readBack() const override {
    std::vector<std::string> entries;
    for (const FieldSpec& field : m_spec.fields)
      entries.push_back(textOf(ExampleField{field.name, field, true}) +
                        (field.layout == Layout::Chw ? ":chw" : ""));
    return entries;
  }

 private:
  std::string fileName() const {
    return m_spec.shardBytes == 0 ? m_spec.name : shardName(m_spec.name, m_at.shard, "h5");
  }
  Hdf5Part partOf(const FieldSpec& field) const {
    const fs::path rows = m_spec.folder / (fileName() + "." + field.name + ".part");
    const fs::path lengths = rows.native() + ".lengths";
    return {field, rows, field.dtype == DType::Encoded ? lengths : fs::path()};
  }
  static void removeRows(const Hdf5Part& part) {
    std::error_code ignored;
    fs::remove(part.rows, ignored);
    if (!part.lengths.empty()) fs::remove(part.lengths, ignored);
  }
  std::uint64_t fileBytes() const {
    std::uint64_t bytes = 0;
    for (const Hdf5Rows& rows : m_rows) bytes += rows.bytes();
    return bytes;
  }

  Status begin(const WriteMark& at) {
    m_at = at;
    m_rows.clear();
    for (const FieldSpec& field : m_spec.fields) {
      Hdf5Rows rows{partOf(field), {}, {}};
      std::uint64_t keep = 0;
      if (rows.encoded()) {
        MILLRACE_ASSIGN_OR_RETURN(keep, bytesOfRuns(rows.part.lengths, at.place));
        MILLRACE_ASSIGN_OR_RETURN(rows.lengths,
                                  GrowingFile::open(rows.part.lengths, at.place * kLengthBytes));
      } else {
        keep = at.place * static_cast<std::uint64_t>(field.shape.elements()) * sizeOf(field.dtype);
      }
      MILLRACE_ASSIGN_OR_RETURN(rows.values, GrowingFile::open(rows.part.rows, keep));
      m_rows.push_back(std::move(rows));
    }
    return {};
  }

  Status complete() {
    std::vector<Hdf5Part> parts;
    for (Hdf5Rows& rows : m_rows) {
      MILLRACE_TRY(rows.values.close());
      if (rows.encoded()) MILLRACE_TRY(rows.lengths.close());
      parts.push_back(rows.part);
    }
    MILLRACE_TRY(
        assembleHdf5(m_spec.folder / fileName(), parts, m_at.place, {m_spec.gzip, m_spec.classes}));
    m_written.insert(m_written.end(), parts.begin(), parts.end());
    return {};
  }

  const WriteSpec m_spec;
  WriteMark m_at;  ///< its place counts rows of the current file
  std::uint64_t m_bytes = 0;
  std::vector<Hdf5Rows> m_rows;  ///< one per field
  std::vector<Hdf5Part> m_written;
  std::vector<Hdf5Part> m_removable;
};

}  // namespace

OpenWriter openHdf5Writer(const WriteSpec& spec, const WriteMark& from) {
  MILLRACE_TRY(checkPart("hdf5"));
  auto writer = std::make_unique<Hdf5Writer>(spec);
  MILLRACE_TRY(writer->resume(from));
  return std::unique_ptr<DatasetWriter>(std::move(writer));
}

}  // namespace millrace
