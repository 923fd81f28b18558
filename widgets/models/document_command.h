// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

namespace millrace {

class Document;

/// The command line that does with a document what the window does. `commandOf` makes it from the
/// word that names the pipeline: the document's file, or the example that it still is. Any other
/// document has no name on the command line, so the command contains it and reads it from standard
/// input.
QString commandFor(const Document& document, const std::function<QString(QString)>& commandOf);

/// Says that this command was copied, and whether it differs from what the window shows.
QString copiedSentence(const Document& document);

}  // namespace millrace
