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

/// The colours by their use, as resources/themes/tokens.json names them.
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
  /// The i-th line of a chart; after the last it begins again.
  QColor series(int i) const { return m_series[i % m_series.size()]; }

 private:
  static Theme read(const QString& name, bool dark);

  bool m_dark = false;
  std::array<QColor, kToneCount> m_tones;
  std::array<QColor, 9> m_categories;
  QList<QColor> m_series;
};

/// The theme in use. Painting asks at each paint, so a change needs no more than the repaint that
/// the palette's change brings.
const Theme& theme();

/// Sets style, palette, style sheet and font size of the application. `System` is as dark as the
/// palette that the platform gave at the start, or gave since (followSystemTheme). Who needs
/// contrast needs it in both themes, so that it follows the platform's palette in any case.
void applyTheme(Appearance appearance);

/// From here on the theme is applied again whenever the platform tells of another one of its own.
/// Once, behind applyTheme.
void followSystemTheme();

/// The application's font at one of LOOK's sizes, in pixels at 96 dpi.
QFont uiFont(int pixels, bool bold = false);
/// The font of code, ids and shapes.
QFont codeFont(int pixels = 12);

}  // namespace millrace
