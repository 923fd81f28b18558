// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_parts.h"

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/plan_groups.h"
#include "core/graph/provenance.h"
#include "core/graph/rules/decode_share.h"

namespace millrace {

namespace {

/// The first cache downstream of node i; nullptr if there is none.
const CheckedNode* cacheAfter(const Plan& plan, std::size_t i) {
  for (std::size_t n = i + 1; n < plan.pipeline.nodes.size(); ++n)
    if (plan.node(n).spec->role == NodeRole::Cache) return &plan.node(n);
  return nullptr;
}

}  // namespace

Result<CacheSet> CacheSet::make(const Plan& plan) {
  CacheSet set;
  for (std::size_t i = 0; i < plan.pipeline.nodes.size(); ++i) {
    const CheckedNode& node = plan.node(i);
    if (const std::size_t bytes = sideIndexBytes(plan.pipeline, i); bytes > 0)
      set.m_sideIndices[node.id] = std::make_shared<SideIndices>(bytes);
    const double share = gpuShare(plan.pipeline.nodes, i);
    if (share > 0 && gpuShareMoves(node))
      set.m_offloadShares[node.id] = std::make_shared<OffloadShare>(share);
    if (node.spec->role != NodeRole::Cache) continue;
    BuildContext context = buildContext(plan.pipeline, i);
    context.provenance = provenanceOf(plan, i);
    auto cache = node.spec->cache(node.values, context);
    if (!cache) return Error{node.id + ": " + cache.error().message};
    set.m_caches[node.id] = cache.take();
  }
  return set;
}

SampleCache* CacheSet::find(const std::string& node) const {
  const auto found = m_caches.find(node);
  return found == m_caches.end() ? nullptr : found->second.get();
}

SideIndices* CacheSet::sideIndices(const std::string& node) const {
  const auto found = m_sideIndices.find(node);
  return found == m_sideIndices.end() ? nullptr : found->second.get();
}

OffloadShare* CacheSet::offloadShare(const std::string& node) const {
  const auto found = m_offloadShares.find(node);
  return found == m_offloadShares.end() ? nullptr : found->second.get();
}

std::vector<CacheFigures> CacheSet::figures() const {
  std::vector<CacheFigures> figures;
  for (const auto& [id, cache] : m_caches) figures.push_back({id, cache->fill()});
  for (const auto& [id, indices] : m_sideIndices) figures.push_back({id, indices->fill()});
  return figures;
}

LiveValues::LiveValues(const Plan& plan) : m_versions(plan.pipeline.nodes.size(), 0) {
  for (const CheckedNode& node : plan.pipeline.nodes) m_values.push_back(node.values);
}

Values LiveValues::valuesOf(std::size_t node) const {
  const MutexLock lock(m_mutex);
  return m_values[node];
}

std::uint64_t LiveValues::versionOf(std::size_t node) const {
  const MutexLock lock(m_mutex);
  return m_versions[node];
}

Status LiveValues::set(const Plan& plan, const std::string& node, const std::string& param,
                       const std::string& text) {
  std::vector<std::string> liveNames;
  for (std::size_t i = 0; i < plan.pipeline.nodes.size(); ++i) {
    const CheckedNode& checked = plan.node(i);
    for (const ParamSpec& spec : checked.spec->params) {
      if (!spec.live) continue;
      liveNames.push_back(checked.id + "." + spec.name);
      if (checked.id != node || spec.name != param) continue;
      Result<Value> value = parseValue(spec.type, text);
      if (!value) return Error{liveNames.back() + ": " + value.error().message};
      if (const auto problem = spec.problemWith(*value))
        return Error{liveNames.back() + ": " + *problem};
      if (const CheckedNode* cache = cacheAfter(plan, i))
        return Error{fmt::format("{}: the samples kept by {} would not change; bypass {} first",
                                 liveNames.back(), cache->id, cache->id)};
      const MutexLock lock(m_mutex);
      m_values[i][spec.name] = value.take();
      m_versions[i] = m_version.load(std::memory_order_relaxed) + 1;
      m_version.store(m_versions[i], std::memory_order_release);
      return {};
    }
  }
  return Error{fmt::format("{}.{} cannot be changed during a run; {}", node, param,
                           liveNames.empty() ? "no parameter of this pipeline can"
                                             : "these can: " + join(liveNames, ", "))};
}

}  // namespace millrace
