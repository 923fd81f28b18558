// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/codecs/jpeg/colour_rows.h"
#include "core/codecs/jpeg/jpeg_head.h"
#include "core/data/image_view.h"

namespace millrace::jpeg {

/// How chroma with fewer samples than luma is handled.
enum class ChromaUse : std::uint8_t {
  Widened,  ///< upsampled to luma's resolution like in jdsample.c
  Apart     ///< left unchanged, as separate planes
};

/// What a region needs of one component, at the scale of the decode.
struct ComponentPlan {
  int horizontal = 1;  ///< blocks in an MCU
  int vertical = 1;
  int blockSize = 8;  ///< samples per block on each axis: 8, 4, 2 or 1
  int widening = 1;   ///< columns and rows of luma per sample
  int heightening = 1;
  Upsampling across = Upsampling::None;
  bool smoothsDown = false;
  int columns = 0;  ///< samples of the whole picture
  int rows = 0;
  // The samples that are needed, inclusive; none if lastRow < firstRow.
  int firstRow = 0;
  int lastRow = -1;
  int firstColumn = 0;
  int lastColumn = -1;

  int mcuColumns() const { return horizontal * blockSize; }
  int mcuRows() const { return vertical * blockSize; }
  bool needsBlockRow(int row) const {
    return row * blockSize <= lastRow && (row + 1) * blockSize > firstRow;
  }
};

/// A region in scaled pixels, and the MCUs that contain it, inclusive.
struct RegionPlan {
  int left = 0, top = 0, right = 0, bottom = 0;  ///< right and bottom are exclusive
  int components = 0;                            ///< the number that is needed: 1 for grey
  std::array<ComponentPlan, 3> component;
  int mcusAcross = 0;  ///< of the whole picture
  int firstMcu = 0, lastMcu = 0;
  int firstMcuRow = 0, lastMcuRow = 0;
  int linesPerMcuRow = 0;
  bool smoothsDown = false;  ///< a line may need chroma of the MCU row below
};

/// Plans the region `region` (full-scale pixels, inside the picture) at 1 / `scale`. Scaled chroma
/// keeps the finer transform that the library uses (jdmaster.c), so 4:2:0 at half scale is not
/// upsampled at all.
RegionPlan planRegion(const Head& head, Rect region, int scale, bool grey,
                      ChromaUse chroma = ChromaUse::Widened);

}  // namespace millrace::jpeg
