// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/container_file.h"

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/io/unpacked_file.h"
#include "core/storage/remote_path.h"

namespace millrace {

std::string ContainerFile::name() const { return path.filename().native(); }

std::vector<std::shared_ptr<RemoteObject>> openRemoteTogether(const std::vector<ShardFile>& files) {
  std::vector<std::string> remote;
  for (const ShardFile& file : files)
    if (isRemotePath(file.path.native())) remote.push_back(file.path.native());
  return RemoteObject::openTogether(remote);
}

Result<std::vector<ContainerFile>> openContainers(const std::vector<ShardFile>& shards,
                                                  std::size_t headBytes,
                                                  bool (*isPlain)(const std::byte* head),
                                                  std::vector<std::string>& notes) {
  std::vector<ContainerFile> files;
  std::vector<std::byte> head(headBytes);
  const auto together = openRemoteTogether(shards);
  for (const ShardFile& shard : shards) {
    const std::filesystem::path& path = shard.path;
    const auto inFile = [&](const Error& error) {
      return Error{fmt::format("`{}`: {}", validUtf8(path.native()), error.message)};
    };
    auto opened = openForReading(path);
    if (!opened) return inFile(opened.error());
    ContainerFile file{path, opened.take(), shard.entry};
    if (file.file.size == 0)
      notes.push_back(fmt::format("`{}` is empty", visibleName(file.name())));
    const auto got = readAt(file.file.fd.get(), 0, head.data(), head.size());
    if (!got) return inFile(got.error());
    const bool plain = *got == head.size() && isPlain(head.data());
    const Packing packing = plain ? Packing::None : packingOf(std::span(head).first(*got));
    if (packing != Packing::None) {
      std::string damage;
      auto content = unpacked(file.file, packing, &damage);
      if (!content) return inFile(content.error());
      if (content->size == 0 && !damage.empty()) return inFile(Error{damage});
      file.file = content.take();
      if (!damage.empty())
        notes.push_back(fmt::format("`{}`: {}; the {} decompressed until then are read",
                                    validUtf8(file.name()), damage,
                                    humanBytes(static_cast<double>(file.file.size))));
      notes.push_back(fmt::format(
          "`{}` is compressed: its {} are decompressed into a temporary file at every start",
          validUtf8(file.name()), humanBytes(static_cast<double>(file.file.size))));
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::uint64_t bytesOf(const std::vector<ContainerFile>& files) {
  std::uint64_t bytes = 0;
  for (const ContainerFile& file : files) bytes += file.file.size;
  return bytes;
}

}  // namespace millrace
