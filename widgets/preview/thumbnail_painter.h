// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QRectF>

#include "widgets/models/shown_sample.h"

class QPainter;

namespace millrace {

/// Where a sample's mask is drawn.
enum class MaskPlace : std::uint8_t { Over, Beside };
/// How a mask is drawn. Value.
struct MaskStyle {
  MaskPlace place = MaskPlace::Over;
  double opacity = 0.6;  ///< over its picture

  bool operator==(const MaskStyle&) const = default;
};

/// The number of pictures side by side; 1 if there is none.
int picturesAcross(const ShownSample& sample, MaskPlace mask);

/// Paints a sample into a box: its pictures side by side, each as large as fits, the mask over the
/// first picture or next to it. A field without a picture is shown as text, a failed sample as a
/// mark. Enlarged pictures show their pixels.
void paintSample(QPainter& painter, const QRectF& box, const ShownSample& sample,
                 const MaskStyle& mask);

/// Paints the boxes and keypoints of a picture that is drawn into `box`, in the colours of their
/// classes. Boxes that are large enough have the name of their class.
void paintObjects(QPainter& painter, const QRectF& box, const ShownField& picture);

/// A picture of a sample in a box, and the part of the picture that the box shows.
struct PicturePlace {
  QRectF box;                         ///< of the whole picture
  const ShownField* field = nullptr;  ///< a picture, or a mask
  bool isOver = false;                ///< a mask over its picture
};
/// Where paintSample draws each picture, in the order of drawing.
std::vector<PicturePlace> picturePlaces(const QRectF& box, const ShownSample& sample,
                                        MaskPlace mask);

}  // namespace millrace
