// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rank_gpus.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/text/text.h"
#include "core/cuda/cuda_facts.h"
#include "core/cuda/device.h"

namespace millrace {

std::vector<std::string> gpusOfRanks(std::size_t ranks, std::size_t devices,
                                     const std::optional<std::string>& visible) {
  std::vector<std::string> names;
  if (visible)
    for (const std::string& name : split(*visible, ','))
      if (names.size() < devices) names.emplace_back(trimmed(name));
  if (!visible)
    for (std::size_t i = 0; i < devices; ++i) names.push_back(std::to_string(i));
  std::vector<std::string> each;
  for (std::size_t i = 0; i < ranks && !names.empty(); ++i) each.push_back(names[i % names.size()]);
  return each;
}

std::vector<std::string> gpusOfRanks(std::size_t ranks) {
  const DeviceSupport support = deviceSupport();
  if (!support.usable || support.backend != DeviceBackend::Cuda) return {};
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return gpusOfRanks(ranks, cudaFacts().devices.size(),
                     visible == nullptr ? std::nullopt : std::optional<std::string>(visible));
}

}  // namespace millrace
