// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lmdb_writer.h"

#include <lmdb.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/lmdb/caffe_datum.h"
#include "core/formats/lmdb/lz4_value.h"
#include "core/formats/tfrecord/example_fields.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFirstMap = std::size_t{1} << 26U;
/// A transaction is committed after this many bytes, because its pages are in memory until then.
constexpr std::uint64_t kPerTransaction = std::uint64_t{64} << 20U;

/// An LMDB environment with a write transaction that is started on demand.
class Environment {
 public:
  Environment() = default;
  Environment(Environment&& other) noexcept
      : m_path(std::move(other.m_path)),
        m_environment(std::exchange(other.m_environment, nullptr)),
        m_transaction(std::exchange(other.m_transaction, nullptr)),
        m_database(other.m_database),
        m_waiting(std::move(other.m_waiting)) {}
  Environment& operator=(Environment&&) = delete;
  ~Environment() {
    if (m_transaction != nullptr) mdb_txn_abort(m_transaction);
    if (m_environment != nullptr) mdb_env_close(m_environment);
  }

  static Result<Environment> open(const fs::path& path, bool oneFile) {
    Environment made;
    made.m_path = path;
    int error = mdb_env_create(&made.m_environment);
    if (error == 0) error = mdb_env_set_mapsize(made.m_environment, kFirstMap);
    // The file is not opened by others while it is written.
    const unsigned flags = MDB_NOLOCK | MDB_NOTLS | MDB_NOSYNC | (oneFile ? MDB_NOSUBDIR : 0U);
    if (error == 0) error = mdb_env_open(made.m_environment, path.c_str(), flags, 0666);
    if (error != 0) return made.wrong(error);
    return made;
  }

  Status put(std::string_view key, std::string_view value) {
    m_waiting.emplace_back(key, value);
    m_waitingBytes += value.size();
    return m_waitingBytes < kPerTransaction ? Status() : commit();
  }

  /// Commits the pending values in one transaction, enlarging the map if they do not fit.
  Status commit() {
    for (;;) {
      const int error = tryCommit();
      if (error == 0) break;
      if (error != MDB_MAP_FULL) return wrong(error);
      MDB_envinfo info{};
      mdb_env_info(m_environment, &info);
      if (const int grown = mdb_env_set_mapsize(m_environment, info.me_mapsize * 2); grown != 0)
        return wrong(grown);
    }
    m_waiting.clear();
    m_waitingBytes = 0;
    return {};
  }

  Status sync() {
    MILLRACE_TRY(commit());
    if (const int error = mdb_env_sync(m_environment, 1); error != 0) return wrong(error);
    return {};
  }

 private:
  int tryCommit() {
    int error = mdb_txn_begin(m_environment, nullptr, 0, &m_transaction);
    if (error != 0) return error;
    error = mdb_dbi_open(m_transaction, nullptr, 0, &m_database);
    for (const auto& [key, value] : m_waiting) {
      if (error != 0) break;
      MDB_val name{key.size(), const_cast<char*>(key.data())};
      MDB_val data{value.size(), const_cast<char*>(value.data())};
      error = mdb_put(m_transaction, m_database, &name, &data, 0);
    }
    MDB_txn* transaction = std::exchange(m_transaction, nullptr);
    if (error == 0) return mdb_txn_commit(transaction);
    mdb_txn_abort(transaction);
    return error;
  }

  Error wrong(int error) const {
    // The library reports a full disk only as an I/O error (a short write).
    std::error_code unknown;
    const bool full = error == EIO && fs::space(m_path, unknown).available < kPerTransaction;
    if (error > 0) return cannotWrite(m_path, full ? ENOSPC : error);
    return Error{
        fmt::format("cannot write `{}`: {}", validUtf8(m_path.native()), mdb_strerror(error))};
  }

  fs::path m_path;
  MDB_env* m_environment = nullptr;
  MDB_txn* m_transaction = nullptr;
  MDB_dbi m_database = 0;
  std::vector<std::pair<std::string, std::string>> m_waiting;
  std::uint64_t m_waitingBytes = 0;
};

std::string_view textOf(const TensorView& value) {
  return {reinterpret_cast<const char*>(value.data), value.bytes};
}

ImageView pixelsOf(const TensorView& value) {
  const auto width = static_cast<int>(value.width());
  const auto channels = static_cast<int>(value.channels());
  return {reinterpret_cast<const std::uint8_t*>(value.data), width,
          static_cast<int>(value.height()), channels, std::ptrdiff_t{width} * channels};
}

class LmdbWriter final : public DatasetWriter {
 public:
  LmdbWriter(const WriteSpec& spec, const WriteMark& from) : m_spec(spec), m_at(from) {
    for (std::size_t f = 0; f < spec.fields.size(); ++f)
      if (spec.fields[f].role == Role::Label) m_label = f;
  }

  Status open() {
    const bool oneFile = m_spec.name.ends_with(".mdb");
    const auto add = [this](const fs::path& path, bool file) -> Status {
      MILLRACE_ASSIGN_OR_RETURN(auto made, Environment::open(path, file));
      m_environments.push_back(std::move(made));
      return {};
    };
    if (pictures() < 2) return add(oneFile ? m_spec.folder / m_spec.name : m_spec.folder, oneFile);
    for (const FieldSpec& field : m_spec.fields) {
      const fs::path folder = m_spec.folder / (field.name + "s.lmdb");
      std::error_code error;
      fs::create_directories(folder, error);
      if (error) return cannotWrite(folder, error.value());
      MILLRACE_ASSIGN_OR_RETURN(
          auto info, GrowingFile::open(folder / "meta_info.txt", kept(folder / "meta_info.txt")));
      m_infos.push_back(std::move(info));
      MILLRACE_TRY(add(folder, false));
    }
    return {};
  }

  Status add(const WriteSample& sample) override {
    if (pictures() > 1) {
      for (std::size_t f = 0; f < m_spec.fields.size(); ++f) {
        MILLRACE_TRY(put(f, std::string(sample.key), textOf(sample.values[f])));
        MILLRACE_TRY(inform(f, sample));
      }
    } else if (m_label) {
      MILLRACE_TRY(put(0, fmt::format("{:08}_{}", m_at.samples, sample.key), datumOf(sample)));
    } else if (m_spec.lz4) {
      MILLRACE_ASSIGN_OR_RETURN(const auto packed, packedLz4(textOf(sample.values[0])));
      MILLRACE_TRY(put(0, std::string(sample.key), packed));
    } else {
      MILLRACE_TRY(put(0, std::string(sample.key), textOf(sample.values[0])));
    }
    ++m_at.samples;
    return {};
  }

  Result<WriteMark> sync() override {
    for (Environment& environment : m_environments) MILLRACE_TRY(environment.sync());
    for (GrowingFile& info : m_infos) MILLRACE_TRY(info.sync());
    return m_at;
  }

  Status finish() override {
    MILLRACE_TRY(sync());
    for (GrowingFile& info : m_infos) MILLRACE_TRY(info.close());
    m_environments.clear();
    return {};
  }
  std::uint64_t bytes() const override { return m_bytes; }

  std::vector<std::string> readBack() const override {
    const FieldSpec& field = m_spec.fields.front();
    const bool picture = isPicture(field.role) && field.dtype == DType::Encoded;
    if (m_label || picture) return {};
    std::string text = textOf(ExampleField{"value", field, true});
    text.erase(text.find("=value"), std::strlen("=value"));
    return {text + (field.layout == Layout::Chw ? ":chw" : "")};
  }

 private:
  /// Number of pictures per sample, each in a separate database.
  std::size_t pictures() const { return m_spec.fields.size() - (m_label ? 1 : 0); }
  /// Size of the lines in `info` for the samples that are kept.
  std::uint64_t kept(const fs::path& info) const {
    std::ifstream lines(info, std::ios::binary);
    std::string line;
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < m_at.samples && std::getline(lines, line); ++i)
      bytes += line.size() + 1;
    return bytes;
  }

  Status put(std::size_t environment, const std::string& key, std::string_view value) {
    m_bytes += value.size();
    return m_environments[environment].put(key, value);
  }

  std::string datumOf(const WriteSample& sample) {
    const std::size_t picture = *m_label == 0 ? 1 : 0;
    const TensorView& value = sample.values[picture];
    const std::int64_t label = *sample.values[*m_label].as<std::int64_t>();
    if (m_spec.fields[picture].dtype != DType::Encoded) return rawDatum(pixelsOf(value), label);
    const auto info = m_decoder.open(value.content());
    return encodedDatum(value.content(), info ? info->size : Size{}, label);
  }

  /// Appends a line of the form `name.png (height,width,channels) 1`, as basicsr reads it.
  Status inform(std::size_t f, const WriteSample& sample) {
    const auto info = m_decoder.open(sample.values[f].content());
    const Size size = info ? info->size : Size{};
    return m_infos[f].append(fmt::format("{}.{} ({},{},{}) 1\n", sample.key,
                                         usualExtension(sample.values[f].content()), size.height,
                                         size.width, info ? info->storedChannels : 0));
  }

  const WriteSpec m_spec;
  WriteMark m_at;
  std::optional<std::size_t> m_label;
  std::vector<Environment> m_environments;  ///< one; for pairs, one per field
  std::vector<GrowingFile> m_infos;         ///< for pairs only
  ImageDecoder m_decoder;                   ///< for picture headers
  std::uint64_t m_bytes = 0;
};

}  // namespace

OpenWriter openLmdbWriter(const WriteSpec& spec, const WriteMark& from) {
  for (const FieldSpec& field : spec.fields)
    if (spec.fields.size() > 1 && !writesDatums(spec) && field.dtype != DType::Encoded)
      return Error{fmt::format(
          "`{}` has the pixels of one of several pictures, for which LMDB has no common form; "
          "use the setting `png` to store picture files",
          field.name)};
  // A reader could not distinguish compressed from uncompressed values, and would deliver
  // compressed bytes.
  if (spec.lz4 && spec.fields.front().dtype == DType::Encoded)
    return Error{fmt::format(
        "the number of bytes of `{}` varies, and the setting `lz4` needs values of one shape: "
        "leave it out",
        spec.fields.front().name)};
  if (spec.lz4) MILLRACE_TRY(checkPart("lz4"));
  auto writer = std::make_unique<LmdbWriter>(spec, from);
  MILLRACE_TRY(writer->open());
  return std::unique_ptr<DatasetWriter>(std::move(writer));
}

}  // namespace millrace
