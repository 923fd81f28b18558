// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/plane_pass.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/base/check.h"
#include "core/data/buffer.h"
#include "core/kernels/pass/across_table.h"
#include "core/kernels/pass/pixel_pass_spec.h"

namespace millrace {

namespace {

std::int16_t* samplesOf(Buffer& buffer) { return reinterpret_cast<std::int16_t*>(buffer.data()); }

std::int16_t* reserveSamples(Buffer& buffer, std::size_t count) {
  return reinterpret_cast<std::int16_t*>(
      buffer.reserve((count + planes::kOverrun) * sizeof(std::int16_t)));
}

/// How the resolution of a plane maps to the result; planes of the same resolution share these
/// tables.
struct Sampling {
  PlaneAxis across;
  PlaneAxis down;
  planes::AcrossTable table;

  void compute(const PixelPassSpec& spec) {
    down.compute(verticalAxis(spec));
    if (across.compute(horizontalAxis(spec))) table.arrange(across);
  }
};

}  // namespace

struct PlanePass::Scratch {
  void prepare(const SampledPlanes& picture, const PixelPassSpec& spec, int channels);
  void prepareRows(int channels);
  void prepareColours(const OutputForm& form, Size cut, int channels);
  void blendRows(std::size_t c, int row);
  void makeRow(int row);

  // Valid during one call.
  std::array<SampledPlane, 3> source;
  std::array<const Sampling*, 3> sampling{};
  std::size_t count = 0;  ///< number of planes that are used
  planes::ColourPlan colours;
  planes::ColourRow colourRow;

  // Kept between calls.
  Sampling luma;
  Sampling chroma;
  std::vector<const std::uint8_t*> rows;
  std::array<Buffer, 3> blended;  ///< one row of the used part of the plane
  std::array<Buffer, 3> made;     ///< the same in the result's width
  Buffer noChroma;
};

void PlanePass::Scratch::prepare(const SampledPlanes& picture, const PixelPassSpec& spec,
                                 int channels) {
  source = picture.plane;
  count = channels == 3 ? picture.count : 1;
  PixelPassSpec own = spec;
  own.source = source[0].region;
  luma.compute(own);
  sampling = {&luma, &luma, &luma};
  if (count == 3) {
    own.source = source[1].region;
    const bool asLuma = source[1].region == source[0].region;
    if (!asLuma) chroma.compute(own);
    if (!asLuma) sampling[1] = sampling[2] = &chroma;
  }
  for (std::size_t c = 0; c < count; ++c) {
    const Size size = source[c].samples.size();
    const PlaneAxis& across = sampling[c]->across;
    const PlaneAxis& down = sampling[c]->down;
    MILLRACE_CHECK(source[c].samples.channels == 1, "a plane must have one channel");
    MILLRACE_CHECK(across.low() >= 0 && across.high() <= size.width && down.low() >= 0 &&
                       down.high() <= size.height,
                   "the part that the cut needs must be inside the plane");
  }
  prepareRows(channels);
}

void PlanePass::Scratch::prepareRows(int channels) {
  for (std::size_t c = 0; c < count; ++c) {
    // The last outputs may have fewer samples than weights.
    const PlaneAxis& across = sampling[c]->across;
    const int width = across.high() - across.low() + 2 * across.pairs();
    reserveSamples(blended[c], static_cast<std::size_t>(width));
    reserveSamples(made[c], sampling[c]->table.written());
  }
  colourRow = {samplesOf(made[0]), samplesOf(made[1]), samplesOf(made[2]),
               static_cast<std::size_t>(luma.across.outputs())};
  if (channels == 3 && count == 1) {
    const std::size_t width = luma.table.written();
    colourRow.blue = colourRow.red = reserveSamples(noChroma, width);
    std::memset(noChroma.data(), 0, width * sizeof(std::int16_t));
  }
}

void PlanePass::Scratch::prepareColours(const OutputForm& form, Size cut, int channels) {
  colours.dtype = form.dtype;
  colours.channels = channels;
  colours.planar = isPlanar(form, channels);
  colours.plane = static_cast<std::size_t>(cut.width) * static_cast<std::size_t>(cut.height);
  const double level = 1.0 / (1 << planes::kFractionBits);
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
    double scale = form.dtype == DType::U8 ? level : level / 255.0;
    double offset = 0;
    if (form.normalise) {
      const double deviation = form.deviation[c];
      scale /= deviation;
      offset = (0.0 - form.mean[c]) / deviation;
    }
    colours.scale[c] = static_cast<float>(scale);
    colours.offset[c] = static_cast<float>(offset);
  }
}

void PlanePass::Scratch::blendRows(std::size_t c, int row) {
  const PlaneAxis& across = sampling[c]->across;
  const PlaneAxis& down = sampling[c]->down;
  rows.resize(2 * static_cast<std::size_t>(down.pairs()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    // After an output's last sample the weight is 0.
    const int y = std::min(down.first(row) + static_cast<int>(k), down.high() - 1);
    rows[k] = source[c].samples.row(y) + across.low();
  }
  planes::DownPlan plan;
  plan.rows = rows.data();
  plan.weights = down.weights(row);
  plan.pairs = down.pairs();
  plan.count = static_cast<std::size_t>(across.high() - across.low());
  planes::blendDown(plan, samplesOf(blended[c]));
}

/// Computes a row of every plane in the result's width. Each loop runs for all planes before the
/// next one starts: what it has stored then leaves the store buffer before the next loop reads it
/// across store boundaries.
void PlanePass::Scratch::makeRow(int row) {
  for (std::size_t c = 0; c < count; ++c) blendRows(c, row);
  for (std::size_t c = 0; c < count; ++c)
    planes::resampleAcross(sampling[c]->table.plan(), samplesOf(blended[c]), samplesOf(made[c]));
}

PlanePass::PlanePass() : m_scratch(std::make_unique<Scratch>()) {}
PlanePass::~PlanePass() = default;
PlanePass::PlanePass(PlanePass&&) noexcept = default;
PlanePass& PlanePass::operator=(PlanePass&&) noexcept = default;

void PlanePass::run(const SampledPlanes& picture, const PixelPassSpec& spec, const OutputForm& form,
                    int channels, std::byte* out) {
  checkPixelPass(channels, DType::U8, spec, form);
  MILLRACE_CHECK(picture.count == 1 || picture.count == 3,
                 "a picture must have one plane or three");
  MILLRACE_CHECK(channels == 1 || channels == 3, "the result must have one channel or three");
  Scratch& scratch = *m_scratch;
  const Size cut = spec.cut.size();
  scratch.prepare(picture, spec, channels);
  scratch.prepareColours(form, cut, channels);
  const std::size_t perPixel = scratch.colours.planar ? 1 : static_cast<std::size_t>(channels);
  const std::size_t rowBytes = static_cast<std::size_t>(cut.width) * perPixel * sizeOf(form.dtype);
  for (int row = 0; row < cut.height; ++row) {
    scratch.makeRow(row);
    const int at = spec.flipY ? cut.height - 1 - row : row;
    planes::convertColours(scratch.colours, scratch.colourRow,
                           out + static_cast<std::size_t>(at) * rowBytes);
  }
}

}  // namespace millrace
