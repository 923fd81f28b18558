// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// Numbers for remote objects and folders that stand where file descriptors do, so that readers of
/// containers serve both. A local descriptor costs one comparison more. Any thread.
inline constexpr int kFirstRemote = 1 << 30U;
inline bool isRemote(int descriptor) { return descriptor >= kFirstRemote; }

struct RemoteFile {
  int descriptor = -1;
  std::uint64_t size = 0;
};
/// Opens an object (RemoteObject). The error does not contain the path.
Result<RemoteFile> openRemoteFile(const std::string& path);
/// A folder, for remotePathIn(). Nothing is asked of the server.
int openRemoteFolder(const std::string& path);
/// The path of a name in an open folder.
std::string remotePathIn(int folder, const std::string& name);
void closeRemote(int descriptor);

/// RemoteObject::read().
Status readRemote(int descriptor, std::uint64_t offset,
                  std::span<const std::span<std::byte>> parts);
/// The size of an open object.
std::uint64_t remoteSize(int descriptor);

}  // namespace millrace
