// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Values as Python source code, for exporters. Text from users and files must reach exported code
// only through these functions: whatever the bytes are, they stay within their literal. The syntax
// is that of the Python 3 language reference, section 2.4 (literals).

/// A `str` expression for these bytes: a plain literal, or `os.fsdecode(b"...")` if they are not
/// UTF-8, which is how Python itself represents such file names. Invisible characters and those
/// that change the direction of text are escaped.
std::string pythonText(std::string_view bytes);
/// Whether the expression that pythonText() returns needs `import os`.
bool pythonTextNeedsOs(std::string_view bytes);

/// The shortest literal that reads back as the same value; always a `float`.
std::string pythonReal(double value);
std::string pythonBool(bool value);
/// `(0.485, 0.456)`, `(1.0,)`.
std::string pythonReals(std::span<const double> values);
/// `("image", "mask")`, `("image",)`.
std::string pythonTexts(std::span<const std::string> values);

/// `text` as one line of a comment: no line breaks, no control characters, valid UTF-8.
std::string commentText(std::string_view text);

/// Wraps an expression or a simple statement like the formatter Black if it does not fit into
/// `width` columns: one item per line within its longest pair of brackets. All lines but the first
/// are indented by `indent` spaces.
std::string wrappedPython(std::string_view code, std::size_t indent, std::size_t width = 79);

}  // namespace millrace
