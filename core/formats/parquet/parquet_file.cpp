// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_file.h"

#include <algorithm>
#include <utility>

namespace millrace {

ParquetFile::ParquetFile(OpenFile file, ParquetFooter footer)
    : m_file(std::move(file)), m_footer(std::move(footer)) {
  for (const ParquetGroup& group : m_footer.groups)
    m_starts.push_back(m_starts.back() + group.rows);
}

Result<std::unique_ptr<ParquetFile>> ParquetFile::open(const std::filesystem::path& path) {
  MILLRACE_ASSIGN_OR_RETURN(auto file, openForReading(path));
  MILLRACE_ASSIGN_OR_RETURN(auto footer, readParquetFooter(file));
  return std::make_unique<ParquetFile>(std::move(file), std::move(footer));
}

ParquetFile::Place ParquetFile::find(std::uint32_t row) const {
  const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), row);
  const auto group = static_cast<std::uint32_t>(after - m_starts.begin()) - 1;
  return {group, row - m_starts[group]};
}

void ParquetFile::use(std::size_t column) {
  auto& slots = m_slots[column];
  if (!slots) slots = std::make_unique<Slot[]>(m_footer.groups.size());
}

Result<const ParquetParts*> ParquetFile::parts(std::size_t column, std::uint32_t group,
                                               ParquetUnpacker& unpacker) const {
  Slot& slot = m_slots.at(column)[group];
  const Result<ParquetParts>* ready = slot.ready.load(std::memory_order_acquire);
  if (ready == nullptr) {
    const MutexLock lock(slot.mutex);
    if (!slot.found) {
      const ParquetGroup& described = m_footer.groups[group];
      slot.found = findParquetParts(m_file, m_footer.columns[column], described.chunks[column],
                                    described.rows, unpacker);
      slot.ready.store(&*slot.found, std::memory_order_release);
    }
    ready = &*slot.found;
  }
  if (!ready->ok()) return ready->error();
  return &ready->value();
}

}  // namespace millrace
