// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/visible_text.h"

namespace millrace::cli {

namespace {

std::atomic<Colours> wantedColours = Colours::Auto;

/// Of the terminal on another machine; 0: there is none.
std::optional<std::size_t> columnsThere;

bool showsColours(int descriptor) {
  const Colours wanted = wantedColours;
  if (wanted != Colours::Auto) return wanted == Colours::Always;
  const char* off = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  if (off != nullptr && *off != '\0') return false;
  return isatty(descriptor) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

void replaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// Colours the words that begin a line: "error:".
std::string withColouredHeads(const std::string& text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kHeads = {
      {{"error:", "\x1b[1;31m"}, {"warning:", "\x1b[1;33m"}, {"note:", "\x1b[1;36m"}}};
  std::string coloured;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(from, end - from);
    const auto head = std::ranges::find_if(
        kHeads, [&](const auto& known) { return line.starts_with(known.first); });
    if (head == kHeads.end())
      coloured += line;
    else
      coloured +=
          fmt::format("{}{}\x1b[0m{}", head->second, head->first, line.substr(head->first.size()));
    from = end;
  }
  return coloured;
}

}  // namespace

void setColours(Colours wanted) { wantedColours = wanted; }

bool showsColours() { return showsColours(STDOUT_FILENO); }

void setTerminalColumns(std::optional<std::size_t> columns) { columnsThere = columns.value_or(0); }

std::optional<std::size_t> terminalColumns() {
  constexpr std::size_t kNarrowest = 60;
  if (columnsThere > 0) return std::max(*columnsThere, kNarrowest);
  if (isatty(STDOUT_FILENO) == 0) return std::nullopt;
  if (const char* set = std::getenv("COLUMNS")) {
    const std::string_view text = set;
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error == std::errc{} && end == text.data() + text.size() && columns > 0)
      return std::max(columns, kNarrowest);
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::size_t{80};
  return std::max<std::size_t>(size.ws_col, kNarrowest);
}

bool messagesGoToTerminal() { return columnsThere > 0 || isatty(STDERR_FILENO) != 0; }

std::string emphasised(std::string_view text) {
  return std::string(kEmphasis) + std::string(text) + std::string(kEmphasisEnd);
}

std::string forDescriptor(int descriptor, std::string_view text) {
  const bool rewrites = text.starts_with(kRewriteLine);
  if (rewrites) text.remove_prefix(kRewriteLine.size());
  std::string shown = visibleText(text);
  const bool colours = showsColours(descriptor);
  if (colours) shown = withColouredHeads(shown);
  replaceAll(shown, kEmphasis, colours ? "\x1b[1m" : "");
  replaceAll(shown, kEmphasisEnd, colours ? "\x1b[0m" : "");
  return (rewrites ? std::string(kRewriteLine) : std::string()) + shown;
}

}  // namespace millrace::cli
