// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/stream_type.h"
#include "core/spec/consumer.h"
#include "core/spec/device_op.h"
#include "core/spec/export_text.h"
#include "core/spec/image_steps.h"
#include "core/spec/infer_context.h"
#include "core/spec/order_op.h"
#include "core/spec/param_spec.h"
#include "core/spec/runtime_settings.h"
#include "core/spec/sample_cache.h"
#include "core/spec/sample_op.h"
#include "core/spec/source.h"

namespace millrace {

class Device;

enum class Category : std::uint8_t {
  Source,
  Order,
  Cache,
  Decode,
  Geometry,
  Colour,
  Tensor,
  Runtime,
  Consumer
};
std::string_view nameOf(Category category);

/// How the engine runs a node. Each role has one hook in NodeSpec, of the same name.
enum class NodeRole : std::uint8_t {
  Source,
  Order,
  Image,
  Sample,
  Cache,
  Workers,
  Batch,
  Prefetch,
  Transfer,
  BatchOp,
  Consumer
};

/// What a node is made in: where relative paths start, and the streams around it as inferred.
struct BuildContext {
  std::string node;
  std::filesystem::path base;
  StreamType in;
  StreamType out;
  std::vector<std::string> classes;  ///< the source's class names
  /// Where the stream around the node lies on a device: that device, while the node runs.
  std::shared_ptr<Device> device = nullptr;
  /// Caches alone: the open source, and what is done to its samples in front of the node, as text
  /// (graph/made_by.h).
  std::shared_ptr<const Source> source = nullptr;
  std::string madeBy = {};
};

/// Everything that there is to know about a node kind. One of these, made by the kind's own file
/// with Describe, is the only place that knows the kind: the inspector, JSON, checks, help,
/// documentation, plan and exporters walk it. Constant after the catalog is made; any thread.
struct NodeSpec {
  std::string kind;     ///< snake_case, also the first id
  std::string label;    ///< as a person sees it
  std::string help;     ///< what it does, in a few sentences
  std::string example;  ///< one line of JSON parameters that makes sense, for help
  std::vector<std::string> tags;
  Category category = Category::Tensor;
  NodeRole role = NodeRole::Sample;
  bool canBypass = true;
  std::vector<ParamSpec> params;

  /// The stream behind the node; reports what does not fit. Always set. Values are complete and of
  /// the right types. For a source `in` is empty.
  std::function<StreamType(const Values&, const StreamType& in, InferContext&)> infer;

  std::function<Result<std::shared_ptr<const Source>>(const Values&, const BuildContext&)> source;
  std::function<Result<std::shared_ptr<const OrderOp>>(const Values&, const BuildContext&)> order;
  std::function<Result<ImageStep>(const Values&, const BuildContext&)> image;
  std::function<Result<std::unique_ptr<SampleOp>>(const Values&, const BuildContext&)> sample;
  std::function<Result<std::shared_ptr<SampleCache>>(const Values&, const BuildContext&)> cache;
  std::function<WorkersSettings(const Values&)> workers;
  std::function<BatchSettings(const Values&)> batch;
  std::function<PrefetchSettings(const Values&)> prefetch;
  std::function<TransferSettings(const Values&)> transfer;
  std::function<Result<std::unique_ptr<BatchOp>>(const Values&, const BuildContext&)> batchOp;
  std::function<Result<std::unique_ptr<Consumer>>(const Values&, const BuildContext&)> consumer;

  /// Source role, where samples may be read ahead of the workers.
  std::function<ReadAheadSettings(const Values&)> readAhead;

  /// Image, Sample and BatchOp roles: the node's side on a device, where it has one. Then it may
  /// stand behind a transfer; streams that reach it there have place Device.
  std::function<Result<std::unique_ptr<DeviceOp>>(const Values&, const BuildContext&)> deviceOp;

  /// Image role: the fields acted on. Others leave it empty.
  std::function<std::vector<std::size_t>(const Values&, const StreamType& in)> acts;
  /// What each exporter writes, by target ("pytorch", "tfdata", "dali").
  std::map<std::string, std::function<ExportText(const Values&, const ExportContext&)>, std::less<>>
      exporters;

  const ParamSpec* param(std::string_view name) const;
  Values defaults() const;
  /// What its parameter `place` says; Auto where it has none.
  PlaceWish placeWish(const Values& values) const;
};

}  // namespace millrace
