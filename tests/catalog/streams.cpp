// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/catalog/streams.h"

namespace millrace::tests {

namespace {

FieldSpec picture(const char* name, Role role, DType dtype, Shape shape, Layout layout) {
  return {name, dtype, shape, layout, role};
}

FieldSpec label() { return {"label", DType::I64, {}, Layout::Plain, Role::Label, 3}; }

StreamType batchOf(StreamType stream) {
  stream.level = Level::Batch;
  stream.batchSize = 4;
  return stream;
}

StreamType streamOf(std::vector<FieldSpec> fields) {
  StreamType stream;
  stream.fields = std::move(fields);
  stream.samples = 100;
  return stream;
}

void setNumber(const ParamSpec& param, std::optional<double> number, Values& values) {
  if (!number) return;
  if (param.type == ParamType::Integer)
    values[param.name] = static_cast<std::int64_t>(*number);
  else if (param.type == ParamType::Real)
    values[param.name] = *number;
  else if (param.type == ParamType::RealList)
    values[param.name] = RealList(3, *number);
}

}  // namespace

std::vector<StreamType> manyStreams() {
  constexpr std::int64_t kUnknown = Shape::kUnknown;
  const Shape unknown{kUnknown, kUnknown, 3};
  const auto hwc = [](const char* name, Role role, DType type, Shape shape) {
    return picture(name, role, type, shape, Layout::Hwc);
  };
  const auto encoded = [](const char* name, Role role) {
    return picture(name, role, DType::Encoded, {kUnknown}, Layout::Plain);
  };
  std::vector<StreamType> streams = {
      streamOf({}),
      streamOf({label()}),
      streamOf({encoded("image", Role::Image), label()}),
      streamOf({hwc("image", Role::Image, DType::U8, unknown), label()}),
      streamOf({hwc("image", Role::Image, DType::U8, {32, 48, 3}), label()}),
      streamOf({hwc("image", Role::Image, DType::U8, {32, 48, 1}),
                hwc("target", Role::Target, DType::U8, {64, 96, 1}),
                hwc("mask", Role::Mask, DType::U8, {32, 48, 1})}),
      streamOf({hwc("image", Role::Image, DType::U8, {32, 48, 4}), encoded("mask", Role::Mask)}),
      streamOf({picture("image", Role::Image, DType::F32, {3, 32, 48}, Layout::Chw), label()}),
      streamOf({picture("image", Role::Image, DType::F16, {3, 1, 1}, Layout::Chw)}),
      streamOf({picture("data", Role::Features, DType::F32, {7}, Layout::Plain)}),
  };
  const std::size_t samples = streams.size();
  for (std::size_t i = 0; i < samples; ++i) streams.push_back(batchOf(streams[i]));
  StreamType random = streams[4];
  random.randomFrom = "flip";
  streams.push_back(random);
  return streams;
}

std::vector<Values> manyValues(const NodeSpec& spec) {
  const Values defaults = spec.defaults();
  std::vector<Values> all = {defaults, defaults, defaults};
  for (const ParamSpec& param : spec.params) {
    setNumber(param, param.minimum, all[1]);
    setNumber(param, param.maximum, all[2]);
    for (const auto& bound : {param.minimum, param.maximum}) {
      all.push_back(defaults);
      setNumber(param, bound, all.back());
    }
    for (const std::string& choice : param.choices) {
      all.push_back(defaults);
      all.back()[param.name] = choice;
    }
    if (param.type == ParamType::Boolean) {
      all.push_back(defaults);
      all.back()[param.name] = !std::get<bool>(param.defaultValue);
    }
  }
  return all;
}

}  // namespace millrace::tests
