// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::cli {

// What the terminal can show. Main thread, except where stated.

enum class Colours { Auto, Always, Never };
/// `--color`. Auto: on a terminal, unless NO_COLOR is set (no-color.org) or TERM is `dumb`. Call it
/// before anything is printed.
void setColours(Colours wanted);

/// Whether text on standard output is coloured.
bool showsColours();

/// The width of the terminal that standard output goes to: COLUMNS, otherwise what the terminal
/// reports. nullopt: standard output is not a terminal.
std::optional<std::size_t> terminalColumns();
/// Standard output and error go to a terminal of this width on another machine; nullopt: to no
/// terminal.
void setTerminalColumns(std::optional<std::size_t> columns);

/// Whether standard error goes to a terminal, here or on another machine.
bool messagesGoToTerminal();

/// The text in bold where colours are shown; takes no columns. For verdicts.
std::string emphasised(std::string_view text);

/// `text` as it may be sent to `descriptor` (1 or 2): control characters and invalid bytes are
/// escaped (visibleText), emphasis and the heads of errors, warnings and notes get their colours.
/// A message that begins with kRewriteLine replaces the last line. Any thread.
std::string forDescriptor(int descriptor, std::string_view text);

/// Returns to the beginning of the line and clears it.
inline constexpr std::string_view kRewriteLine = "\r\x1b[K";

/// Marks the begin and the end of emphasis: noncharacters, which no text contains.
inline constexpr std::string_view kEmphasis = "\xEF\xB7\x90";
inline constexpr std::string_view kEmphasisEnd = "\xEF\xB7\x91";

}  // namespace millrace::cli
