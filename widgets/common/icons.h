// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QRectF>
#include <QString>

#include "core/spec/node_spec.h"
#include "widgets/common/theme.h"

class QPainter;

namespace millrace {

// The icons of resources/icons: black, drawn in a box of 16, recoloured when painted. GUI thread.

bool hasIcon(const QString& name);

/// Draws the icon into `box` in one colour, sharp at any scale of the painter.
void paintIcon(QPainter& painter, const QString& name, const QRectF& box, const QColor& colour);

/// An icon for actions, buttons and item views. It is painted in the current theme's `tone`, or in
/// the hint colour if disabled.
QIcon icon(const QString& name, Tone tone = Tone::Text);

/// The program's own icon, for windows.
QIcon programIcon();

/// The icon of a kind: its own if resources/icons has one of its name, otherwise its category's.
QString iconOf(const NodeSpec& spec);
QString iconOf(Category category);

/// The mark of a kind or category: the icon on a rounded square in the category's colour.
void paintMark(QPainter& painter, const QString& name, Category category, const QRectF& box);
QIcon markIcon(const QString& name, Category category);

}  // namespace millrace
