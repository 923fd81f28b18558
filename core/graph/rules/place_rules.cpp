// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/place_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/cuda/device.h"

namespace millrace {

namespace {

bool drawsForViews(const CheckedNode& node) {
  if (node.out.randomFrom != node.id || !node.spec->acts) return false;
  return std::ranges::any_of(node.spec->acts(node.values, node.in),
                             [&](std::size_t field) { return node.in.fields[field].view > 0; });
}

class DevicePlaces {
 public:
  DevicePlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, DeviceUse use,
               Problems& problems)
      : m_nodes(nodes), m_catalog(catalog), m_use(use), m_problems(problems) {}

  void check() {
    for (const CheckedNode& node : m_nodes) {
      if (node.spec->role == NodeRole::Transfer) {
        m_transfer = &node;
        continue;
      }
      if (node.in.place == Place::Device) checkSide(node);
      checkRequest(node);
    }
  }

 private:
  void checkSide(const CheckedNode& node) {
    switch (node.spec->role) {
      case NodeRole::Image:
      case NodeRole::Sample:
      case NodeRole::BatchOp:
        if (!node.spec->deviceOp)
          error(node, "", "works only on the CPU");
        else if (drawsForViews(node))
          error(node, "", "draws separately for each view, which works only on the CPU");
        return;
      case NodeRole::Workers: return error(node, "", "starts CPU threads");
      case NodeRole::Cache: return error(node, "", "keeps samples in host memory");
      case NodeRole::Source:
      case NodeRole::Order:
      case NodeRole::Batch:
      case NodeRole::Prefetch:
      case NodeRole::Transfer:
      case NodeRole::Consumer:
      case NodeRole::Choice: return;
    }
  }

  void checkRequest(const CheckedNode& node) {
    const bool onDevice = node.in.place == Place::Device;
    switch (node.spec->placeRequest(node.values)) {
      case PlaceRequest::Auto: return;
      case PlaceRequest::Cpu:
        if (onDevice) error(node, "place", "asks for the CPU");
        return;
      case PlaceRequest::Gpu:
        if (!onDevice && node.spec->deviceOp) wantsDevice(node);
        return;
    }
  }

  /// `what` is not possible for a batch that is on the device.
  void error(const CheckedNode& node, std::string field, const char* what) {
    MILLRACE_CHECK(m_transfer != nullptr, "only a transfer moves batches to a device");
    m_problems.error(
        node.id, std::move(field),
        fmt::format("{}, but after `{}` batches are on the GPU", what, m_transfer->id),
        fmt::format("move it before `{}`, or remove `{}`", m_transfer->id, m_transfer->id));
  }

  void wantsDevice(const CheckedNode& node) {
    constexpr const char* kAuto = "set `place` to `auto`";
    if (m_transfer == nullptr)
      return m_problems.error(node.id, "place",
                              "asks for a GPU, but no earlier node moves batches there",
                              fmt::format("add {} node before it, or {}", transferKind(), kAuto));
    if (m_use == DeviceUse::DontDetect) return;
    if (m_use == DeviceUse::HostOnly)
      return m_problems.error(node.id, "place",
                              "asks for a GPU, but this program takes batches in host memory",
                              fmt::format("open the loader with a device, or {}", kAuto));
    const DeviceSupport support = deviceSupport();
    m_problems.error(node.id, "place", "asks for a GPU, but " + support.reason,
                     fmt::format("{}, or {}", support.remedy, kAuto));
  }

  std::string transferKind() const {
    for (const NodeSpec& spec : m_catalog.all())
      if (spec.role == NodeRole::Transfer) return "a `" + spec.kind + "`";
    return "a transfer";
  }

  const std::vector<CheckedNode>& m_nodes;
  const Catalog& m_catalog;
  const DeviceUse m_use;
  Problems& m_problems;
  const CheckedNode* m_transfer = nullptr;
};

}  // namespace

void checkDevicePlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, DeviceUse use,
                       Problems& problems) {
  DevicePlaces(nodes, catalog, use, problems).check();
}

void markPinned(std::vector<CheckedNode>& nodes) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const CheckedNode& node = nodes[i];
    if (node.spec->role != NodeRole::Transfer || node.out.place != Place::Device ||
        node.in.place != Place::Host || !node.spec->transfer(node.values).pinned)
      continue;
    for (std::size_t k = i; k > 0; --k) {
      nodes[k].in.place = Place::Pinned;
      nodes[k - 1].out.place = Place::Pinned;
      if (nodes[k - 1].spec->role != NodeRole::Prefetch) break;
    }
  }
}

}  // namespace millrace
