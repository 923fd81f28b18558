// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/graph/plan_groups.h"

namespace millrace {

namespace {

/// Walks the chain from the source to the consumer and cuts it into stages.
class Lowering {
 public:
  Lowering(CheckedPipeline pipeline, const PlanOptions& options) : m_options(options) {
    m_plan.pipeline = std::move(pipeline);
  }

  Result<Plan> run() {
    while (role(m_plan.batchNode) != NodeRole::Batch) ++m_plan.batchNode;
    for (std::size_t i = 0; i < m_plan.pipeline.nodes.size(); ++i) place(i);
    finishConsumerStage();
    sizeQueues();
    MILLRACE_TRY(fuse());
    return std::move(m_plan);
  }

 private:
  void place(std::size_t i) {
    switch (role(i)) {
      case NodeRole::Source: placeSource(i); break;
      case NodeRole::Order: m_plan.orderNodes.push_back(i); break;
      case NodeRole::Workers: openRegion(i); break;
      case NodeRole::Batch: placeBatch(i); break;
      case NodeRole::Prefetch: placePrefetch(i); break;
      case NodeRole::Transfer: placeTransfer(i); break;
      case NodeRole::BatchOp: addBatchOp(i); break;
      case NodeRole::Consumer: m_plan.consumer = i; break;
      case NodeRole::Image:
      case NodeRole::Sample:
      case NodeRole::Cache: addRowNode(i); break;
    }
  }

  void placeSource(std::size_t i) {
    m_plan.source = i;
    const CheckedNode& node = m_plan.node(i);
    if (!node.spec->readAhead) return;
    const std::int64_t samples = node.spec->readAhead(node.values).samples;
    m_plan.readAhead.samples = static_cast<std::size_t>(samples);
    m_plan.readAhead.threads =
        static_cast<std::size_t>(std::min(samples, ReadAheadSettings::kMostAtOnce));
  }

  void openRegion(std::size_t i) {
    const WorkersSettings settings = m_plan.node(i).spec->workers(m_plan.node(i).values);
    if (m_region && m_batched) closeStage(std::nullopt);
    if (m_region && !m_batched) handRowsOver(i);
    m_region = i;
    m_stage.id = m_plan.node(i).id;
    m_stage.threads = static_cast<std::size_t>(settings.count);
    m_stage.unit = m_batched || !m_plan.stages.empty() ? WorkUnit::Batch : settings.unit;
    m_stage.order = settings.order;
    m_stage.nodes.push_back(i);
  }

  /// Two regions in front of the batch: the first collects the rows of a batch as they are, of any
  /// size, and the second goes on with them, row by row.
  void handRowsOver(std::size_t next) {
    const std::size_t batch = m_plan.batchNode;
    if (m_stage.phases.empty()) m_stage.phases.emplace_back();
    StreamType& rows = m_stage.phases.back().out;
    rows = m_plan.node(next).in;
    rows.level = Level::Batch;
    rows.batchSize = m_plan.node(batch).spec->batch(m_plan.node(batch).values).size;
    closeStage(std::nullopt);
    m_plan.queues.back().id = m_plan.node(next).id;
  }

  void placeBatch(std::size_t i) {
    m_batched = true;
    m_plan.batch = m_plan.node(i).spec->batch(m_plan.node(i).values);
    m_stage.nodes.push_back(i);
    if (m_stage.phases.empty()) m_stage.phases.emplace_back();
    m_stage.phases.back().out = m_plan.node(i).out;
    m_stage.phases.back().formsBatch = true;
    m_rowsClosed = true;
  }

  /// Without a device batches stay where they are; work behind it is out of the region all the same
  /// (CONTRACT §5).
  void placeTransfer(std::size_t i) {
    if (m_plan.node(i).out.place != Place::Device) {
      m_stage.nodes.push_back(i);
      m_regionOver = m_region.has_value();
      return;
    }
    if (m_plan.stages.empty() || m_region || !m_stage.phases.empty()) closeNamed();
    if (m_plan.node(i).spec->transfer(m_plan.node(i).values).pinned)
      m_plan.queues.back().place = Place::Pinned;
    m_stage.id = m_plan.node(i).id;
    m_stage.transfer = i;
    m_stage.nodes.push_back(i);
    m_stage.phases.push_back({{}, {}, m_plan.node(i).out, false});
  }

  /// Behind a transfer it says how many batches may wait on the device, wherever it stands there.
  void placePrefetch(std::size_t i) {
    if (!m_stage.transfer) return closeStage(i);
    m_devicePrefetch = i;
    m_stage.nodes.push_back(i);
  }

  void addDeviceNode(std::size_t i) {
    m_stage.deviceGroups.push_back({{i}});
    m_stage.phases.back().out = m_plan.node(i).out;
    m_stage.nodes.push_back(i);
  }

  void closeTransfer() {
    const CheckedNode& node = m_plan.node(*m_stage.transfer);
    PlanQueue queue;
    queue.id = node.id;
    queue.capacity = static_cast<std::size_t>(node.spec->transfer(node.values).deviceSlots) - 1;
    if (m_devicePrefetch) {
      const CheckedNode& prefetch = m_plan.node(*m_devicePrefetch);
      queue.id = prefetch.id;
      queue.capacity =
          static_cast<std::size_t>(prefetch.spec->prefetch(prefetch.values).batches) + 1;
    }
    queue.place = Place::Device;
    m_plan.stages.push_back(std::move(m_stage));
    m_stage = PlanStage{};
    m_plan.queues.push_back(queue);
  }

  void addRowNode(std::size_t i) {
    if (m_stage.transfer) return addDeviceNode(i);
    if (m_regionOver) closeStage(std::nullopt);
    std::vector<PlanPhase>& phases = m_stage.phases;
    if (phases.empty() || m_rowsClosed || !phases.back().batchOps.empty()) phases.emplace_back();
    m_rowsClosed = false;
    phases.back().rowGroups.push_back({{i}});
    phases.back().out = m_plan.node(i).out;
    m_stage.nodes.push_back(i);
  }

  void addBatchOp(std::size_t i) {
    if (m_stage.transfer) return addDeviceNode(i);
    if (m_regionOver) closeStage(std::nullopt);
    if (m_stage.phases.empty()) m_stage.phases.emplace_back();
    m_stage.phases.back().batchOps.push_back(i);
    m_stage.phases.back().out = m_plan.node(i).out;
    m_stage.nodes.push_back(i);
  }

  /// Ends the stage at a queue: `prefetch` is its node, none where one region follows another.
  void closeStage(std::optional<std::size_t> prefetch) {
    PlanQueue queue;
    queue.id = m_plan.node(prefetch.value_or(m_plan.batchNode)).id;
    queue.capacity = 1;
    if (prefetch) {
      const CheckedNode& node = m_plan.node(*prefetch);
      queue.capacity = static_cast<std::size_t>(node.spec->prefetch(node.values).batches);
      m_stage.nodes.push_back(*prefetch);
    }
    if (m_stage.id.empty()) m_stage.id = queue.id;
    if (m_stage.phases.empty())
      m_stage.phases.push_back({{}, {}, m_plan.node(m_stage.nodes.back()).out, false});
    m_plan.stages.push_back(std::move(m_stage));
    m_stage = PlanStage{};
    m_rowsClosed = false;
    m_plan.queues.push_back(queue);
    m_region.reset();
    m_regionOver = false;
  }

  Status fuse() {
    if (!m_options.fuse) return {};
    for (PlanStage& stage : m_plan.stages)
      for (PlanPhase& phase : stage.phases)
        MILLRACE_TRY(fuseImageGroups(m_plan.pipeline, phase.rowGroups));
    for (PlanStage& stage : m_plan.stages) fuseDeviceGroups(m_plan.pipeline, stage.deviceGroups);
    return {};
  }

  /// What is left behind the last queue runs on the consumer's thread. A region that no prefetch
  /// node ends still hands finished batches over, through a queue of its own.
  void finishConsumerStage() {
    if (m_stage.transfer) closeTransfer();
    if (m_region) {
      const bool inFrontOfBatch = *m_region < m_plan.batchNode;
      closeStage(std::nullopt);
      if (inFrontOfBatch) moveBehindBatchToConsumer();
    }
    if (m_options.consumerApart) closeConsumersWork();
    m_stage.id = m_plan.node(m_plan.consumer).id;
    m_stage.onConsumer = true;
    m_stage.nodes.push_back(m_plan.consumer);
    m_plan.stages.push_back(std::move(m_stage));
  }

  void closeConsumersWork() {
    if (m_plan.stages.empty() || !m_stage.phases.empty()) closeNamed();
  }

  /// Ends a stage that no node ends. Without a region it is named after its last node, which no
  /// other stage has, and so is its queue; that of a region in front of the batch has its usual
  /// name.
  void closeNamed() {
    const std::string last =
        m_plan.node(m_stage.nodes.empty() ? m_plan.batchNode : m_stage.nodes.back()).id;
    const bool plain = m_region && *m_region < m_plan.batchNode;
    if (!m_region) m_stage.id = last;
    closeStage(std::nullopt);
    if (!plain) m_plan.queues.back().id = last;
  }

  /// CONTRACT §5: a region in front of the batch ends with it, and nodes in no region run on the
  /// consumer's thread where no queue follows.
  void moveBehindBatchToConsumer() {
    PlanStage& region = m_plan.stages.back();
    PlanPhase& first = region.phases.front();
    if (!first.batchOps.empty()) {
      m_stage.phases.push_back({{}, std::move(first.batchOps), first.out, false});
      first.batchOps.clear();
      first.out = m_plan.node(m_plan.batchNode).out;
    }
    std::move(region.phases.begin() + 1, region.phases.end(), std::back_inserter(m_stage.phases));
    region.phases.resize(1);
    const auto split = std::find(region.nodes.begin(), region.nodes.end(), m_plan.batchNode) + 1;
    m_stage.nodes.assign(split, region.nodes.end());
    region.nodes.erase(split, region.nodes.end());
  }

  void sizeQueues() {
    for (std::size_t i = 0; i < m_plan.queues.size(); ++i) {
      PlanQueue& queue = m_plan.queues[i];
      const PlanStage& writer = m_plan.stages[i];
      queue.from = writer.id;
      queue.to = m_plan.stages[i + 1].id;
      // One batch with the reader, and as many in the making as the writer works on at once.
      const bool wholeBatches = writer.unit == WorkUnit::Batch || i > 0 || writer.phases.size() > 1;
      queue.slotCount = queue.capacity + 1 + (wholeBatches ? writer.threads : 1);
      // On a device those in the making wait there too: their work is enqueued, not done.
      if (writer.transfer) queue.slotCount = queue.capacity + 1;
      if (writer.transfer)
        addDeviceBytes(writer, queue);
      else
        addHostBytes(writer, queue);
    }
  }

  /// Adds a field of a batch of `rows` to what a slot of the queue takes.
  static void addBytes(const FieldSpec& field, std::int64_t rows, PlanQueue& queue) {
    const std::int64_t elements = field.shape.elements();
    if (field.dtype == DType::Encoded || elements == Shape::kUnknown)
      queue.anySize = true;
    else
      queue.batchBytes += static_cast<std::size_t>(elements * rows) * sizeOf(field.dtype);
  }

  /// Memory of a slot: that of every phase's batch.
  static void addHostBytes(const PlanStage& stage, PlanQueue& queue) {
    for (const PlanPhase& phase : stage.phases)
      for (const FieldSpec& field : phase.out.fields) addBytes(field, phase.out.batchSize, queue);
  }

  /// What is copied, and every field that an operation makes anew.
  void addDeviceBytes(const PlanStage& stage, PlanQueue& queue) const {
    for (const std::size_t i : stage.nodes) {
      const CheckedNode& node = m_plan.node(i);
      for (const FieldSpec& field : node.out.fields) {
        const FieldSpec* before = node.in.field(field.name);
        if (node.spec->role == NodeRole::Transfer || before == nullptr || *before != field)
          addBytes(field, node.out.batchSize, queue);
      }
    }
  }

  NodeRole role(std::size_t i) const { return m_plan.node(i).spec->role; }

  PlanOptions m_options;
  Plan m_plan;
  PlanStage m_stage;
  std::optional<std::size_t> m_region;
  std::optional<std::size_t> m_devicePrefetch;
  bool m_batched = false;
  bool m_regionOver = false;  ///< the next work is not the region's
  bool m_rowsClosed = false;  ///< the next row node starts a phase
};

std::string groupText(const Plan& plan, const PlanGroup& group) {
  std::vector<std::string> ids;
  for (const std::size_t i : group.nodes) ids.push_back(plan.node(i).id);
  const std::string text = join(ids, " + ");
  return ids.size() > 1 ? "[" + text + "]" : text;
}

std::string stageText(const Plan& plan, const PlanStage& stage) {
  std::vector<std::string> work;
  for (const PlanPhase& phase : stage.phases) {
    for (const PlanGroup& group : phase.rowGroups) work.push_back(groupText(plan, group));
    if (phase.formsBatch) work.push_back(plan.node(plan.batchNode).id);
    for (const std::size_t i : phase.batchOps) work.push_back(plan.node(i).id + " (whole batch)");
  }
  if (stage.transfer) work.push_back("copy to the GPU");
  for (const PlanGroup& group : stage.deviceGroups) work.push_back(groupText(plan, group));
  if (&stage == plan.stages.data()) work.insert(work.begin(), "read");
  if (stage.onConsumer) work.push_back(plan.node(plan.consumer).id);
  const char* threads = stage.onConsumer ? "the consumer's thread" : nullptr;
  return fmt::format(
      "stage {}: {}{}: {}", stage.id,
      threads ? threads : fmt::format("{} thread{}", stage.threads, stage.threads == 1 ? "" : "s"),
      stage.unit == WorkUnit::Batch ? ", whole batches" : "", join(work, ", "));
}

}  // namespace

std::size_t Plan::counterOf(std::size_t i) const {
  for (const PlanStage& stage : stages)
    for (const PlanPhase& phase : stage.phases)
      for (const PlanGroup& group : phase.rowGroups)
        if (std::find(group.nodes.begin(), group.nodes.end(), i) != group.nodes.end())
          return group.nodes.front();
  for (const PlanStage& stage : stages)
    for (const PlanGroup& group : stage.deviceGroups)
      if (std::find(group.nodes.begin(), group.nodes.end(), i) != group.nodes.end())
        return group.nodes.front();
  return i;
}

std::vector<std::string> Plan::text() const {
  std::vector<std::string> lines;
  std::vector<std::string> order;
  for (const std::size_t i : orderNodes) order.push_back(node(i).id);
  lines.push_back(
      fmt::format("order: {}", order.empty() ? "as the source has it" : join(order, ", ")));
  if (readAhead.samples > 0)
    lines.push_back(fmt::format("read ahead of {}: up to {} samples, {} at once", node(source).id,
                                readAhead.samples, readAhead.threads));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    lines.push_back(stageText(*this, stages[i]));
    if (i >= queues.size()) continue;
    const PlanQueue& queue = queues[i];
    const std::string fixed = humanBytes(static_cast<double>(queue.batchBytes * queue.slotCount));
    const std::string memory = !queue.anySize          ? fixed + " in all"
                               : queue.batchBytes == 0 ? "rows of any size"
                                                       : fixed + " and rows of any size";
    const char* const place = queue.place == Place::Device   ? " of GPU memory"
                              : queue.place == Place::Pinned ? ", pinned"
                                                             : "";
    lines.push_back(fmt::format("queue {}: up to {} finished batches, {} slots, {}{}", queue.id,
                                queue.capacity, queue.slotCount, memory, place));
  }
  for (std::size_t i = 0; i < pipeline.nodes.size(); ++i)
    if (const std::size_t bytes = sideIndexBytes(pipeline, i); bytes > 0)
      lines.push_back(fmt::format("side index of {}: up to {} of memory", node(i).id,
                                  humanBytes(static_cast<double>(bytes))));
  for (const PlanStage& stage : stages)
    for (const PlanPhase& phase : stage.phases)
      for (const PlanGroup& group : phase.rowGroups)
        if (std::string text = resizeText(pipeline, group.nodes.front(), group.nodes);
            !text.empty())
          lines.push_back(std::move(text));
  return lines;
}

Result<Plan> makePlan(CheckedPipeline pipeline, const PlanOptions& options) {
  return Lowering(std::move(pipeline), options).run();
}

}  // namespace millrace
