// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/staging.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/format.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "millrace convert 2";
/// Whether a conversion may have written a file of this name.
bool isOurs(const fs::path& file) {
  const std::string name = file.filename().native();
  const std::string extension = file.extension().native();
  return formatOfFileName(name) != nullptr || extension == ".json" || extension == ".txt" ||
         extension == ".idx" || extension == ".lst" || extension == ".gif" ||
         (!extension.empty() && isPictureExtension(extension.substr(1)));
}

std::string shown(const fs::path& path) { return validUtf8(path.native()); }

/// Refuses to replace a folder that contains files other than converted data.
Status holdsDataAlone(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->is_directory(error) && !at->is_symlink(error)) continue;
    if (!isOurs(at->path()))
      return Error{
          fmt::format("`{}` contains `{}`, which is not converted data: the folder is not "
                      "replaced; remove it yourself or choose another target",
                      shown(folder), shown(at->path().lexically_relative(folder)))};
  }
  return error ? Status(cannotWrite(folder, error.value())) : Status();
}

Status mayReplace(const fs::path& target, IfThere ifThere) {
  std::error_code ignored;
  const bool folder = fs::is_directory(target, ignored);
  if (!fs::exists(fs::symlink_status(target, ignored))) return {};
  if (folder && fs::is_empty(target, ignored) && !ignored) return {};
  if (ifThere == IfThere::Refuse)
    return Error{fmt::format(
        "`{}` already exists; use the setting `force` to replace it, or choose another target",
        shown(target))};
  if (folder) return holdsDataAlone(target);
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    return Error{fmt::format("`{}` is a device or a pipe, not a file; choose another target",
                             shown(target))};
  return mayWrite(target, IfThere::Replace);
}

std::vector<std::uint64_t> numbersOf(std::string_view line) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : split(line, ' ')) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) numbers.push_back(number);
  }
  return numbers;
}

Status syncFolder(const fs::path& folder) {
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return cannotWrite(folder, errno);
  // Some network file systems do not support this, which is not an error.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return cannotWrite(folder, errno);
  return {};
}

}  // namespace

fs::path Staging::folderFor(const fs::path& target) {
  fs::path folder = target;
  return folder += ".part";
}

Result<Staging> Staging::open(const fs::path& target, std::uint64_t fingerprint, IfThere ifThere,
                              bool resume) {
  MILLRACE_TRY(mayReplace(target, ifThere));
  Staging staging;
  staging.m_target = target;
  staging.m_folder = folderFor(target);
  staging.m_fingerprint = fingerprint;
  staging.m_ifThere = ifThere;
  std::error_code error;
  const bool left = fs::exists(staging.m_folder, error);
  if (left && resume) {
    MILLRACE_TRY(staging.readJournal());
  } else if (left && ifThere == IfThere::Refuse) {
    return Error{
        fmt::format("an earlier conversion to this target was stopped and left `{}`: "
                    "the setting `resume` continues it, the setting `force` starts over",
                    shown(staging.m_folder))};
  } else if (left) {
    if (!fs::exists(staging.data(), error))
      return Error{fmt::format("`{}` is in the way and does not come from a conversion; remove it",
                               shown(staging.m_folder))};
    staging.discard();
  }
  if (const Status begun = staging.begin(); !begun) {
    if (!left || !resume) staging.discard();
    return begun.error();
  }
  return staging;
}

Status Staging::begin() {
  std::error_code error;
  fs::create_directories(data(), error);
  if (error) return cannotWrite(m_folder, error.value());
  MILLRACE_ASSIGN_OR_RETURN(auto digests,
                            GrowingFile::open(m_folder / "digests", 8 * m_digestsKept));
  m_digestFile = std::move(digests);
  return m_found.next == 0 ? keep({}) : Status();
}

Status Staging::readJournal() {
  std::ifstream file(m_folder / "journal");
  std::string line;
  const Error foreign{
      fmt::format("`{}` belongs to another conversion (different data or settings): "
                  "the setting `force` starts over",
                  shown(m_folder))};
  if (!std::getline(file, line)) return {};
  if (line != kHead) return foreign;
  if (!std::getline(file, line) || line != fmt::format("{:016x}", m_fingerprint)) return foreign;
  if (!std::getline(file, line)) return {};
  const std::vector<std::uint64_t> numbers = numbersOf(line);
  if (numbers.size() != 6 + kReductions) return foreign;
  ConvertMark mark;
  mark.next = static_cast<std::uint32_t>(numbers[0]);
  mark.writer = {numbers[1], static_cast<std::uint32_t>(numbers[2]), numbers[3]};
  mark.bytesRead = numbers[4];
  mark.failedCount = numbers[5];
  std::copy_n(numbers.begin() + 6, kReductions, mark.reduced.begin());
  while (std::getline(file, line)) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos)
      mark.failed.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  }
  MILLRACE_TRY(readDigests(mark.writer.samples));
  m_found = std::move(mark);
  return {};
}

Status Staging::readDigests(std::uint64_t count) {
  const auto file = openForReading(m_folder / "digests");
  if (!file) return Error{"digests: " + file.error().message};
  if (file->size / 8 < count)
    return Error{fmt::format("`{}` is damaged: the setting `force` starts over", shown(m_folder))};
  m_digests.resize(count);
  MILLRACE_TRY(readAt(file->fd.get(), 0, m_digests.data(), 8 * count));
  m_digestsKept = count;
  return {};
}

Status Staging::keep(const ConvertMark& mark) {
  const auto fresh = std::span(m_digests).subspan(m_digestsKept);
  MILLRACE_TRY(m_digestFile.append(std::as_bytes(fresh)));
  MILLRACE_TRY(m_digestFile.sync());
  m_digestsKept = m_digests.size();
  std::string text =
      fmt::format("{}\n{:016x}\n{} {} {} {} {} {} {}\n", kHead, m_fingerprint, mark.next,
                  mark.writer.samples, mark.writer.shard, mark.writer.place, mark.bytesRead,
                  mark.failedCount, fmt::join(mark.reduced, " "));
  for (const auto& [name, reason] : mark.failed)
    text += singleLine(name) + '\t' + singleLine(reason) + '\n';
  return writeWholeFile(m_folder / "journal", text, IfThere::Replace);
}

Status Staging::publishCompanions() {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(data(), error), end; !error && at != end; at.increment(error))
    if (at->path().filename() != m_target.filename()) files.push_back(at->path());
  if (error) return cannotWrite(data(), error.value());
  for (const fs::path& file : files) {
    const fs::path to = m_target.parent_path() / file.filename();
    MILLRACE_TRY(mayReplace(to, m_ifThere));
    m_companions.push_back(to);
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    if (::rename(files[i].c_str(), m_companions[i].c_str()) != 0)
      return cannotWrite(m_companions[i], errno);
  return {};
}

Status Staging::publish(bool oneFile) {
  const fs::path from = oneFile ? data() / m_target.filename() : data();
  MILLRACE_TRY(syncFolder(data()));
  if (oneFile) MILLRACE_TRY(publishCompanions());
  std::error_code error;
  const fs::path old = m_folder / "old";
  // Exchanges the two names in one step, so that one of the targets always exists.
  const bool there = fs::exists(fs::symlink_status(m_target, error));
  const unsigned how = there ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  int failed =
      ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, m_target.c_str(), how) == 0 ? 0 : errno;
  if (failed == EINVAL) {  // the file system does not support these flags
    if (there) fs::rename(m_target, old, error);
    failed = ::rename(from.c_str(), m_target.c_str()) == 0 ? 0 : errno;
  }
  if (failed != 0) return cannotWrite(m_target, failed);
  MILLRACE_TRY(syncFolder(m_target.has_parent_path() ? m_target.parent_path() : fs::path(".")));
  discard();
  return {};
}

void Staging::discard() {
  std::error_code ignored;
  fs::remove_all(m_folder, ignored);
}

}  // namespace millrace
