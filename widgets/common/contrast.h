// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <QColor>
#include <QPalette>

namespace millrace {

/// Contrast ratio of two colours, 1 to 21: WCAG 2.1, "contrast ratio" and "relative luminance".
inline double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& colour) {
    const auto linear = [](double c) {
      return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
  };
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Whether the palette's windows are dark.
inline bool isDark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < 128;
}

/// Whether the user chose the highest contrast: black and white, either way round. The palettes of
/// common desktops stay below this; Fusion's own is at 18.
inline bool isHighContrast(const QPalette& palette) {
  constexpr double kAsFarAsThereIs = 20;
  return contrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window)) >=
         kAsFarAsThereIs;
}

/// White or near black, whichever is more readable on `ground`; nullopt if both stay below 4.5.
inline std::optional<QColor> readableOn(const QColor& ground) {
  const QColor dark(0x16, 0x21, 0x2A);
  const QColor white(Qt::white);
  const QColor best = contrast(dark, ground) >= contrast(white, ground) ? dark : white;
  if (contrast(best, ground) < 4.5) return std::nullopt;
  return best;
}

}  // namespace millrace
