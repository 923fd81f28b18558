// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "core/pass/device_pass_op.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"

namespace millrace {

/// The hooks of nodes whose work is a step of a pixel pass: the fields they act on, their CPU side
/// if it is a pass too, and their device side, all from one function that creates the step.

template <class Params, class Fields, class Make>
void imageStep(Describe<Params>& d, Fields fieldsOf, Make make) {
  d.acts([fieldsOf](const Params& p, const StreamType& in) { return fieldsOf(in, p.fields); });
  d.image([make](const Params& p, const BuildContext&) -> Result<ImageStep> { return make(p); });
  d.deviceOp([fieldsOf, make](const Params& p, const BuildContext& context) {
    return makeDevicePass({make(p), nullptr, fieldsOf(context.in, p.fields)}, context.in);
  });
}

/// A geometric node whose step is the WindowStep constructed from its Params.
template <class Step, class Params>
void geometryStep(Describe<Params>& d) {
  imageStep(d, geometryFields, [](const Params& p) {
    ImageStep step;
    step.window = std::make_shared<Step>(p);
    return step;
  });
}

/// For normalise and precision: `make` creates the step.
template <class Params, class Make>
void tensorStep(Describe<Params>& d, Make make) {
  imageStep(d, colourFields, std::move(make));
}

/// The device side of a colour node: the ColourChange constructed from its Params.
template <class Change, class Params>
void colourChange(Describe<Params>& d) {
  d.deviceOp([](const Params& p, const BuildContext& context) {
    return makeDevicePass({{}, std::make_shared<Change>(p), colourFields(context.in, p.fields)},
                          context.in);
  });
}

}  // namespace millrace
