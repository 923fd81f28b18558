// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <QString>

#include "core/base/result.h"

namespace millrace {

/// What a document's file holds. Any thread but the GUI's: both wait as long as the file system
/// does, which for a network folder may be for ever. The errors name the file and a remedy.
Result<std::string> documentBytes(const QString& file);

/// Writes them whole or not at all: on failure the old file is as it was. A file that is read-only
/// for this user is not replaced.
Status writeDocumentBytes(const QString& file, std::string_view bytes);

}  // namespace millrace
