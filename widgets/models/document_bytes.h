// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <QString>

#include "core/base/result.h"

namespace millrace {

/// Reads a document's file. Never call this or writeDocumentBytes on the GUI thread: both wait for
/// the file system, which for a network folder may be forever. Errors name the file and a remedy.
Result<std::string> documentBytes(const QString& file);

/// Writes a document's file, whole or not at all: on failure the old file is unchanged. A file that
/// is read-only for this user is not replaced.
Status writeDocumentBytes(const QString& file, std::string_view bytes);

}  // namespace millrace
