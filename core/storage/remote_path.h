// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

/// A path that names data at a server: `s3://bucket/key`, `https://host/file`. Everything after
/// the scheme is kept as the user wrote it. Value type.
struct RemotePath {
  std::string scheme;  ///< in lower case
  std::string host;    ///< what follows `://` up to the next slash: host and port, or the bucket
  std::string path;    ///< after that slash, without the query
  std::string query;   ///< with its question mark, only of http and https; may hold a signature
};

/// Whether a path is for a server: a scheme and `://`. Cheap for local paths. Any thread, as are
/// the functions below.
bool isRemotePath(std::string_view path);

/// The parts of a remote path. The error says which schemes there are, or what is missing; a path
/// with a password in it is refused.
Result<RemotePath> parseRemotePath(std::string_view path);

/// For messages: without a query, which may hold a signature, and without a user or a password.
std::string shownRemotePath(std::string_view path);

/// A name below a remote folder. A full URL and the empty name stand for themselves; a query of the
/// folder stays at the end. `name` is the object's real name: for http and https it is encoded.
std::string joinRemotePath(std::string_view folder, std::string_view name);

/// The folder of a remote file; a query stays at the end.
std::string remoteFolderOf(std::string_view file);

/// Percent-encodes every byte but letters, digits, `-._~`, and those in `kept`.
std::string percentEncoded(std::string_view text, std::string_view kept = "/");
/// Decodes `%41`; other text stays unchanged.
std::string percentDecoded(std::string_view text);

}  // namespace millrace
