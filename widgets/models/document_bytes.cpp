// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/document_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/base/whole_file.h"
#include "core/graph/json/graph_json.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// A file is replaced by a rename, which the file's own permissions would not prevent.
bool isReadOnly(const std::filesystem::path& file) {
  if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0) return false;
  return errno == EACCES || errno == EROFS;
}

}  // namespace

Result<std::string> documentBytes(const QString& file) {
  std::error_code unknown;
  // Reading a pipe would block until its writer closes it.
  if (std::filesystem::is_other(pathOf(file), unknown))
    return Error{fromQt(file) + " is a device or a pipe; open a pipeline file (*.millrace.json)"};
  Result<std::string> bytes = graphBytes(pathOf(file));
  if (!bytes) return Error{bytes.error().message + "; choose a pipeline file (*.millrace.json)"};
  return bytes;
}

Status writeDocumentBytes(const QString& file, std::string_view bytes) {
  if (isReadOnly(pathOf(file)))
    return Error{fromQt(file) +
                 " is read-only for this user; save under another name, or change its permissions"};
  return writeWholeFile(pathOf(file), bytes, IfThere::Replace);
}

}  // namespace millrace
