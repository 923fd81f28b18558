// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/kernels/colour/colour.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::channel_shift {

namespace {

struct Params {
  double range = 20;
  bool perChannel = true;
  TextList fields;
};

std::array<int, 4> drawOffsets(const Params& params, Draw& draw) {
  std::array<int, 4> offsets{};
  for (std::size_t c = 0; c < 3; ++c)
    offsets[c] = c > 0 && !params.perChannel
                     ? offsets[0]
                     : static_cast<int>(std::lround(draw.uniform(-params.range, params.range)));
  return offsets;
}

class ChannelShift final : public SampleOp {
 public:
  ChannelShift(const Params& params, const StreamType& in)
      : m_params(params), m_fields(colourFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    const std::array<int, 4> offsets = drawOffsets(m_params, draw);
    for (const std::size_t i : m_fields) shiftChannels(pixelsOf(sample.writable(i)), offsets);
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
};

/// The device side.
class ShiftChange final : public ColourChange {
 public:
  explicit ShiftChange(const Params& params) : m_params(params) {}
  void draw(Draw& draw, DrawnColours& into) const override {
    ColourAct act{ColourKind::Shift, 1, 0, {}};
    const std::array<int, 4> offsets = drawOffsets(m_params, draw);
    for (std::size_t c = 0; c < 4; ++c)
      act.offsets[c] = static_cast<std::int16_t>(std::clamp(offsets[c], -255, 255));
    into.add(act);
  }
  std::size_t mostActs() const override { return 1; }

 private:
  Params m_params;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  return inPlaceStream(in, colourFields(in, p.fields), p.fields, p.range > 0, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.range == 0) return text;
  return text.needs("channel_shift")
      .step(fmt::format("ChannelShift({}, {}{})",
                        pythonTexts(context.names(colourFields(context.in, p.fields))),
                        pythonReal(p.range), p.perChannel ? "" : ", per_channel=False"));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  const std::string draw = drawIn(context, text);
  return text.needs("channel_shift")
      .step(fmt::format("channel_shift(sample, {}, {}, reach={}, per_channel={})",
                        fieldList(context, colourFields(context.in, p.fields)), draw,
                        pythonReal(p.range), pythonBool(p.perChannel)));
}

ExportText shortTf(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.range == 0) return text;
  text.local(fmt::format("shift = tf.random.stateless_uniform([{}], {}, {}, {})",
                         p.perChannel ? 3 : 1, drawText(context.node), pythonReal(-p.range),
                         pythonReal(p.range)));
  return text.value(context.names(colourFields(context.in, p.fields)),
                    "tf.cast({}, tf.float32) + tf.round(shift)",
                    {.ofFloats = "{} + tf.round(shift)",
                     .computed = DType::F32,
                     .stored = DType::U8,
                     .whole = true});
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.range == 0) return text;
  text.import("from nvidia.dali import math")
      .local(fmt::format("shift = fn.random.uniform(range={}, shape=[{}])",
                         realPair(-p.range, p.range), p.perChannel ? 3 : 1));
  return text.value(context.names(colourFields(context.in, p.fields)),
                    "fn.cast({} + math.floor(shift + 0.5), dtype=types.UINT8)");
}

ExportText shortTorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.range == 0) return text;
  text.import("import torch");
  text.local(fmt::format("shift = torch.empty({}, 1, 1).uniform_({}, {}).round()",
                         p.perChannel ? 3 : 1, pythonReal(-p.range), pythonReal(p.range)));
  return text.value(context.names(colourFields(context.in, p.fields)), "({} + shift)",
                    {.ofFloats = "{}.add_(shift)",
                     .computed = DType::F32,
                     .stored = DType::U8,
                     .whole = true,
                     .typed = true});
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("channel_shift", Category::Colour, NodeRole::Sample);
  d.label("Channel shift")
      .help(
          "Adds a random number to each colour channel and clamps to 0 to 255, which imitates "
          "other lamps and cameras. Image and target get the same numbers; masks are unchanged.");
  d.example(R"({"range": 20, "per_channel": true})");
  d.tags({"RGBShift", "channel_shift_range", "tint", "white balance", "augmentation"});
  d.real("range", &Params::range)
      .label("Range")
      .help("Maximum change in either direction.")
      .range(0, 255)
      .unit("levels of 255")
      .live();
  d.boolean("per_channel", &Params::perChannel)
      .label("Separate channels")
      .help(
          "Draw one number per channel. If off, one number is used for all channels, which changes "
          "the brightness.");
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<ChannelShift>(d, colourFields);
  colourChange<ShiftChange>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  d.exporter("tfdata.short", shortTf);
  d.exporter("dali.short", shortDali);
  d.exporter("pytorch.short", shortTorch);
  return d.take();
}

}  // namespace millrace::nodes::channel_shift
