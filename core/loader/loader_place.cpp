// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader_place.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/graph/chain.h"
#include "core/graph/edit/graph_edit.h"

namespace millrace {

namespace {

constexpr std::string_view kCuda = "cuda";

const NodeSpec* transferSpec(const Catalog& catalog) {
  for (const NodeSpec& spec : catalog.all())
    if (spec.role == NodeRole::Transfer) return &spec;
  return nullptr;
}

/// Pinned memory works with every device: use the program's current device if it has one, which
/// avoids starting another.
Result<std::shared_ptr<Device>> openForPinned() {
  if (const auto current = currentDevice())
    if (auto device = openDevice(*current)) return device;
  return openDevice();
}

}  // namespace

Result<LoaderPlace> LoaderPlace::parse(const std::string& text) {
  if (text == "cpu") return LoaderPlace{};
  if (text == "pinned") return LoaderPlace{Place::Pinned, 0};
  if (text == kCuda) return LoaderPlace{Place::Device, 0};
  LoaderPlace found{Place::Device, 0};
  if (text.starts_with("cuda:")) {
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + kCuda.size() + 1, end, found.gpu);
    if (error == std::errc() && rest == end && found.gpu >= 0) return found;
  }
  return Error{fmt::format(
      "device: `{}` is unknown; give `cuda` or `cuda:1` for batches on a GPU, `pinned` for "
      "page-locked memory, or `cpu`",
      text)};
}

std::string LoaderPlace::text() const {
  if (place == Place::Device) return fmt::format("{}:{}", kCuda, gpu);
  return place == Place::Pinned ? "pinned" : "cpu";
}

Result<std::shared_ptr<Device>> LoaderPlace::open() const {
  if (place == Place::Host) return std::shared_ptr<Device>();
  auto device = place == Place::Pinned ? openForPinned() : openDevice(gpu);
  if (device) return device;
  return Error{fmt::format("device: {}: {}; without this option batches are in ordinary memory",
                           text(), device.error().message)};
}

Result<OnDevice> withTransfer(Graph graph, const Catalog& catalog) {
  const NodeSpec* spec = transferSpec(catalog);
  if (spec == nullptr) return Error{"no node kind moves batches to a GPU"};
  Problems ignored;
  const std::vector<std::size_t> chain = findChain(graph, catalog, ignored);
  for (const std::size_t i : chain) {
    GraphNode& node = graph.nodes[i];
    if (node.kind != spec->kind) continue;
    if (node.state == NodeState::On) return OnDevice{std::move(graph), ""};
    node.state = NodeState::On;
    std::string changed = fmt::format(
        "`{}`, which the pipeline bypasses, was switched on to move batches to a GPU", node.id);
    return OnDevice{std::move(graph), std::move(changed)};
  }
  if (chain.size() < 2) return OnDevice{std::move(graph), ""};
  const NodeId consumer = graph.nodes[chain.back()].id;
  const NodeId last = graph.nodes[chain[chain.size() - 2]].id;
  MILLRACE_ASSIGN_OR_RETURN(auto added,
                            insertNode(std::move(graph), catalog, spec->kind, last, consumer));
  return OnDevice{
      std::move(added.graph),
      fmt::format("`{}` was inserted before `{}` to move batches to a GPU", added.id, consumer)};
}

}  // namespace millrace
