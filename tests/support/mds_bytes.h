// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/support/record_bytes.h"

namespace millrace::tests {

/// A column of an MDS shard; `size` 0: each value has its own.
struct MdsColumnText {
  std::string name;
  std::string encoding;
  int size = 0;
};

/// The columns as written in index and shard header, without braces around them.
inline std::string mdsColumnsText(const std::vector<MdsColumnText>& columns) {
  std::string names;
  std::string encodings;
  std::string sizes;
  for (const MdsColumnText& column : columns) {
    const std::string comma = names.empty() ? "" : ",";
    names += comma + "\"" + column.name + "\"";
    encodings += comma + "\"" + column.encoding + "\"";
    sizes += comma + (column.size == 0 ? "null" : std::to_string(column.size));
  }
  return "\"column_names\":[" + names + "],\"column_encodings\":[" + encodings +
         "],\"column_sizes\":[" + sizes + "],\"format\":\"mds\",\"version\":2";
}

/// A shard of samples, each with its values in column order.
inline std::string mdsShard(const std::vector<MdsColumnText>& columns,
                            const std::vector<std::vector<std::string>>& samples) {
  const std::string config = "{" + mdsColumnsText(columns) + "}";
  std::size_t at = 4 + 4 * (samples.size() + 1) + config.size();
  std::string head = littleEndian(samples.size(), 4);
  std::string data;
  for (const auto& values : samples) {
    head += littleEndian(at + data.size(), 4);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].size == 0) data += littleEndian(values[c].size(), 4);
    for (const std::string& value : values) data += value;
  }
  return head + littleEndian(at + data.size(), 4) + config + data;
}

/// An index entry for `shard.N.mds`; `packed`: the compression, with the file's suffix.
inline std::string mdsEntry(const std::vector<MdsColumnText>& columns, const std::string& file,
                            std::size_t bytes, std::size_t samples,
                            const std::string& packed = "") {
  std::string entry = "{" + mdsColumnsText(columns) + ",\"raw_data\":{\"basename\":\"" + file +
                      "\",\"bytes\":" + std::to_string(bytes) +
                      "},\"samples\":" + std::to_string(samples);
  if (!packed.empty())
    entry += ",\"compression\":\"" + packed + "\",\"zip_data\":{\"basename\":\"" + file + "." +
             packed.substr(0, packed.find(':')) + "\",\"bytes\":1}";
  return entry + "}";
}

/// The entry with `hashes`, as `"xxh64":"0123"`, in its `part`: raw_data or zip_data.
inline std::string withHashes(std::string entry, const std::string& part,
                              const std::string& hashes) {
  const std::size_t end = entry.find('}', entry.find("\"" + part + "\""));
  return entry.insert(end, ",\"hashes\":{" + hashes + "}");
}

inline std::string mdsIndex(const std::string& entries) {
  return "{\"shards\":[" + entries + "],\"version\":2}";
}

}  // namespace millrace::tests
