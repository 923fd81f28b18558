// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>
#include <QRegularExpression>
#include <QTimer>

#include "core/base/check.h"
#include "widgets/common/contrast.h"
#include "widgets/common/house_style.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr std::array<const char*, kToneCount> kToneNames = {
    "accent",       "accentSoft",     "accentText", "alt",        "base",       "border",
    "bottleneck",   "bottleneckSoft", "canvas",     "control",    "error",      "errorSoft",
    "faster",       "fasterSoft",     "grid",       "hint",       "hover",      "node",
    "onBottleneck", "panel",          "slower",     "slowerSoft", "synComment", "synKeyword",
    "synNumber",    "synString",      "synType",    "text",       "text2",      "warning",
    "warningSoft",  "water",          "waterTrack", "window",     "wireDevice", "wireHost",
    "wirePinned"};

constexpr int kTextPixels = 13;

const Theme* current = nullptr;
Appearance appearanceInUse = Appearance::System;

QByteArray resource(const QString& name) {
  QFile file(":/millrace/themes/" + name);
  MILLRACE_CHECK(file.open(QIODevice::ReadOnly), "the themes are built into the program");
  return file.readAll();
}

QPalette paletteOf(const Theme& t) {
  QPalette palette;
  const auto both = [&](QPalette::ColorRole role, QColor colour) {
    palette.setColor(role, colour);
  };
  both(QPalette::Window, t[Tone::Window]);
  both(QPalette::WindowText, t[Tone::Text]);
  both(QPalette::Base, t[Tone::Base]);
  both(QPalette::AlternateBase, t[Tone::Alt]);
  both(QPalette::Text, t[Tone::Text]);
  both(QPalette::Button, t[Tone::Panel]);
  both(QPalette::ButtonText, t[Tone::Text]);
  both(QPalette::BrightText, t[Tone::Error]);
  both(QPalette::ToolTipBase, t[Tone::Base]);
  both(QPalette::ToolTipText, t[Tone::Text]);
  both(QPalette::PlaceholderText, t[Tone::Hint]);
  both(QPalette::Highlight, t[Tone::Accent]);
  both(QPalette::HighlightedText, t[Tone::AccentText]);
  both(QPalette::Link, t[Tone::Accent]);
  both(QPalette::LinkVisited, t[Tone::Accent]);
  both(QPalette::Light, t[Tone::Panel]);
  both(QPalette::Midlight, t[Tone::Hover]);
  both(QPalette::Mid, t[Tone::Border]);
  both(QPalette::Dark, t[Tone::Control]);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, t[Tone::Hint]);
  palette.setColor(QPalette::Disabled, QPalette::Highlight, t[Tone::Hover]);
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, t[Tone::Text2]);
  return palette;
}

/// The style sheet with its `@token`s replaced by colours, and `@theme` by the theme's name.
QString styleSheetOf(const Theme& t) {
  QString sheet = QString::fromUtf8(resource("style.qss"));
  static const QRegularExpression token("@([A-Za-z0-9]+)");
  qsizetype from = 0;
  for (auto match = token.match(sheet, from); match.hasMatch(); match = token.match(sheet, from)) {
    const QString name = match.captured(1);
    QString value;
    for (int i = 0; i < kToneCount; ++i)
      if (name == kToneNames[static_cast<std::size_t>(i)]) value = t[static_cast<Tone>(i)].name();
    if (name == "theme") value = t.isDark() ? "dark" : "light";
    MILLRACE_CHECK(!value.isEmpty(), "style.qss uses only tokens that exist");
    sheet.replace(match.capturedStart(), match.capturedLength(), value);
    from = match.capturedStart() + value.size();
  }
  return sheet;
}

/// What the platform's palette reveals about its windows.
struct SystemAppearance {
  bool dark = false;
  bool contrast = false;
};

/// MILLRACE_CONTRAST=1 or 0 overrides the platform's palette for high contrast.
SystemAppearance appearanceOf(const QPalette& palette) {
  constexpr const char* kAsked = "MILLRACE_CONTRAST";
  return {isDark(palette), qEnvironmentVariableIsSet(kAsked)
                               ? qEnvironmentVariableIntValue(kAsked) != 0
                               : isHighContrast(palette)};
}

/// Must be called first before the palette is replaced by ours.
SystemAppearance& systemAppearance() {
  static SystemAppearance appearance = appearanceOf(QPalette());
  return appearance;
}

/// Some platforms replace our palette and font with theirs, shortly after the start or when the
/// user selects others (qt6ct).
bool isOurs(const QPalette& palette) {
  return palette.color(QPalette::Window) == theme()[Tone::Window] &&
         palette.color(QPalette::WindowText) == theme()[Tone::Text];
}

/// The platform's current palette, whether it is active or replaced by ours.
QPalette platformPalette() {
  if (isOurs(QApplication::palette())) QApplication::setPalette({});
  return QApplication::palette();
}

/// Detects a change of the platform's theme. Platforms announce it to every window, to every
/// widget, or not at all.
class SystemThemeWatch : public QObject {
 public:
  explicit SystemThemeWatch(QObject* parent) : QObject(parent) {
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, [] {
      systemAppearance() = appearanceOf(platformPalette());
      applyTheme(appearanceInUse);
    });
  }

  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    const bool replaced =
        (event->type() == QEvent::ApplicationPaletteChange && !isOurs(QApplication::palette())) ||
        (event->type() == QEvent::ApplicationFontChange &&
         QApplication::font().pixelSize() != kTextPixels);
    if (event->type() == QEvent::ThemeChange || replaced) m_soon.start(0);
    return false;
  }

 private:
  QTimer m_soon;
};

}  // namespace

QString nameOf(Tone tone) { return kToneNames[static_cast<std::size_t>(tone)]; }

Theme Theme::read(const QString& name, bool dark) {
  const QJsonObject root =
      QJsonDocument::fromJson(resource("tokens.json")).object()[name].toObject();
  Theme theme;
  theme.m_dark = dark;
  const QJsonObject tones = root["colour"].toObject();
  MILLRACE_CHECK(tones.size() == kToneCount, "tokens.json has all tones and no others");
  for (std::size_t i = 0; i < kToneCount; ++i) {
    theme.m_tones[i] = QColor(tones[kToneNames[i]].toString());
    MILLRACE_CHECK(theme.m_tones[i].isValid(), "every tone is a colour");
  }
  const QJsonObject categories = root["category"].toObject();
  for (std::size_t i = 0; i < theme.m_categories.size(); ++i)
    theme.m_categories[i] = QColor(categories[toQt(nameOf(static_cast<Category>(i)))].toString());
  const QJsonArray series = root["series"].toArray();
  for (const auto& colour : series) theme.m_series.append(QColor(colour.toString()));
  return theme;
}

const Theme& Theme::light() {
  static const Theme usual = read("light", false);
  static const Theme contrast = read("contrast-light", false);
  return systemAppearance().contrast ? contrast : usual;
}

const Theme& Theme::dark() {
  static const Theme usual = read("dark", true);
  static const Theme contrast = read("contrast-dark", true);
  return systemAppearance().contrast ? contrast : usual;
}

QColor Theme::category(Category category) const {
  return m_categories[static_cast<std::size_t>(category)];
}

const Theme& theme() { return current == nullptr ? Theme::light() : *current; }

void applyTheme(Appearance appearance) {
  appearanceInUse = appearance;
  const bool dark = appearance == Appearance::Dark ||
                    (appearance == Appearance::System && systemAppearance().dark);
  current = dark ? &Theme::dark() : &Theme::light();
  QApplication::setStyle(new HouseStyle);
  QFont font = QApplication::font();
  font.setPixelSize(kTextPixels);
  QApplication::setFont(font);
  QApplication::setPalette(paletteOf(*current));
  qApp->setStyleSheet(styleSheetOf(*current));
}

void followSystemTheme() { qApp->installEventFilter(new SystemThemeWatch(qApp)); }

QFont uiFont(int pixels, bool bold) {
  QFont font = QApplication::font();
  font.setPixelSize(pixels);
  font.setBold(bold);
  return font;
}

QFont codeFont(int pixels) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPixelSize(pixels);
  return font;
}

}  // namespace millrace
