// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

// Questions about a path that is on a disk or at a server (core/storage). A server is asked each
// time, so ask about few. Any thread.

/// Whether it is a folder; at a server: whether there is an object below it. False for web servers,
/// which list no folders.
bool isFolderAt(const std::filesystem::path& path);
/// Whether it is a regular file, or an object.
bool isFileAt(const std::filesystem::path& path);

/// A folder for FileReader. The error is folderError(). At a server nothing is asked.
Result<UniqueFd> openFolder(const std::filesystem::path& path);

/// A name in a folder, which keeps a remote folder's query at the end.
std::filesystem::path pathIn(const std::filesystem::path& folder, const std::string& name);
/// The folder that a file is in, which keeps a remote file's query at the end.
std::filesystem::path folderOf(const std::filesystem::path& file);
/// The absolute path of what a user typed, from the working folder; a remote path stays unchanged.
std::filesystem::path typedPath(const std::string& text);

/// Fails for a remote path: `what` ("HDF5 files") can be read only from a disk.
Status needsDisk(const std::filesystem::path& path, const std::string& what);

}  // namespace millrace
