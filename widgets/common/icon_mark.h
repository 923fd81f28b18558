// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QWidget>

#include "widgets/common/icons.h"

namespace millrace {

/// An icon in a layout, drawn in the current theme's colours; empty until it has a name.
class IconMark : public QWidget {
 public:
  explicit IconMark(int size, QWidget* parent = nullptr);
  IconMark(const QString& name, Tone tone, int size, QWidget* parent = nullptr);
  /// The mark of a kind: the icon on its category's colour.
  IconMark(const QString& name, Category category, int size, QWidget* parent = nullptr);

  void setIcon(const QString& name, Tone tone);
  QString name() const { return m_name; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_name;
  Tone m_tone = Tone::Text;
  std::optional<Category> m_category;
};

}  // namespace millrace
