// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "widgets/models/preview_answer.h"

class QPainter;

namespace millrace {

/// Where a sample's mask is drawn.
enum class MaskPlace : std::uint8_t { Over, Beside };

/// How many pictures stand side by side; 1 where there is none.
int picturesAcross(const ShownSample& sample, MaskPlace mask);

/// A sample into a box: its pictures side by side, each as large as fits, the mask over the first
/// or beside; what has no picture in words, what failed as a mark. Enlarged pictures show their
/// pixels.
void paintSample(QPainter& painter, const QRectF& box, const ShownSample& sample, MaskPlace mask);

}  // namespace millrace
