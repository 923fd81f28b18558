// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace millrace {

/// Identifies a version of a file without reading it: size in bytes, and the times of the last
/// change of its content and of its inode in nanoseconds, "183201@1763810000123456789/17638...".
/// The inode's time cannot be set, so unpacking an archive, `cp -p` or `touch` cannot make another
/// file look the same; `chmod` and a new hard link make the same file look different. nullopt if
/// there is no regular file. Links are followed. Of a remote object it is the ETag with the size,
/// for which the server is asked.
std::optional<std::string> fileStamp(const std::string& path);

}  // namespace millrace
