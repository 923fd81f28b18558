// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_shard.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/mds/mds_index.h"

namespace millrace {

Result<MdsShard::Range> MdsShard::range(std::uint32_t sample) const {
  if (sample >= samples())
    return Error{fmt::format("the shard has only {}, but the index says more",
                             counted(samples(), "sample"))};
  const std::uint64_t data = 4 + 4 * static_cast<std::uint64_t>(offsets.size());
  const std::uint32_t begin = offsets[sample];
  const std::uint32_t end = offsets[sample + 1];
  if (begin >= data && begin <= end && end <= file.size) return Range{begin, end - begin};
  return Error{
      fmt::format("it should be at bytes {} to {} of a file of {}; the shard is damaged "
                  "or truncated",
                  grouped(begin), grouped(end), grouped(file.size))};
}

Result<MdsShard> openMdsShard(OpenFile file) {
  std::uint32_t count = 0;
  MILLRACE_ASSIGN_OR_RETURN(const auto head, readAt(file.fd.get(), 0, &count, sizeof count));
  if (head < sizeof count) return Error{"it is too short for a shard"};
  const std::uint64_t table = 4 * (static_cast<std::uint64_t>(count) + 1);
  if (sizeof count + table > file.size)
    return Error{fmt::format("its header lists {} samples, for which {} bytes are too few",
                             grouped(count), grouped(file.size))};
  MdsShard shard{std::move(file), std::vector<std::uint32_t>(std::size_t{count} + 1)};
  MILLRACE_ASSIGN_OR_RETURN(const auto got,
                            readAt(shard.file.fd.get(), sizeof count, shard.offsets.data(), table));
  if (got < table) return Error{"it became shorter while it was being opened"};
  return shard;
}

Result<std::vector<MdsColumn>> columnsOf(const MdsShard& shard) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
  const std::uint64_t from = 4 + 4 * static_cast<std::uint64_t>(shard.offsets.size());
  const std::uint64_t to = shard.offsets.front();
  if (to <= from || to > shard.file.size || to - from > kMost)
    return Error{"its header is damaged: the description of the columns is missing"};
  std::string config(to - from, '\0');
  MILLRACE_ASSIGN_OR_RETURN(const auto got,
                            readAt(shard.file.fd.get(), from, config.data(), config.size()));
  return parseMdsConfig(std::string_view(config).substr(0, got));
}

Status splitMdsSample(const std::vector<MdsColumn>& columns, std::span<const std::byte> sample,
                      std::vector<std::span<const std::byte>>& values) {
  const auto variable = static_cast<std::size_t>(std::count_if(
      columns.begin(), columns.end(), [](const MdsColumn& column) { return column.size == 0; }));
  const Error cut{fmt::format("its {} bytes are fewer than its columns need; the shard is damaged",
                              grouped(sample.size()))};
  if (sample.size() < 4 * variable) return cut;
  const std::byte* size = sample.data();
  std::span<const std::byte> rest = sample.subspan(4 * variable);
  values.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::uint32_t bytes = columns[c].size;
    if (bytes == 0) {
      bytes = littleEndian<std::uint32_t>(size);
      size += 4;
    }
    if (bytes > rest.size()) return cut;
    values[c] = rest.first(bytes);
    rest = rest.subspan(bytes);
  }
  if (rest.empty()) return {};
  return Error{fmt::format("{} of its bytes belong to no column; the shard is damaged",
                           grouped(rest.size()))};
}

}  // namespace millrace
