// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::flip {

namespace {

struct Params {
  double horizontal = 0.5;
  double vertical = 0.0;
  TextList fields;
};

class Flip final : public WindowStep {
 public:
  explicit Flip(const Params& params) : m_params(params) {}
  Status apply(Window& window, Draw& draw) const override {
    if (draw.bernoulli(m_params.horizontal)) window.flipHorizontally();
    if (draw.bernoulli(m_params.vertical)) window.flipVertically();
    return {};
  }

 private:
  Params m_params;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  checkPictures(in, geometryFields(in, p.fields), PictureNeed::U8OrF32, context);
  if (p.horizontal > 0 || p.vertical > 0) out.randomFrom = context.node();
  return out;
}

/// `axis`: of planes.
StepTraits flipTraits(int axis, double chance) {
  return {.anyType = true,
          .alone = fmt::format("if torch.rand(()) < {}:\n    {{}} = {{}}.flip({})",
                               pythonReal(chance), axis)};
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const TextList fields =
      context.only(geometryFields(context.in, p.fields), {Role::Image, Role::Target, Role::Mask});
  ExportText text;
  text.import("from torchvision.transforms import v2");
  if (const double chance = context.chance(p.horizontal); chance > 0)
    text.step(fmt::format("v2.RandomHorizontalFlip(p={})", pythonReal(chance)), fields)
        .traits(flipTraits(-1, chance));
  if (const double chance = context.chance(p.vertical); chance > 0)
    text.step(fmt::format("v2.RandomVerticalFlip(p={})", pythonReal(chance)), fields)
        .traits(flipTraits(-2, chance));
  return text;
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const double across = context.chance(p.horizontal);
  const double down = context.chance(p.vertical);
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  if (across == 0 && down == 0) return text;
  const std::string draw = drawIn(context, text);
  return text.needs("random_flip")
      .step(fmt::format("random_flip(sample, {}, {}, horizontal={}, vertical={})",
                        fieldList(context, acted), draw, pythonReal(across), pythonReal(down)));
}

/// The short form in tf.data: the same seed flips all pictures of a sample alike.
ExportText shortTf(const Params& p, const ExportContext& context) {
  const TextList fields = context.names(geometryFields(context.in, p.fields));
  const std::string seed = drawText(context.node);
  const double across = context.chance(p.horizontal);
  const double down = context.chance(p.vertical);
  ExportText text;
  text.missing = planesInTheWay(context, geometryFields(context.in, p.fields));
  if ((across != 0 && across != 0.5) || (down != 0 && down != 0.5))
    return longForm("TensorFlow flips with probability 0.5");
  if (across > 0)
    text.value(fields, "tf.image.stateless_random_flip_left_right({}, " + seed + ")",
               {.anyType = true});
  if (down > 0)
    text.value(fields,
               "tf.image.stateless_random_flip_up_down({}, " + seed + (across > 0 ? " + 1)" : ")"),
               {.anyType = true});
  return text;
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  const TextList fields = context.names(geometryFields(context.in, p.fields));
  const double across = context.chance(p.horizontal);
  const double down = context.chance(p.vertical);
  ExportText text;
  text.missing = planesInTheWay(context, geometryFields(context.in, p.fields));
  if (across > 0) {
    text.local(fmt::format("mirror = fn.random.coin_flip(probability={})", pythonReal(across)));
    // One by one: the normalisation of a field can take over its mirroring.
    for (const std::string& name : fields)
      text.value({name}, "fn.flip({}, horizontal=mirror)", {.anyType = true, .mirror = "mirror"});
  }
  if (down > 0)
    text.local(fmt::format("turn = fn.random.coin_flip(probability={})", pythonReal(down)))
        .value(fields, "fn.flip({}, horizontal=0, vertical=turn)");
  return text;
}

/// The statement that mirrors pictures of NumPy with this probability.
std::string flipInNumPy(const TextList& fields, const std::string& mirrored, double chance,
                        const std::string& draw) {
  std::string statement = replaceFields(fields, mirrored);
  if (chance >= 1) return statement;
  std::string indented;
  for (const std::string& line : millrace::split(statement, '\n')) indented += "\n    " + line;
  return fmt::format("if {}.random() < {}:", draw, pythonReal(chance)) + indented;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  const TextList fields = context.names(geometryFields(context.in, p.fields));
  const std::string draw = drawText(context.node);
  ExportText text;
  text.missing = planesInTheWay(context, geometryFields(context.in, p.fields));
  if (const double chance = context.chance(p.horizontal); chance > 0)
    text.step(flipInNumPy(fields, "{}[:, ::-1]", chance, draw));
  if (const double chance = context.chance(p.vertical); chance > 0)
    text.step(flipInNumPy(fields, "{}[::-1]", chance, draw));
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("flip", Category::Geometry, NodeRole::Image);
  d.label("Flip").help(
      "Mirrors pictures at random; image, target and mask alike. It is free if it runs in one pass "
      "with a crop or resize.");
  d.example(R"({"horizontal": 0.5, "vertical": 0.0})");
  d.tags({"mirror", "fliplr", "flipud", "RandomHorizontalFlip", "augmentation"});
  d.real("horizontal", &Params::horizontal)
      .label("Horizontal")
      .help("Probability of mirroring left to right.")
      .range(0, 1)
      .live();
  d.real("vertical", &Params::vertical)
      .label("Vertical")
      .help("Probability of mirroring top to bottom.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<Flip>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  d.exporter("tfdata.short", shortTf);
  d.exporter("dali.short", shortDali);
  d.exporter("grain.short", shortGrain);
  return d.take();
}

}  // namespace millrace::nodes::flip
