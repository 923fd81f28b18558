// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace millrace {

/// Tells a file from what stood there before without reading it: its size in bytes, when its
/// content changed and when its inode did, in nanoseconds: "183201@1763810000123456789/17638...".
/// The last cannot be set, so neither unpacking an archive nor `cp -p` nor `touch` makes another
/// file look the same; `chmod` and a new hard link make the same file look another. Nothing where
/// there is no regular file. Links are followed.
std::optional<std::string> fileStamp(const std::string& path);

}  // namespace millrace
