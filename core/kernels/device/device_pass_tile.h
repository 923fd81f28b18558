// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/affine.h"
#include "core/kernels/device/device_pass.h"
#include "core/kernels/device/device_pass_tiling.h"
#include "core/kernels/device/device_store.h"

namespace millrace {

/// The work of one block of the device's pixel pass, in phases; all threads of the block
/// synchronise between two phases.

template <int kChannels, bool kColours>
struct PassTile {
  const DevicePass& pass;
  const PassTiling& tiling;
  const PassRow row;  ///< a copy: the block's stores cannot change it
  const std::uint8_t* source;
  const std::uint8_t* end;
  std::byte* out;
  std::int32_t index;
  std::int32_t left;
  std::int32_t top;
  bool plain;  ///< no padding on the left or right: every column shows a pixel of the cut

  MILLRACE_HOST_DEVICE PassTile(const DevicePass& p, const PassTiling& t, std::uint32_t block)
      : pass(p),
        tiling(t),
        row(p.rows[block / static_cast<std::uint32_t>(t.across * t.down)]),
        source(reinterpret_cast<const std::uint8_t*>(p.sourceBase + row.source)),
        end(reinterpret_cast<const std::uint8_t*>(p.sourceBase + row.end)),
        out(reinterpret_cast<std::byte*>(p.outBase + row.out)),
        index(static_cast<std::int32_t>(block / static_cast<std::uint32_t>(t.across * t.down))) {
    const std::int32_t tile =
        static_cast<std::int32_t>(block % static_cast<std::uint32_t>(t.across * t.down));
    left = tile % t.across << t.widthShift;
    top = tile / t.across * t.height;
    plain = row.x.shift == 0 && row.x.spec.count >= row.width;
  }

  /// The cut's pixel that pixel v of the canvas shows; negative: the fill.
  MILLRACE_HOST_DEVICE std::int32_t cutPixel(const PassAxis& axis, std::int32_t v) const {
    const std::int32_t at = v + axis.shift;
    if (at >= 0 && at < axis.spec.count) return at;
    return static_cast<std::int32_t>(borderIndex(at, axis.spec.count, row.border));
  }
  /// The same, but padding gives the nearest pixel of the cut.
  MILLRACE_HOST_DEVICE static std::int32_t nearestCutPixel(const PassAxis& axis, std::int32_t v) {
    const std::int32_t at = v + axis.shift;
    return at < 0 ? 0 : at < axis.spec.count ? at : axis.spec.count - 1;
  }
  MILLRACE_HOST_DEVICE const AxisTaps& tapsOf(const PassAxis& axis, std::int32_t pixel) const {
    return tiling.taps[axis.taps + pixel];
  }
  MILLRACE_HOST_DEVICE const TapQuad* quadsOf(const PassAxis& axis, std::int32_t pixel) const {
    return tiling.quads + axis.quads + static_cast<std::int64_t>(pixel) * axis.quadsEach;
  }
  MILLRACE_HOST_DEVICE const std::uint8_t* sourceAt(std::int32_t x, std::int32_t y) const {
    return source + y * row.stride + static_cast<std::int64_t>(x) * kChannels;
  }
  MILLRACE_HOST_DEVICE std::int32_t bottom() const {
    const std::int32_t below = top + tiling.height;
    return below < row.height ? below : row.height;
  }
  /// The tile's first source row.
  MILLRACE_HOST_DEVICE std::int32_t firstRow() const {
    return tapsOf(row.y, nearestCutPixel(row.y, top)).first;
  }

  /// Phase 1: resamples the source rows to the result's width, into shared memory.
  MILLRACE_HOST_DEVICE void across(std::int32_t thread, std::uint32_t* rows,
                                   PassShared& shared) const {
    if (kColours && thread == 0) shared.contrast = contrast();
    if (row.kind != PassKind::Tiled || top >= row.height) return;
    const std::int32_t column = thread & ((1 << tiling.widthShift) - 1);
    const std::int32_t v = left + column;
    const std::int32_t cut = v < row.width ? cutPixel(row.x, v) : -1;
    if (cut < 0) return;
    const AxisTaps last = tapsOf(row.y, nearestCutPixel(row.y, bottom() - 1));
    const std::int32_t first = firstRow();
    const Column made{sourceAt(tapsOf(row.x, cut).first, first), last.first + last.count - first,
                      quadsOf(row.x, cut), rows + column, thread >> tiling.widthShift};
    if (row.x.quadsEach == 1) return acrossRows<1>(made);
    if (row.x.quadsEach == 2) return acrossRows<2>(made);
    acrossGroups<0, false>(made, made.quads);
  }

  /// Phase 2: computes four neighbouring pixels at a time. Returns the sum of their greys if it is
  /// needed.
  MILLRACE_HOST_DEVICE std::uint32_t down(std::int32_t thread, const std::uint32_t* rows,
                                          const PassShared& shared) const {
    const std::int32_t groupShift = tiling.widthShift - 2;
    const std::int32_t column = (thread & ((1 << groupShift) - 1)) * 4;
    std::uint32_t sum = 0;
    if (left + column >= row.width) return 0;
    const std::int32_t first = row.kind == PassKind::Tiled ? firstRow() : 0;
    for (std::int32_t y = top + (thread >> groupShift); y < bottom();
         y += kPassThreads >> groupShift) {
      std::uint32_t pixels[4] = {row.fill, row.fill, row.fill, row.fill};
      if (const std::int32_t cut = cutPixel(row.y, y); cut >= 0) {
        if (row.kind == PassKind::Tiled)
          blend(cut, first, column, rows, pixels);
        else
          fetch(cut, left + column, pixels);
      }
      sum += finish(left + column, y, pixels, shared.contrast);
    }
    return sum;
  }

 private:
  MILLRACE_HOST_DEVICE float contrast() const {
    if (pass.actsEach == 0 || pass.greySums == nullptr) return 0;
    return contrastAddend(pass.greySums[index], row.width, row.height,
                          pass.acts[static_cast<std::int64_t>(index) * pass.actsEach].other);
  }

  /// One column of a tile, which one thread computes.
  struct Column {
    const std::uint8_t* at;  ///< first tap in the tile's first source row
    std::int32_t count;      ///< source rows
    const TapQuad* quads;    ///< the same for all rows
    std::uint32_t* words;    ///< the column in shared memory
    std::int32_t begin;      ///< the thread's first group of four rows
  };

  /// Keeps a small number of weights in registers. If the last row is far enough from the end of
  /// the picture's memory, so are all others.
  template <int kQuads>
  MILLRACE_HOST_DEVICE void acrossRows(const Column& made) const {
    TapQuad held[kQuads];
    MILLRACE_UNROLL
    for (std::int32_t q = 0; q < kQuads; ++q) held[q] = made.quads[q];
    if (liesInside<kQuads * kChannels>(made.at + (made.count - 1) * row.stride, end))
      acrossGroups<kQuads, true>(made, held);
    else
      acrossGroups<kQuads, false>(made, held);
  }

  /// kQuads 0: as many as the row has. Rows after the last one repeat it.
  template <int kQuads, bool kInside>
  MILLRACE_HOST_DEVICE void acrossGroups(const Column& made, const TapQuad* quads) const {
    const std::int32_t quadCount = kQuads > 0 ? kQuads : row.x.quadsEach;
    for (std::int32_t r = 4 * made.begin; r < made.count;
         r += 4 * (kPassThreads >> tiling.widthShift)) {
      std::uint32_t words[kChannels] = {};
      MILLRACE_UNROLL
      for (std::int32_t i = 0; i < 4; ++i) {
        const std::int32_t y = r + i < made.count ? r + i : made.count - 1;
        TapSum sums[kChannels];
        sumAcross<kChannels, kInside>(made.at + y * row.stride, end, quads, quadCount, sums);
        MILLRACE_UNROLL
        for (int c = 0; c < kChannels; ++c) words[c] = withByte(words[c], sums[c].byte(), i);
      }
      MILLRACE_UNROLL
      for (int c = 0; c < kChannels; ++c)
        made.words[(r / 4 * kChannels + c) << tiling.widthShift] = words[c];
    }
  }

  /// Tiled: columns `column` to `column` + 3 of the shared rows for one row of the result; `first`
  /// is the first shared row.
  MILLRACE_HOST_DEVICE void blend(std::int32_t cut, std::int32_t first, std::int32_t column,
                                  const std::uint32_t* rows, std::uint32_t (&pixels)[4]) const {
    const AxisTaps taps = tapsOf(row.y, cut);
    const TapQuad* quads = quadsOf(row.y, cut);
    const std::int32_t begin = taps.first - first;
    const auto bits = static_cast<std::uint32_t>(begin & 3) * 8;
    const std::uint32_t* at = rows + ((begin / 4 * kChannels) << tiling.widthShift) + column;
    std::uint32_t made[4] = {};
    MILLRACE_UNROLL
    for (int c = 0; c < kChannels; ++c) {
      TapSum sums[4];
      sumDown(at + (c << tiling.widthShift), quads, taps.count, bits, sums);
      MILLRACE_UNROLL
      for (std::int32_t p = 0; p < 4; ++p) made[p] = withByte(made[p], sums[p].byte(), c);
    }
    MILLRACE_UNROLL
    for (std::int32_t p = 0; p < 4; ++p)
      if (isInside(left + column + p)) pixels[p] = made[p];
  }

  /// One channel of four neighbouring columns; the first tap starts at bit `bits` of its word.
  /// Values after the last row have weight 0.
  MILLRACE_HOST_DEVICE void sumDown(const std::uint32_t* at, const TapQuad* quads,
                                    std::int32_t count, std::uint32_t bits,
                                    TapSum (&sums)[4]) const {
    auto low = *reinterpret_cast<const Four<std::uint32_t>*>(at);
    for (std::int32_t k = 0; k < count; k += 4) {
      at += kChannels << tiling.widthShift;
      const auto high = *reinterpret_cast<const Four<std::uint32_t>*>(at);
      const TapQuad quad = quads[k / 4];
      MILLRACE_UNROLL
      for (std::int32_t p = 0; p < 4; ++p)
        sums[p].add(shiftedRight(low.v[p], high.v[p], bits), quad);
      low = high;
    }
  }

  MILLRACE_HOST_DEVICE bool isInside(std::int32_t v) const {
    return v < row.width && (plain || cutPixel(row.x, v) >= 0);
  }

  /// The other kinds: pixels v to v + 3 of row `cut` of the cut.
  MILLRACE_HOST_DEVICE void fetch(std::int32_t cut, std::int32_t v,
                                  std::uint32_t (&pixels)[4]) const {
    const std::int32_t x = v + row.x.shift;
    if (row.kind == PassKind::Copy && x >= 0 && x + 4 <= row.x.spec.count && v + 4 <= row.width) {
      std::uint32_t words[kChannels];
      loadWords<kChannels>(sourceAt(row.x.origin + x, row.y.origin + cut), end, words);
      MILLRACE_UNROLL
      for (std::int32_t p = 0; p < 4; ++p) pixels[p] = pixelOfFour<kChannels>(words, p);
      return;
    }
    MILLRACE_UNROLL
    for (std::int32_t p = 0; p < 4; ++p) {
      const std::int32_t at = v + p < row.width ? cutPixel(row.x, v + p) : -1;
      if (at >= 0) pixels[p] = pixelAt(at, cut);
    }
  }

  MILLRACE_HOST_DEVICE std::uint32_t pixelAt(std::int32_t x, std::int32_t y) const {
    if (row.kind == PassKind::Copy)
      return loadPixel<kChannels>(sourceAt(row.x.origin + x, row.y.origin + y));
    const std::int32_t column = tapsOf(row.x, x).first;
    const AxisTaps taps = tapsOf(row.y, y);
    if (row.kind == PassKind::Gather) return loadPixel<kChannels>(sourceAt(column, taps.first));
    TapSum sums[kChannels];
    for (std::int32_t k = 0; k < taps.count; k += 4) {
      std::uint32_t words[4] = {};
      for (std::int32_t i = 0; i < 4; ++i)
        if (k + i < taps.count)
          words[i] = resampledAcross<kChannels>(sourceAt(column, taps.first + k + i), end,
                                                quadsOf(row.x, x), row.x.quadsEach);
      addDown<kChannels>(words, quadsOf(row.y, y)[k / 4], sums);
    }
    return pixelOf<kChannels>(sums);
  }

  /// Applies the colour operations and stores the pixels at their place in the (mirrored) result.
  MILLRACE_HOST_DEVICE std::uint32_t finish(std::int32_t v, std::int32_t y,
                                            std::uint32_t (&pixels)[4], float contrast) const {
    const std::int32_t valid = row.width - v < 4 ? row.width - v : 4;
    std::uint32_t sum = 0;
    if constexpr (kColours) {
      const ColourAct* acts = pass.acts + static_cast<std::int64_t>(index) * pass.actsEach;
      for (std::int32_t a = 0; a < pass.actsEach; ++a) {
        const ColourAct act = acts[a];
        if (act.kind == ColourKind::None) break;
        MILLRACE_UNROLL
        for (std::int32_t p = 0; p < 4; ++p)
          pixels[p] = coloured<kChannels>(pixels[p], act, contrast, pass.actTables);
      }
      MILLRACE_UNROLL
      for (std::int32_t p = 0; p < 4; ++p) sum += p < valid ? greyOfPixel<kChannels>(pixels[p]) : 0;
    }
    const std::int64_t line = row.y.flip ? row.height - 1 - y : y;
    const std::int64_t at = line * row.width + (row.x.flip ? row.width - v - valid : v);
    if (row.x.flip) mirror(pixels, valid);
    storePixels<kChannels>(pass.form, out, static_cast<std::int64_t>(row.width) * row.height, at,
                           pixels, valid);
    return sum;
  }

  /// Reverses the first `valid` pixels.
  MILLRACE_HOST_DEVICE static void mirror(std::uint32_t (&p)[4], std::int32_t valid) {
    const std::uint32_t a = p[0];
    const std::uint32_t b = p[1];
    const std::uint32_t c = p[2];
    const std::uint32_t d = p[3];
    p[0] = valid == 4 ? d : valid == 3 ? c : valid == 2 ? b : a;
    p[1] = valid == 4 ? c : valid == 3 ? b : a;
    p[2] = valid == 4 ? b : a;
    p[3] = a;
  }
};

}  // namespace millrace
