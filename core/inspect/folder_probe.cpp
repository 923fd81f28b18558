// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/folder_probe.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "core/codecs/codec.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/folder/junk_names.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/open_file.h"
#include "core/storage/remote_listing.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

/// Headers with colour profiles and embedded previews can be this large.
constexpr std::size_t kHeadBytes = std::size_t{1} << 18U;
/// The most that is read of a file whose directory comes after the pixels.
constexpr std::size_t kWholeBytes = std::size_t{1} << 26U;

bool isTiff(const std::vector<char>& head) {
  const std::string_view begin(head.data(), std::min<std::size_t>(head.size(), 2));
  return begin == "II" || begin == "MM";
}

struct Close {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// DT_REG, DT_DIR or another type; symbolic links are followed.
unsigned char typeOf(DIR* folder, const dirent& entry) {
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return entry.d_type;
  struct stat status{};
  if (::fstatat(::dirfd(folder), entry.d_name, &status, 0) != 0) return DT_UNKNOWN;
  if (S_ISDIR(status.st_mode)) return DT_DIR;
  return S_ISREG(status.st_mode) ? DT_REG : DT_UNKNOWN;
}

/// Whether a link leads to the folder that contains it, or to one above: a source does not follow
/// it.
bool leadsUp(const std::filesystem::path& folder, const dirent& entry) {
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return false;
  std::error_code error;
  const auto here = std::filesystem::canonical(folder, error);
  if (error) return false;
  const auto there = std::filesystem::canonical(folder / entry.d_name, error);
  return !error && std::ranges::mismatch(there, here).in1 == there.end();
}

Result<FolderProbe> probeAtServer(const std::filesystem::path& folder, std::size_t most) {
  MILLRACE_ASSIGN_OR_RETURN(auto found, remoteFolder(folder.native(), most));
  FolderProbe seen;
  seen.all = found.all;
  seen.files = std::move(found.files);
  seen.folders = std::move(found.folders);
  std::erase_if(seen.files, [](const std::string& name) { return isJunkFile(name); });
  std::erase_if(seen.folders, [](const std::string& name) { return isJunkFolder(name); });
  std::sort(seen.files.begin(), seen.files.end());
  std::sort(seen.folders.begin(), seen.folders.end());
  return seen;
}

}  // namespace

Result<FolderProbe> probeFolder(const std::filesystem::path& folder, std::size_t most) {
  if (isRemotePath(folder.native())) return probeAtServer(folder, most);
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  if (!open) return folderError(folder, errno);
  FolderProbe seen;
  errno = 0;
  while (const dirent* entry = ::readdir(open.get())) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    if (seen.files.size() + seen.folders.size() == most) {
      seen.all = false;
      break;
    }
    const unsigned char type = typeOf(open.get(), *entry);
    if (type == DT_REG && !isJunkFile(entry->d_name)) seen.files.emplace_back(entry->d_name);
    if (type == DT_DIR && !isJunkFolder(entry->d_name) && !leadsUp(folder, *entry))
      seen.folders.emplace_back(entry->d_name);
    errno = 0;
  }
  if (errno != 0) return folderError(folder, errno);
  std::sort(seen.files.begin(), seen.files.end());
  std::sort(seen.folders.begin(), seen.folders.end());
  return seen;
}

namespace {

/// Deeper folders do not occur in data sets, except in loops of links.
constexpr int kDeepest = 8;

/// Whether the names have no endings and the first file is a picture.
bool hasPicturesWithoutEnding(const std::filesystem::path& folder, const FolderProbe& seen) {
  const auto first = std::ranges::find_if_not(seen.files, isJunkAmongPictures);
  return first != seen.files.end() && first->find('.') == std::string::npos &&
         std::ranges::none_of(seen.files, isPictureName) && pictureHead(folder / *first);
}

void listBelow(const std::filesystem::path& root, const std::string& below, std::size_t most,
               int depth, PictureList& found) {
  const auto seen = probeFolder(root / below, most);
  if (!seen || depth == kDeepest) return;
  found.all = found.all && seen->all;
  const bool plain = hasPicturesWithoutEnding(root / below, *seen);
  for (const std::string& name : seen->files) {
    if (isJunkAmongPictures(name)) continue;
    found.names.push_back(below + name);
    if (!isPictureName(name) && !(plain && name.find('.') == std::string::npos)) continue;
    if (found.pictures++ == 0) found.firstPicture = found.names.back();
  }
  for (const std::string& name : seen->folders) {
    if (found.names.size() >= most) {
      found.all = false;
      return;
    }
    listBelow(root, below + name + "/", most, depth + 1, found);
  }
}

}  // namespace

PictureList listPictures(const std::filesystem::path& folder, std::size_t most) {
  PictureList found;
  listBelow(folder, {}, most, 0, found);
  return found;
}

std::size_t picturesIn(const FolderProbe& seen) {
  if (std::ranges::none_of(seen.files, isPictureName)) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      seen.files, [](const std::string& name) { return !isJunkAmongPictures(name); }));
}

bool isPictureName(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && isPictureExtension(name.substr(dot + 1));
}

std::string_view stemOf(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::optional<ImageInfo> pictureHead(const std::filesystem::path& file) {
  const auto opened = openForReading(file);
  if (!opened) return std::nullopt;
  std::vector<char> head;
  ImageDecoder decoder;
  // The second time is for TIFF, whose directory may stand anywhere.
  for (const std::size_t bytes : {kHeadBytes, kWholeBytes}) {
    const std::size_t before = head.size();
    head.resize(bytes);
    const auto got = readAt(opened->fd.get(), before, head.data() + before, bytes - before);
    head.resize(before + (got ? *got : 0));
    const auto info = decoder.open(std::as_bytes(std::span(head)));
    if (info) return *info;
    if (head.size() < bytes || !isTiff(head)) break;
  }
  return std::nullopt;
}

std::optional<Size> pictureSize(const std::filesystem::path& file) {
  const auto head = pictureHead(file);
  return head ? std::optional(head->size) : std::nullopt;
}

int storedChannelsOf(const ImageInfo& head) {
  // Of JPEG XL, no form of decoding has more channels than the colours and alpha.
  const bool hasMore = head.reduced.has(Reduction::Channels) && head.format != "JPEG XL";
  return !head.onlyStored.empty() || hasMore ? head.storedChannels : 0;
}

}  // namespace millrace
