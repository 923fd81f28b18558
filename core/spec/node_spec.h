// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/stream_type.h"
#include "core/spec/consumer.h"
#include "core/spec/device_op.h"
#include "core/spec/export_text.h"
#include "core/spec/image_steps.h"
#include "core/spec/index_transform.h"
#include "core/spec/infer_context.h"
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

/// How the engine runs a node. Each role has a hook of the same name in NodeSpec.
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
  Consumer,
  /// No part of the chain: it has no wires and names nodes of the chain, of which each sample
  /// passes some.
  Choice
};

/// The context in which a node's objects are created: where relative paths start, and the inferred
/// streams around it.
struct BuildContext {
  std::string node;
  std::filesystem::path base;
  StreamType in;
  StreamType out;
  std::vector<std::string> classes;  ///< the source's class names
  /// The device, if the stream around the node is on one; valid while the node runs.
  std::shared_ptr<Device> device = nullptr;
  /// The open source, if it is open. Caches also get a text that describes what is done to its
  /// samples before this node (core/graph/provenance.h).
  std::shared_ptr<const Source> source = nullptr;
  std::string provenance = {};
};

/// Everything known about a node kind. The kind's own file creates it with Describe, and no other
/// code knows the kind: the inspector, JSON, checks, help, documentation, plan and exporters read
/// it. Constant once the catalog is built; any thread.
struct NodeSpec {
  // Defined in the source, so that not every file that describes a kind compiles them again.
  NodeSpec();
  NodeSpec(const NodeSpec&);
  NodeSpec(NodeSpec&&) noexcept;
  NodeSpec& operator=(const NodeSpec&);
  NodeSpec& operator=(NodeSpec&&) noexcept;
  ~NodeSpec();

  std::string kind;     ///< snake_case, also the first id
  std::string label;    ///< shown to users
  std::string help;     ///< what it does, in a few sentences
  std::string example;  ///< one line of JSON parameters that makes sense, for the help
  std::vector<std::string> tags;
  /// The optional part without which it can be shown but not run (core/base/parts.h); empty: none.
  std::string_view part;
  /// Name and file of the plug-in that it comes from (core/plugins); empty: Millrace's own.
  std::string plugin;
  std::string pluginFile;
  Category category = Category::Tensor;
  NodeRole role = NodeRole::Sample;
  bool canBypass = true;
  /// Known to have no device side: it cannot follow a transfer.
  bool cpuOnly = false;
  std::vector<ParamSpec> params;

  /// The stream after the node; reports what does not fit. Always set. Values are complete and have
  /// the right types. `in` is empty for a source.
  std::function<StreamType(const Values&, const StreamType& in, InferContext&)> infer;

  std::function<Result<std::shared_ptr<const Source>>(const Values&, const BuildContext&)> source;
  std::function<Result<std::shared_ptr<const IndexTransform>>(const Values&, const BuildContext&)>
      order;
  std::function<Result<ImageStep>(const Values&, const BuildContext&)> image;
  std::function<Result<std::unique_ptr<SampleOp>>(const Values&, const BuildContext&)> sample;
  std::function<Result<std::shared_ptr<SampleCache>>(const Values&, const BuildContext&)> cache;
  std::function<WorkersSettings(const Values&)> workers;
  std::function<BatchSettings(const Values&)> batch;
  std::function<PrefetchSettings(const Values&)> prefetch;
  std::function<TransferSettings(const Values&)> transfer;
  std::function<ChoiceSettings(const Values&)> choice;
  std::function<Result<std::unique_ptr<BatchOp>>(const Values&, const BuildContext&)> batchOp;
  /// BatchOp role, instead of batchOp: it makes a new batch.
  std::function<Result<std::unique_ptr<BatchMap>>(const Values&, const BuildContext&)> batchMap;
  std::function<Result<std::unique_ptr<Consumer>>(const Values&, const BuildContext&)> consumer;

  /// Source role, if samples can be read ahead of the workers.
  std::function<ReadAheadSettings(const Values&)> readAhead;

  /// Image, Sample and BatchOp roles: the node's device side, if it has one. The node may then
  /// follow a transfer; the streams that reach it there have place Device.
  std::function<Result<std::unique_ptr<DeviceOp>>(const Values&, const BuildContext&)> deviceOp;

  /// The fields that it acts on: Image role, and kinds of the Sample role that change each picture
  /// separately, which then work on each view of a picture with separate draws. Empty for others.
  std::function<std::vector<std::size_t>(const Values&, const StreamType& in)> acts;
  /// What each exporter writes, by target ("pytorch", "tfdata", "dali").
  std::map<std::string, std::function<ExportText(const Values&, const ExportContext&)>, std::less<>>
      exporters;

  const ParamSpec* param(std::string_view name) const;
  Values defaults() const;
  /// The value of its parameter `place`; Auto if it has none.
  PlaceRequest placeRequest(const Values& values) const;
};

/// Makes a source infer StreamType::paths from its list of paths, if it has one.
void inferNumberOfPaths(NodeSpec& source);

}  // namespace millrace
