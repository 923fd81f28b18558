// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy/npy_writer.h"

#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/npy/npz_file.h"
#include "core/formats/shard_sequence.h"

namespace millrace {

namespace {

/// Size of a header, enough for any number of rows.
constexpr std::size_t kHead = 192;

std::string_view npyName(DType type) {
  constexpr std::array<std::pair<DType, std::string_view>, 9> kTypes = {{{DType::U8, "|u1"},
                                                                         {DType::I8, "|i1"},
                                                                         {DType::U16, "<u2"},
                                                                         {DType::I16, "<i2"},
                                                                         {DType::I32, "<i4"},
                                                                         {DType::I64, "<i8"},
                                                                         {DType::F16, "<f2"},
                                                                         {DType::F32, "<f4"},
                                                                         {DType::F64, "<f8"}}};
  for (const auto& [known, name] : kTypes)
    if (known == type) return name;
  return {};
}

std::string headOf(const FieldSpec& field, std::uint64_t rows) {
  std::string shape = fmt::format("{},", rows);
  for (const std::int64_t size : field.shape) shape += fmt::format(" {},", size);
  if (field.shape.rank() > 0) shape.pop_back();
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                 npyName(field.dtype), shape);
  constexpr std::size_t kBegin = 10;
  dict.resize(kHead - kBegin - 1, ' ');
  std::string head = "\x93NUMPY";
  head += '\x01';
  head += '\0';
  head += static_cast<char>((kHead - kBegin) & 0xffU);
  head += static_cast<char>((kHead - kBegin) >> 8U);
  return head + dict + '\n';
}

std::uint64_t rowBytes(const FieldSpec& field) {
  return static_cast<std::uint64_t>(field.shape.elements()) * sizeOf(field.dtype);
}

class NpyWriter final : public DatasetWriter {
 public:
  explicit NpyWriter(const WriteSpec& spec) : m_spec(spec) {
    std::uint64_t row = 0;
    for (const FieldSpec& field : spec.fields) row += rowBytes(field);
    if (spec.shardBytes > 0) m_rowsPerFile = std::max<std::uint64_t>(1, spec.shardBytes / row);
  }

  /// Continues at a mark. Earlier archives are complete, so their part files are deleted.
  Status resume(const WriteMark& from) {
    std::error_code ignored;
    for (m_at.shard = 0; !alone() && m_at.shard < from.shard; ++m_at.shard)
      for (const FieldSpec& field : m_spec.fields)
        std::filesystem::remove(m_spec.folder / partName(field), ignored);
    return begin(from);
  }

  Status begin(const WriteMark& at) {
    m_at = at;
    m_files.clear();
    for (const FieldSpec& field : m_spec.fields) {
      const std::uint64_t keep = at.place == 0 ? 0 : kHead + at.place * rowBytes(field);
      MILLRACE_ASSIGN_OR_RETURN(auto file,
                                GrowingFile::open(m_spec.folder / partName(field), keep));
      m_files.push_back(std::move(file));
      if (keep == 0) MILLRACE_TRY(m_files.back().append(headOf(field, 0)));
    }
    return {};
  }

  Status add(const WriteSample& sample) override {
    if (m_rowsPerFile > 0 && m_at.place == m_rowsPerFile) {
      MILLRACE_TRY(complete());
      MILLRACE_TRY(begin({m_at.samples, m_at.shard + 1, 0}));
    }
    for (std::size_t f = 0; f < m_files.size(); ++f) {
      MILLRACE_TRY(m_files[f].append(sample.values[f].content()));
      m_bytes += sample.values[f].bytes;
    }
    ++m_at.samples;
    ++m_at.place;
    return {};
  }

  /// Part files of a finished archive are deleted one mark later: a writer that resumes at the
  /// previous mark still needs them.
  Result<WriteMark> sync() override {
    for (GrowingFile& file : m_files) MILLRACE_TRY(file.sync());
    std::error_code ignored;
    for (const auto& part : m_removable) std::filesystem::remove(part, ignored);
    m_removable = std::exchange(m_inArchive, {});
    return m_at;
  }

  Status finish() override {
    MILLRACE_TRY(complete());
    std::error_code ignored;
    for (const auto* parts : {&m_removable, &m_inArchive})
      for (const auto& part : *parts) std::filesystem::remove(part, ignored);
    return {};
  }
  std::uint64_t bytes() const override { return m_bytes; }

 private:
  bool alone() const { return m_spec.fields.size() == 1; }
  std::string fileName() const {
    if (m_spec.shardBytes == 0) return m_spec.name;
    return shardName(m_spec.name, m_at.shard, alone() ? "npy" : "npz");
  }
  std::string partName(const FieldSpec& field) const {
    return alone() ? fileName() : fileName() + "." + field.name + ".part";
  }

  /// Writes the number of rows into the headers, and assembles the archive.
  Status complete() {
    std::vector<NpzMember> members;
    for (std::size_t f = 0; f < m_files.size(); ++f) {
      const FieldSpec& field = m_spec.fields[f];
      MILLRACE_TRY(m_files[f].overwrite(0, headOf(field, m_at.place)));
      MILLRACE_TRY(m_files[f].close());
      members.push_back({m_files[f].path(), field.name + ".npy"});
    }
    if (alone()) return {};
    MILLRACE_TRY(writeNpz(m_spec.folder / fileName(), members));
    for (const NpzMember& member : members) m_inArchive.push_back(member.file);
    return {};
  }

  const WriteSpec m_spec;
  std::uint64_t m_rowsPerFile = 0;  ///< 0: a single file
  WriteMark m_at;                   ///< its place counts rows of the current file
  std::uint64_t m_bytes = 0;
  std::vector<GrowingFile> m_files;  ///< one per field
  std::vector<std::filesystem::path> m_inArchive;
  std::vector<std::filesystem::path> m_removable;
};

}  // namespace

OpenWriter openNpyWriter(const WriteSpec& spec, const WriteMark& from) {
  for (const FieldSpec& field : spec.fields)
    if (npyName(field.dtype).empty())
      return Error{
          fmt::format("`{}` is {}, for which NumPy has no type", field.name, nameOf(field.dtype))};
  auto writer = std::make_unique<NpyWriter>(spec);
  MILLRACE_TRY(writer->resume(from));
  return std::unique_ptr<DatasetWriter>(std::move(writer));
}

}  // namespace millrace
