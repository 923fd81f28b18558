// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_index.h"

#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

using Json = nlohmann::json;

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<std::string> text(const Json& object, const char* name) {
  const Json* value = member(object, name);
  if (value == nullptr || !value->is_string())
    return Error{fmt::format("it has no string `{}`", name)};
  return value->get<std::string>();
}

Result<std::uint64_t> number(const Json& object, const char* name) {
  const Json* value = member(object, name);
  if (value == nullptr || !value->is_number_unsigned())
    return Error{fmt::format("it has no number `{}`", name)};
  return value->get<std::uint64_t>();
}

/// The file name in the list; it must not lead out of the folder.
Result<std::string> fileName(const Json& shard, const char* part) {
  const Json* data = member(shard, part);
  if (data == nullptr) return std::string();
  auto name = text(*data, "basename");
  if (!name) return Error{fmt::format("`{}`: {}", part, name.error().message)};
  const std::filesystem::path path(*name);
  bool inside = !name->empty() && !path.is_absolute() && path.has_filename() &&
                name->find('\0') == std::string::npos;
  for (const auto& step : path) inside = inside && step != "..";
  if (!inside)
    return Error{fmt::format("`{}` is not a file within the data set's folder", validUtf8(*name))};
  return name;
}

/// mosaicml-streaming writes an object, which is empty unless hashing was requested.
Result<std::vector<FileHash>> hashesOf(const Json& shard, const char* part) {
  std::vector<FileHash> hashes;
  const Json* data = member(shard, part);
  const Json* named = data == nullptr ? nullptr : member(*data, "hashes");
  if (named == nullptr) return hashes;
  if (!named->is_object()) return Error{fmt::format("`{}`: its `hashes` is not an object", part)};
  for (const auto& [kind, digits] : named->items()) {
    if (!digits.is_string())
      return Error{fmt::format("`{}`: its hash `{}` is not a string", part, validUtf8(kind))};
    hashes.push_back({kind, digits.get<std::string>()});
  }
  return hashes;
}

Result<std::vector<MdsColumn>> columnsOf(const Json& shard) {
  const Json* names = member(shard, "column_names");
  const Json* encodings = member(shard, "column_encodings");
  const Json* sizes = member(shard, "column_sizes");
  for (const Json* list : {names, encodings, sizes})
    if (list == nullptr || !list->is_array() || list->empty() || list->size() != names->size())
      return Error{"column_names, column_encodings and column_sizes are not lists of equal length"};
  constexpr std::size_t kMost = 10000;
  if (names->size() > kMost) return Error{fmt::format("more than {} columns", kMost)};
  std::vector<MdsColumn> columns;
  for (std::size_t i = 0; i < names->size(); ++i) {
    const Json& size = (*sizes)[i];
    if (!(*names)[i].is_string() || !(*encodings)[i].is_string() ||
        (!size.is_null() && !size.is_number_unsigned()))
      return Error{fmt::format("column {} is not described", i)};
    MILLRACE_ASSIGN_OR_RETURN(auto column,
                              parseMdsColumn((*names)[i], (*encodings)[i],
                                             size.is_null() ? 0 : size.get<std::uint64_t>()));
    columns.push_back(std::move(column));
  }
  return columns;
}

Status checkFormat(const Json& shard) {
  const auto format = text(shard, "format");
  if (!format) return format.error();
  if (*format != "mds")
    return Error{fmt::format("its format is `{}`; only mds is supported", validUtf8(*format))};
  MILLRACE_ASSIGN_OR_RETURN(const auto version, number(shard, "version"));
  if (version != 2) return Error{fmt::format("its version is {}; only 2 is supported", version)};
  return {};
}

Result<MdsShardEntry> entryOf(const Json& shard) {
  MILLRACE_TRY(checkFormat(shard));
  MdsShardEntry entry;
  MILLRACE_ASSIGN_OR_RETURN(auto raw, fileName(shard, "raw_data"));
  MILLRACE_ASSIGN_OR_RETURN(auto packed, fileName(shard, "zip_data"));
  if (raw.empty()) return Error{"it has no `raw_data`"};
  entry.raw = std::move(raw);
  entry.packed = std::move(packed);
  if (!entry.packed.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(auto how, text(shard, "compression"));
    entry.compression = how.substr(0, how.find(':'));
  }
  MILLRACE_ASSIGN_OR_RETURN(auto rawHashes, hashesOf(shard, "raw_data"));
  MILLRACE_ASSIGN_OR_RETURN(auto packedHashes, hashesOf(shard, "zip_data"));
  entry.rawHashes = std::move(rawHashes);
  entry.packedHashes = std::move(packedHashes);
  const auto bytes = number(*member(shard, "raw_data"), "bytes");
  if (!bytes) return Error{"`raw_data`: " + bytes.error().message};
  MILLRACE_ASSIGN_OR_RETURN(const auto samples, number(shard, "samples"));
  // Offsets within a shard have 32 bits.
  if (*bytes > std::numeric_limits<std::uint32_t>::max() || samples > *bytes / 4)
    return Error{
        fmt::format("{} samples in {} bytes are impossible", grouped(samples), grouped(*bytes))};
  entry.bytes = *bytes;
  entry.samples = static_cast<std::uint32_t>(samples);
  return entry;
}

bool alike(const std::vector<MdsColumn>& a, const std::vector<MdsColumn>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i)
    same = a[i].name == b[i].name && a[i].encoding == b[i].encoding;
  return same;
}

}  // namespace

Result<MdsIndex> parseMdsIndex(std::string_view bytes) {
  const Json json = parsedJson(bytes);
  if (json.is_discarded()) return Error{"it is not JSON, or truncated"};
  const Json* shards = member(json, "shards");
  if (shards == nullptr || !shards->is_array())
    return Error{"it is not an index of shards: it has no list `shards`"};
  MdsIndex index;
  for (const Json& shard : *shards) {
    const auto inShard = [&](const std::string& message) {
      return Error{fmt::format("shard {}: {}", index.shards.size(), message)};
    };
    auto entry = entryOf(shard);
    if (!entry) return inShard(entry.error().message);
    auto columns = columnsOf(shard);
    if (!columns) return inShard(columns.error().message);
    if (index.shards.empty())
      index.columns = columns.take();
    else if (!alike(index.columns, *columns))
      return inShard(fmt::format("its columns are {}, but those of the first are {}",
                                 textOf(*columns), textOf(index.columns)));
    index.shards.push_back(entry.take());
  }
  if (index.shards.empty()) return Error{"it lists no shard"};
  return index;
}

bool listsMdsShards(std::string_view bytes) {
  const Json json = parsedJson(bytes);
  const Json* shards = member(json, "shards");
  return shards != nullptr && shards->is_array() && !shards->empty();
}

Result<std::vector<MdsColumn>> parseMdsConfig(std::string_view bytes) {
  const Json json = parsedJson(bytes);
  if (json.is_discarded()) return Error{"the description of its columns is not JSON"};
  MILLRACE_TRY(checkFormat(json));
  return columnsOf(json);
}

std::string textOf(const std::vector<MdsColumn>& columns) {
  std::vector<std::string> texts;
  for (const MdsColumn& column : columns)
    texts.push_back(validUtf8(column.name) + " " + validUtf8(column.encoding));
  return join(texts, ", ");
}

}  // namespace millrace
