// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5_writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/example_fields.h"
#include "core/formats/growing_file.h"
#include "core/formats/hdf5_assembly.h"
#include "core/formats/open_file.h"
#include "core/formats/shard_sequence.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLengthBytes = sizeof(std::uint64_t);

/// The rows of one field, until they go into an HDF5 file.
struct Hdf5Rows {
  Hdf5Part part;
  GrowingFile values;
  GrowingFile lengths;

  bool encoded() const { return part.field.dtype == DType::Encoded; }
  std::uint64_t bytes() const { return values.size() + (encoded() ? lengths.size() : 0); }
};

/// Bytes of the first `rows` values, by their lengths in the file.
Result<std::uint64_t> bytesOfRuns(const fs::path& lengths, std::uint64_t rows) {
  if (rows == 0) return std::uint64_t{0};
  const auto file = openForReading(lengths);
  if (!file) return Error{fmt::format("`{}`: {}", lengths.native(), file.error().message)};
  std::vector<std::uint64_t> sizes(rows);
  const auto got = readAt(file->fd.get(), 0, sizes.data(), rows * kLengthBytes);
  if (!got) return got.error();
  if (*got < rows * kLengthBytes)
    return Error{fmt::format("`{}` is shorter than it was", lengths.native())};
  std::uint64_t bytes = 0;
  for (const std::uint64_t size : sizes) bytes += size;
  return bytes;
}

class Hdf5Writer final : public DatasetWriter {
 public:
  explicit Hdf5Writer(const WriteSpec& spec) : m_spec(spec) {}

  /// Goes on at a mark. Files in front of it are whole, and their rows may go.
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

  /// Rows of files that are complete go one mark later: a writer that goes on at the mark before
  /// this one would look for them.
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
        const auto bytes = bytesOfRuns(rows.part.lengths, at.place);
        if (!bytes) return bytes.error();
        keep = *bytes;
        auto lengths = GrowingFile::open(rows.part.lengths, at.place * kLengthBytes);
        if (!lengths) return lengths.error();
        rows.lengths = lengths.take();
      } else {
        keep = at.place * static_cast<std::uint64_t>(field.shape.elements()) * sizeOf(field.dtype);
      }
      auto values = GrowingFile::open(rows.part.rows, keep);
      if (!values) return values.error();
      rows.values = values.take();
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
  WriteMark m_at;  ///< its place: rows of the file at hand
  std::uint64_t m_bytes = 0;
  std::vector<Hdf5Rows> m_rows;  ///< one a field
  std::vector<Hdf5Part> m_written;
  std::vector<Hdf5Part> m_removable;
};

}  // namespace

OpenWriter openHdf5Writer(const WriteSpec& spec, const WriteMark& from) {
  auto writer = std::make_unique<Hdf5Writer>(spec);
  MILLRACE_TRY(writer->resume(from));
  return std::unique_ptr<DatasetWriter>(std::move(writer));
}

}  // namespace millrace
