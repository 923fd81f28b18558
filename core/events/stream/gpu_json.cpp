// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/gpu_json.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace millrace {

namespace {

using Json = nlohmann::json;

Json valuesJson(const std::string& name, const std::string& ended, const GpuValues& values) {
  Json json = {{"name", validUtf8(name)},
               {"ended", ended.empty() ? Json() : Json(validUtf8(ended))},
               {"throttle_reasons", gpuThrottleNames(values.throttleReasons)}};
  for (const GpuField& field : gpuFields()) {
    const std::optional<double>& value = values.*field.value;
    json[std::string(field.key)] = value ? Json(*value) : Json();
  }
  return json;
}

}  // namespace

Json gpuJson(const std::optional<GpuFigures>& gpu) {
  if (!gpu) return {};
  Json json = valuesJson(gpu->name, gpu->ended, gpu->values);
  json["samples"] = gpu->samples;
  return json;
}

Json gpuJson(const std::optional<GpuNews>& gpu) {
  if (!gpu) return {};
  return valuesJson(gpu->name, gpu->ended,
                    gpu->samples.empty() ? GpuValues() : gpu->samples.back().values);
}

}  // namespace millrace
