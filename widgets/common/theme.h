// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include <QColor>
#include <QFont>
#include <QList>

#include "core/spec/node_spec.h"

namespace millrace {

/// The colours by purpose, with the names of resources/themes/tokens.json.
enum class Tone : std::uint8_t {
  Accent,
  AccentSoft,
  AccentText,
  Alt,
  Base,
  Border,
  Bottleneck,
  BottleneckSoft,
  Canvas,
  Control,
  Error,
  ErrorSoft,
  Faster,
  FasterSoft,
  Grid,
  Hint,
  Hover,
  Node,
  OnBottleneck,
  Panel,
  Slower,
  SlowerSoft,
  SynComment,
  SynKeyword,
  SynNumber,
  SynString,
  SynType,
  Text,
  Text2,
  Warning,
  WarningSoft,
  Water,
  WaterTrack,
  Window,
  WireDevice,
  WireHost,
  WirePinned,
};
inline constexpr int kToneCount = static_cast<int>(Tone::WirePinned) + 1;
QString nameOf(Tone tone);

enum class Appearance : std::uint8_t { System, Light, Dark };

/// One set of colours. Value; GUI thread.
class Theme {
 public:
  static const Theme& light();
  static const Theme& dark();

  bool isDark() const { return m_dark; }
  QColor operator[](Tone tone) const { return m_tones[static_cast<std::size_t>(tone)]; }
  QColor category(Category category) const;
  /// The colour of a chart's i-th line; the colours repeat after the last.
  QColor series(int i) const { return m_series[i % m_series.size()]; }

 private:
  static Theme read(const QString& name, bool dark);

  bool m_dark = false;
  std::array<QColor, kToneCount> m_tones;
  std::array<QColor, 9> m_categories;
  QList<QColor> m_series;
};

/// The current theme. Each paint reads it, so a change of theme only needs the repaint that the
/// palette's change causes.
const Theme& theme();

/// Sets the application's style, palette, style sheet and font size. `System` is dark if the
/// palette is that the platform gave at the start, or later (followSystemTheme). High contrast
/// follows the platform's palette in both themes.
void applyTheme(Appearance appearance);

/// Makes later changes of the platform's theme take effect. Call once, after applyTheme.
void followSystemTheme();

/// The application's font at one of the sizes of docs/look.md, in pixels at 96 dpi.
QFont uiFont(int pixels, bool bold = false);
/// The font of code, ids and shapes.
QFont codeFont(int pixels = 12);

}  // namespace millrace
