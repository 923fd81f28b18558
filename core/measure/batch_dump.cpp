// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/batch_dump.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"
#include "core/base/whole_file.h"
#include "core/measure/npy.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Whether `name` is `head`, digits and the rest that `fits`.
template <class Fits>
bool isNumbered(std::string_view name, std::string_view head, const Fits& fits) {
  if (!name.starts_with(head)) return false;
  name.remove_prefix(head.size());
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits > 0 && fits(name.substr(digits));
}

bool isDumped(const fs::directory_entry& entry) {
  std::error_code none;
  return entry.is_regular_file(none) &&
         isNumbered(entry.path().filename().native(), "batch_", [](std::string_view rest) {
           return rest == ".json" || (rest.starts_with('.') && rest.ends_with(".npy"));
         });
}

bool isOfRank(const fs::directory_entry& entry) {
  std::error_code none;
  return entry.is_directory(none) && isNumbered(entry.path().filename().native(), "rank_",
                                                [](std::string_view rest) { return rest.empty(); });
}

std::error_code removeDumped(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (isDumped(*at)) files.push_back(at->path());
  for (const fs::path& file : files)
    if (!error) fs::remove(file, error);
  return error;
}

}  // namespace

Status BatchDump::removeEarlier(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  std::vector<fs::path> ranks;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (isOfRank(*at)) ranks.push_back(at->path());
  if (!error) error = removeDumped(folder);
  for (const fs::path& rank : ranks) {
    std::error_code notEmpty;
    if (!error) error = removeDumped(rank);
    if (!error) fs::remove(rank, notEmpty);
  }
  if (!error) return {};
  return Error{fmt::format("the setting `dump` {}: cannot remove an earlier dump: {}",
                           folder.string(), error.message())};
}

Result<BatchDump> BatchDump::open(const std::filesystem::path& folder, std::uint64_t batches,
                                  const Source& source) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Error{fmt::format("the setting `dump` {}: cannot create the folder: {}", folder.string(),
                             error.message())};
  MILLRACE_TRY(removeEarlier(folder));
  return BatchDump(folder, batches, source);
}

Status BatchDump::writeNames(const Batch& batch, const std::string& stem) const {
  nlohmann::json names = nlohmann::json::array();
  for (std::size_t r = 0; r < batch.rows; ++r)
    names.push_back(validUtf8(m_source->name(batch.keys[r].index)));
  const nlohmann::json json = {
      {"epoch", batch.epoch}, {"batch", batch.indexInEpoch}, {"samples", names}};
  const std::filesystem::path file = m_folder / (stem + ".json");
  return replaceFile(file, [&](const std::filesystem::path& part) -> Status {
    std::ofstream out(part, std::ios::trunc);
    out << json.dump(2) << '\n';
    out.flush();
    if (out) return {};
    return Error{fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno))};
  });
}

Status BatchDump::write(const Batch& batch) {
  if (full()) return {};
  const std::string stem = fmt::format("batch_{:05}", m_written++);
  if (batch.place == Place::Device && !m_copy) {
    MILLRACE_ASSIGN_OR_RETURN(auto device, openDevice());
    m_copy = std::make_unique<HostCopy>(std::move(device));
  }
  const Batch* content = &batch;
  if (m_copy) {
    MILLRACE_ASSIGN_OR_RETURN(content, m_copy->of(batch));
  }
  MILLRACE_TRY(writeFields(*content, stem));
  return writeNames(*content, stem);
}

Status BatchDump::writeFields(const Batch& batch, const std::string& stem) const {
  for (const BatchField& field : batch.fields) {
    const std::string name = stem + "." + field.spec.name;
    if (!field.ragged) {
      const std::span<const std::byte> content{field.memory.data(), field.rowBytes * batch.rows};
      MILLRACE_TRY(writeNpy(m_folder / (name + ".npy"), field.spec.dtype, field.shapeOf(batch.rows),
                            content));
      continue;
    }
    for (std::size_t r = 0; r < batch.rows; ++r) {
      const TensorView& row = field.rows[r];
      MILLRACE_TRY(writeNpy(m_folder / fmt::format("{}.{:05}.npy", name, r), row.dtype, row.shape,
                            row.content()));
    }
  }
  return {};
}

}  // namespace millrace
