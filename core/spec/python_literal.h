// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Values as Python source, for exporters. Nothing that a person or a file gave reaches exported
// code but through these: whatever the bytes are, they stay within their literal. The syntax is
// that of the Python 3 language reference, section 2.4 (literals).

/// A `str` of these bytes: a plain literal, or where they are not UTF-8 `os.fsdecode(b"...")`,
/// which is how Python itself names such a file. Characters that do not show, or that change the
/// direction of text, are written as escapes.
std::string pythonText(std::string_view bytes);
/// Whether pythonText writes a call that needs `import os`.
bool pythonTextNeedsOs(std::string_view bytes);

/// The fewest digits that read back the same, always a `float`.
std::string pythonReal(double value);
std::string pythonBool(bool value);
/// `(0.485, 0.456)`, `(1.0,)`.
std::string pythonReals(std::span<const double> values);
/// `("image", "mask")`, `("image",)`.
std::string pythonTexts(std::span<const std::string> values);

/// `text` on one line of a comment: no line break of any kind, no control character, valid UTF-8.
std::string commentText(std::string_view text);

/// An expression or a simple statement on one line, broken as the formatter Black does where it
/// does not fit `width`: one item a line within its longest pair of brackets. Lines but the first
/// begin with `indent` spaces.
std::string wrappedPython(std::string_view code, std::size_t indent, std::size_t width = 79);

}  // namespace millrace
