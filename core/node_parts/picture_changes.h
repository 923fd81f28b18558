// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/kernels/change/picture_change.h"
#include "core/node_parts/mask_fill.h"
#include "core/pass/device_side.h"
#include "core/pass/object_moves.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/sample_op.h"

namespace millrace::nodes {

/// Parameters of the kinds that apply a change to some of the samples.
struct ChangeParams {
  double probability = 0.5;
  TextList fields;
};

/// Parameters of the kinds whose changes include geometry.
struct PolicyParams {
  Filter filter = Filter::Nearest;
  RealList fill{0};
  RealList maskFill{0};
  TextList fields;
};

/// How pictures of a role are sampled, from the parameters of describeSampling().
template <class Params>
GridSampling samplingOf(const Params& params, Role role) {
  const bool isMask = role == Role::Mask;
  const PadFill fill = padFill(Border::Constant, params.fill, params.maskFill);
  const auto& colour = isMask ? fill.mask : fill.colour;
  GridSampling sampling;
  sampling.nearest = isMask || params.filter == Filter::Nearest;
  // torchvision's pictures without a fill are black too, but blended once less at their border.
  if (colour != std::array<std::uint8_t, 4>{}) sampling.fill = colour;
  return sampling;
}

/// The fields of a stream that changes act on: geometry moves pictures, masks, boxes and keypoints
/// alike, colours change images and targets. For use by one thread.
class ChangedFields {
 public:
  /// Of a kind with changes of colour alone.
  ChangedFields(const StreamType& in, const TextList& named);
  ChangedFields(const StreamType& in, const PolicyParams& params);

  /// The size of the image field, in whose pixels shifts are drawn.
  Size imageSize(const Sample& sample) const;
  Status apply(Sample& sample, std::span<const PictureChange> changes);

 private:
  struct Field {
    std::size_t index = 0;
    ChangeRules rules;
  };
  void moveObjects(Sample& sample, std::span<const PictureChange> changes) const;

  std::vector<Field> m_fields;
  std::size_t m_image = 0;
  ObjectMoves m_objects;
  PictureChanger m_changer;
};

/// A kind that draws changes for a sample: `Draws` is
/// `void (const Params&, Draw&, Size, std::vector<PictureChange>&)`, and appends them.
template <class Params, class Draws>
class ChangeOp final : public SampleOp {
 public:
  ChangeOp(const Params& params, ChangedFields fields, Draws draws)
      : m_params(params), m_fields(std::move(fields)), m_draws(draws) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    m_changes.clear();
    m_draws(m_params, draw, m_fields.imageSize(sample), m_changes);
    return m_changes.empty() ? Status{} : m_fields.apply(sample, m_changes);
  }

 private:
  Params m_params;
  ChangedFields m_fields;
  Draws m_draws;
  std::vector<PictureChange> m_changes;
};

/// The device side of a kind whose changes are tables: `Make` as in colourChangeNode().
template <class Params, class Make>
class TableChange final : public ColourChange {
 public:
  TableChange(const Params& params, Make make) : m_params(params), m_make(make) {}
  void draw(Draw& draw, DrawnColours& into) const override {
    if (!draw.bernoulli(m_params.probability)) return;
    if (const auto table = tableOf(m_make(m_params, draw))) into.add(*table);
  }
  std::size_t mostActs() const override { return 1; }
  std::size_t mostTables() const override { return 1; }

 private:
  Params m_params;
  Make m_make;
};

StreamType changedStream(const StreamType& in, const ChangeParams& params, InferContext& context);

/// Of geometry with these parameters. `random`: the result depends on a draw.
StreamType warpedStream(const StreamType& in, const PolicyParams& params, bool random,
                        InferContext& context);
StreamType policyStream(const StreamType& in, const PolicyParams& params, InferContext& context);

/// Stream and work of a kind whose Params are derived from ChangeParams: `make(params, draw)` is
/// the change of the samples that the probability chooses.
template <class Params, class Make>
void colourChangeNode(Describe<Params>& d, Make make) {
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer([](const Params& p, const StreamType& in, InferContext& context) {
    return changedStream(in, p, context);
  });
  const auto draws = [make](const Params& p, Draw& draw, Size, std::vector<PictureChange>& into) {
    if (draw.bernoulli(p.probability)) into.push_back(make(p, draw));
  };
  d.acts([](const Params& p, const StreamType& in) { return colourFields(in, p.fields); });
  d.sample([draws](const Params& p, const BuildContext& context) {
    return Result<std::unique_ptr<SampleOp>>(std::make_unique<ChangeOp<Params, decltype(draws)>>(
        p, ChangedFields(context.in, p.fields), draws));
  });
}

/// The same for changes that are tables (tableOf()), which a device can apply in its pixel pass.
template <class Params, class Make>
void tableNode(Describe<Params>& d, Make make) {
  colourChangeNode(d, make);
  d.deviceOp([make](const Params& p, const BuildContext& context) {
    return makeDevicePass({{},
                           std::make_shared<TableChange<Params, Make>>(p, make),
                           colourFields(context.in, p.fields)},
                          context.in);
  });
}

/// How geometry samples pictures, in any struct with the members.
template <class Params>
void describeSampling(Describe<Params>& d) {
  d.template choice<Filter>("filter", &Params::filter,
                            {{Filter::Nearest, "nearest", "one pixel, hard edges"},
                             {Filter::Bilinear, "bilinear", "smoother, slower"}})
      .label("Filter")
      .help("Interpolation of rotated, sheared and shifted pictures. Masks always use nearest.");
  d.reals("fill", &Params::fill)
      .label("Fill")
      .help("Colour outside the picture, 0 to 255: one value, or one per channel.");
}

/// The parameters of geometry: describeSampling(), the fill of masks, and the fields.
template <class Params>
void describePolicy(Describe<Params>& d) {
  describeSampling(d);
  describeMaskFill<Params>(d, &Params::maskFill);
  d.fields(&Params::fields);
}

/// The same for a policy, whose Params are derived from PolicyParams. `draws` is not called with
/// `--no-random`, where pictures stay unchanged.
template <class Params, class Draws>
void policyNode(Describe<Params>& d, Draws draws) {
  describePolicy(d);
  const auto random = [draws](const Params& p, Draw& draw, Size image,
                              std::vector<PictureChange>& into) {
    if (!draw.centred()) draws(p, draw, image, into);
  };
  d.acts([](const Params& p, const StreamType& in) { return geometryFields(in, p.fields); });
  d.sample([random](const Params& p, const BuildContext& context) {
    return Result<std::unique_ptr<SampleOp>>(std::make_unique<ChangeOp<Params, decltype(random)>>(
        p, ChangedFields(context.in, p), random));
  });
}

}  // namespace millrace::nodes
