// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/formats/parquet/parquet_parts.h"

namespace millrace {

/// An open Parquet file. The pages of a chunk are found when its first row is needed. Thread-safe
/// after use().
class ParquetFile {
 public:
  /// Reads the footer. The error does not contain the file's name.
  static Result<std::unique_ptr<ParquetFile>> open(const std::filesystem::path& path);
  explicit ParquetFile(OpenFile file, ParquetFooter footer);

  const ParquetFooter& footer() const { return m_footer; }
  int descriptor() const { return m_file.fd.get(); }
  std::uint32_t rows() const { return m_footer.rows; }

  struct Place {
    std::uint32_t group = 0;
    std::uint32_t row = 0;  ///< within the group
  };
  Place find(std::uint32_t row) const;

  /// Prepares for reading a column.
  void use(std::size_t column);
  /// Where a used column's pages are. The error is returned again by later calls.
  Result<const ParquetParts*> parts(std::size_t column, std::uint32_t group,
                                    ParquetUnpacker& unpacker) const;

 private:
  struct Slot {
    std::atomic<const Result<ParquetParts>*> ready{nullptr};
    Mutex mutex;
    std::optional<Result<ParquetParts>> found MILLRACE_GUARDED_BY(mutex);
  };

  const OpenFile m_file;
  const ParquetFooter m_footer;
  std::vector<std::uint32_t> m_starts{0};                  ///< first row of each group, and the end
  std::map<std::size_t, std::unique_ptr<Slot[]>> m_slots;  ///< of the used columns, by group
};

}  // namespace millrace
