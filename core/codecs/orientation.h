// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/data/image_view.h"

namespace millrace {

/// The orientation tag (0x0112) of a TIFF structure as used by EXIF, 1 to 8; 1 if it is missing or
/// the structure is damaged. EXIF 2.32, section 4.6.
int exifOrientation(std::span<const std::byte> tiff);

/// The displayed size of an image with the stored size `stored`.
Size orientedSize(Size stored, int orientation);

/// Maps a rectangle of the displayed image to the stored image of size `stored`.
Rect storedRegion(Rect seen, Size stored, int orientation);

/// Maps a box of the stored image of size `stored` to the displayed image.
Box seenBox(Box box, Size stored, int orientation);

/// Copies `stored` to `seen`, rotated and mirrored; `seen` must have the size of orientedSize().
void orientPixels(ImageView stored, int orientation, MutableImageView seen);
void orientValues(ValueView stored, int orientation, MutableValueView seen);

}  // namespace millrace
