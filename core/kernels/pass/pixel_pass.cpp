// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_pass.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/check.h"
#include "core/data/buffer.h"
#include "core/kernels/pass/pixel_pass_float.h"
#include "core/kernels/pass/pixel_pass_spec.h"
#include "core/kernels/pass/pixel_rows.h"

namespace millrace {

namespace {

constexpr std::size_t kPadding = 64;

std::size_t padded(std::size_t bytes) { return (bytes + kPadding - 1) / kPadding * kPadding; }

std::int32_t pairOf(std::int32_t first, std::int32_t second) {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(first) & 0xffffU) |
                                   static_cast<std::uint32_t>(second) << 16U);
}
std::int32_t highPair(std::int32_t a, std::int32_t b) { return pairOf(a >> 15, b >> 15); }
std::int32_t lowPair(std::int32_t a, std::int32_t b) { return pairOf(a & 0x7fff, b & 0x7fff); }

}  // namespace

/// Resamples source rows to rows of the result's width (rounded to u8, flipped, planar if the
/// result is) and keeps them in a ring as long as a row of the result needs them.
struct PixelPass::Scratch {
  void prepare(ImageView source, const PixelPassSpec& spec, const OutputForm& form);
  bool copiesRows() const;
  void copyRows(std::byte* out) const;
  void run(std::byte* out);

  void prepareOffsets();
  void prepareSplit();
  void makeRowsUpTo(int end);
  const std::uint8_t* readable(int row);
  std::uint8_t* slot(int row) {
    return reinterpret_cast<std::uint8_t*>(ring.data()) +
           static_cast<std::size_t>(row % slots) * slotBytes;
  }
  void blendWeights(int y);
  void writeRow(int y, std::byte* out);
  void writeLine(int y, int channel, std::byte* out);

  // Valid during one call.
  ImageView source;
  OutputForm form;
  Size cut;
  bool flipY = false;
  RowPlan rowPlan;
  std::size_t loadEnd = 0;  ///< bytes of a row that the row pass may read
  int slots = 1;
  std::size_t slotBytes = 0;
  int nextRow = 0;  ///< first source row that is not yet in the ring

  // Kept between calls.
  AxisWeights x;
  AxisWeights y;
  PixelTable table;
  std::vector<std::int32_t> offsets;
  Buffer split;
  Buffer ring;
  Buffer edge;
  Buffer bytes;
  std::vector<const std::uint8_t*> rows;
  std::vector<std::int32_t> columnFixed;
  std::vector<std::int32_t> columnSplit;
  FloatPass floatPass;
};

void PixelPass::Scratch::prepare(ImageView image, const PixelPassSpec& spec,
                                 const OutputForm& outputForm) {
  source = image;
  form = outputForm;
  cut = spec.cut.size();
  flipY = spec.flipY;
  x.compute(horizontalAxis(spec));
  y.compute(verticalAxis(spec));
  MILLRACE_CHECK(x.within(source.width) && y.within(source.height),
                 "the part that the cut needs must be inside the image");
  if (form.dtype != DType::U8) table.compute(form, source.channels);

  const auto channels = static_cast<std::size_t>(source.channels);
  rowPlan.channels = source.channels;
  rowPlan.groups = (cut.width + kGroupPixels - 1) / kGroupPixels;
  rowPlan.quads = x.single() ? 0 : (x.taps() + kQuadTaps - 1) / kQuadTaps;
  rowPlan.planar = isPlanar(form, source.channels);
  rowPlan.plane = padded(static_cast<std::size_t>(rowPlan.groups * kGroupPixels)) + kPadding;
  rowPlan.fixed = x.fixed(0);
  rowPlan.taps = x.taps();
  prepareOffsets();

  slots = y.taps();
  slotBytes = rowPlan.plane * channels;
  ring.reserve(slotBytes * static_cast<std::size_t>(slots));
  nextRow = 0;
}

void PixelPass::Scratch::prepareOffsets() {
  const auto count = static_cast<std::size_t>(rowPlan.groups * kGroupPixels);
  offsets.resize(count);
  for (int i = 0; i < cut.width; ++i)
    offsets[static_cast<std::size_t>(i)] = x.first(i) * source.channels;
  std::fill(offsets.begin() + cut.width, offsets.end(),
            offsets[static_cast<std::size_t>(cut.width - 1)]);
  rowPlan.offsets = offsets.data();
  const int last = *std::max_element(offsets.begin(), offsets.end());
  loadEnd = static_cast<std::size_t>(last + rowPlan.quads * kQuadTaps * source.channels + 16);
  if (rowPlan.quads > 0 && source.channels >= 3) prepareSplit();
}

void PixelPass::Scratch::prepareSplit() {
  const auto quads = static_cast<std::size_t>(rowPlan.quads);
  const std::size_t entries = static_cast<std::size_t>(rowPlan.groups) * quads * kQuadEntries;
  auto* at = reinterpret_cast<std::int32_t*>(split.reserve(entries * sizeof(std::int16_t)));
  rowPlan.split = reinterpret_cast<const std::int16_t*>(at);
  // All lanes of a pixel, and thus all channels, have the same weights.
  for (int group = 0; group < rowPlan.groups; ++group)
    for (int quad = 0; quad < rowPlan.quads; ++quad, at += kQuadEntries / 2)
      for (int pixel = 0; pixel < kGroupPixels; ++pixel) {
        const std::int32_t* fixed = x.fixed(group * kGroupPixels + pixel);
        std::int32_t tap[kQuadTaps] = {};
        for (int k = quad * kQuadTaps; k < std::min(x.taps(), (quad + 1) * kQuadTaps); ++k)
          tap[k - quad * kQuadTaps] = fixed[k];
        const std::int32_t pairs[4] = {highPair(tap[0], tap[1]), lowPair(tap[0], tap[1]),
                                       highPair(tap[2], tap[3]), lowPair(tap[2], tap[3])};
        for (int pair = 0; pair < 4; ++pair)
          std::fill_n(at + pair * kGroupLanes + pixel * 4, 4, pairs[pair]);
      }
}

bool PixelPass::Scratch::copiesRows() const {
  const std::size_t count = static_cast<std::size_t>(cut.width);
  return form.dtype == DType::U8 && !rowPlan.planar && x.single() && y.single() &&
         offsets[count - 1] - offsets[0] == (cut.width - 1) * source.channels &&
         std::is_sorted(offsets.begin(), offsets.end());
}

void PixelPass::Scratch::copyRows(std::byte* out) const {
  const auto bytesOfRow = static_cast<std::size_t>(cut.width * source.channels);
  for (int row = 0; row < cut.height; ++row)
    std::memcpy(out + static_cast<std::size_t>(flipY ? cut.height - 1 - row : row) * bytesOfRow,
                source.row(y.first(row)) + offsets[0], bytesOfRow);
}

/// Returns the source row, or a copy of it if vector loads would read outside the image.
const std::uint8_t* PixelPass::Scratch::readable(int row) {
  const auto rowBytes = static_cast<std::size_t>(source.width * source.channels);
  const std::uint8_t* data = source.row(row);
  const std::uint8_t* end = source.row(source.height - 1) + rowBytes;
  if (static_cast<std::size_t>(end - data) >= loadEnd) return data;
  std::byte* copy = edge.reserve(std::max(loadEnd, rowBytes));
  std::memcpy(copy, data, rowBytes);
  std::memset(copy + rowBytes, 0, std::max(loadEnd, rowBytes) - rowBytes);
  return reinterpret_cast<const std::uint8_t*>(copy);
}

void PixelPass::Scratch::makeRowsUpTo(int end) {
  for (; nextRow < end; ++nextRow) resampleRow(rowPlan, readable(nextRow), slot(nextRow));
}

void PixelPass::Scratch::blendWeights(int row) {
  const int count = y.count(row);
  const auto pairs = y.single() ? 0U : static_cast<std::size_t>(count + 1) / 2;
  columnFixed.assign(std::max<std::size_t>(2 * pairs, 1), 0);
  std::copy_n(y.fixed(row), count, columnFixed.begin());
  columnSplit.resize(2 * pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::int32_t a = columnFixed[2 * pair];
    const std::int32_t b = columnFixed[2 * pair + 1];
    columnSplit[2 * pair] = highPair(a, b);
    columnSplit[2 * pair + 1] = lowPair(a, b);
  }
  rows.resize(columnFixed.size());
}

void PixelPass::Scratch::writeLine(int row, int channel, std::byte* out) {
  const auto plane = static_cast<std::size_t>(channel) * rowPlan.plane;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int k = std::min(static_cast<int>(i), y.count(row) - 1);
    rows[i] = slot(y.first(row) + k) + plane;
  }
  const int perPixel = rowPlan.planar ? 1 : source.channels;
  const auto count = static_cast<std::size_t>(cut.width * perPixel);
  const ColumnPlan plan{rows.data(), columnFixed.data(), columnSplit.data(),
                        static_cast<int>(columnSplit.size() / 2), count};
  if (form.dtype == DType::U8) {
    blendRows(plan, reinterpret_cast<std::uint8_t*>(out));
  } else if (form.dtype == DType::F32 && table.exact() && (perPixel == 1 || table.uniform())) {
    blendRows(plan, table.affine(channel), reinterpret_cast<float*>(out));
  } else {
    auto* line = reinterpret_cast<std::uint8_t*>(bytes.reserve(count));
    blendRows(plan, line);
    if (rowPlan.planar)
      table.lookUpPlane(line, cut.width, channel, out);
    else
      table.lookUpInterleaved(line, cut.width, out);
  }
}

void PixelPass::Scratch::writeRow(int row, std::byte* out) {
  const int lines = rowPlan.planar ? source.channels : 1;
  const auto lineBytes =
      static_cast<std::size_t>(cut.width * source.channels / lines) * sizeOf(form.dtype);
  const int at = flipY ? cut.height - 1 - row : row;
  for (int line = 0; line < lines; ++line)
    writeLine(row, line, out + static_cast<std::size_t>(line * cut.height + at) * lineBytes);
}

void PixelPass::Scratch::run(std::byte* out) {
  for (int row = 0; row < cut.height; ++row) {
    const int first = y.first(row);
    nextRow = std::max(nextRow, first);
    makeRowsUpTo(first + y.count(row));
    blendWeights(row);
    writeRow(row, out);
  }
}

PixelPass::PixelPass() : m_scratch(std::make_unique<Scratch>()) {}
PixelPass::~PixelPass() = default;
PixelPass::PixelPass(PixelPass&&) noexcept = default;
PixelPass& PixelPass::operator=(PixelPass&&) noexcept = default;

void PixelPass::run(ImageView source, const PixelPassSpec& spec, const OutputForm& form,
                    std::byte* out) {
  checkPixelPass(source.channels, DType::U8, spec, form);
  m_scratch->prepare(source, spec, form);
  if (m_scratch->copiesRows())
    m_scratch->copyRows(out);
  else
    m_scratch->run(out);
}

void PixelPass::run(const FloatImageView& source, const PixelPassSpec& spec, const OutputForm& form,
                    std::byte* out) {
  checkPixelPass(source.channels, DType::F32, spec, form);
  m_scratch->floatPass.run(source, spec, form, out);
}

}  // namespace millrace
