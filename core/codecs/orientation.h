// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/data/image_view.h"

namespace millrace {

/// The orientation tag (0x0112) of a TIFF structure as EXIF holds it, 1 to 8; 1 when there is none
/// or the structure is damaged. EXIF 2.32, section 4.6.
int exifOrientation(std::span<const std::byte> tiff);

/// The size as seen of an image stored with `stored`.
Size orientedSize(Size stored, int orientation);

/// Where a rectangle of the image as seen lies in the stored image of size `stored`.
Rect storedRegion(Rect seen, Size stored, int orientation);

/// Where a box of the stored image of size `stored` is seen.
Box seenBox(Box box, Size stored, int orientation);

/// Copies `stored` to `seen`, turned and mirrored; `seen` has the size orientedSize gives.
void orientPixels(ImageView stored, int orientation, MutableImageView seen);

}  // namespace millrace
