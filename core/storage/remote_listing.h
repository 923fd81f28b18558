// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Calls `each` for every object below a remote folder, with its path relative to the folder, in
/// the order of the server, while the listing goes on. It stops where `each` returns false.
/// Objects whose keys end with a slash, which stand for folders, are left out. The error says what
/// to do and names the folder.
Status listRemote(const std::string& folder,
                  const std::function<bool(std::string_view path, std::uint64_t size)>& each);

/// What stands directly in a remote folder.
struct RemoteFolder {
  std::vector<std::string> files;
  std::vector<std::string> folders;
  bool all = true;  ///< no more than `most` were there
};
Result<RemoteFolder> remoteFolder(const std::string& folder, std::size_t most);

/// Whether there is an object below this path. False also if the service has no listings or
/// refuses.
bool isRemoteFolder(const std::string& path);
/// Whether there is an object of this path; asks for its size.
bool isRemoteFile(const std::string& path);

}  // namespace millrace
