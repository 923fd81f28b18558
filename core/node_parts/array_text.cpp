// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/array_text.h"

#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/python_literal.h"

namespace millrace {

std::string fieldList(const ExportContext& context, const std::vector<std::size_t>& fields) {
  std::vector<std::string> names;
  for (const std::string& name : context.names(fields)) names.push_back(pythonText(name));
  return "[" + join(names, ", ") + "]";
}

std::string drawIn(const ExportContext& context, ExportText& text) {
  text.needs(context.noRandom ? "draws_centred" : "draws");
  return "draw(" + pythonText(context.node) + ")";
}

std::string resampling(Filter filter, bool antialias) {
  constexpr std::array<const char*, 3> kNames = {"nearest", "bilinear", "bicubic"};
  return fmt::format("method=\"{}\", antialias={}", kNames.at(static_cast<std::size_t>(filter)),
                     pythonBool(antialias && filter != Filter::Nearest));
}

ExportText& resizeInTf(const std::vector<std::string>& fields, std::int64_t height,
                       std::int64_t width, Filter filter, bool antialias, ExportText& text) {
  return text.value(
      fields,
      fmt::format("tf.round(tf.image.resize({{}}, [{}, {}]{}{}))", height, width,
                  filter == Filter::Bicubic ? ", \"bicubic\"" : "",
                  antialias ? ", antialias=True" : ""),
      {.computed = DType::F32,
       .stored = DType::U8,
       .whole = true,
       .inRange = filter != Filter::Bicubic});  // its weights may lead out of the range
}

ExportText& resizeInPillow(const std::vector<std::string>& fields, std::int64_t height,
                           std::int64_t width, Filter filter, ExportText& text) {
  const char* name = filter == Filter::Nearest    ? "NEAREST"
                     : filter == Filter::Bilinear ? "BILINEAR"
                                                  : "BICUBIC";
  return text.import("import numpy as np")
      .import("from PIL import Image")
      .value(fields, fmt::format("np.asarray(Image.fromarray({{}}).resize(({}, {}), "
                                 "Image.Resampling.{}))",
                                 width, height, name));
}

std::string realPair(double low, double high) {
  return fmt::format("({}, {})", pythonReal(low), pythonReal(high));
}

std::string planesInTheWay(const ExportContext& context, const std::vector<std::size_t>& fields) {
  for (const std::size_t i : fields)
    if (context.in.fields[i].oneHot && context.in.fields[i].layout == Layout::Chw)
      return fmt::format(
          "`{}` has one plane per class here; put one_hot after the geometry, or set its layout to "
          "nhwc.",
          context.in.fields[i].name);
  return {};
}

std::string floatsToFill(const ExportContext& context, const std::vector<std::size_t>& fields) {
  for (const std::size_t i : fields)
    if (context.in.fields[i].dtype == DType::F32)
      return fmt::format(
          "`{}` is f32 here, and only pictures of bytes are padded in exported code.",
          context.in.fields[i].name);
  return {};
}

}  // namespace millrace
