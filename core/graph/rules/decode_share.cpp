// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/decode_share.h"

#include <fmt/format.h>

#include "core/cuda/libraries/jpeg_library.h"

namespace millrace {

namespace {

constexpr const char* kParam = "gpu_share";
constexpr const char* kBalance = "gpu_balance";

double askedShare(const CheckedNode& node) {
  const auto value = node.values.find(kParam);
  if (value == node.values.end()) return 0;
  const auto* const percent = std::get_if<std::int64_t>(&value->second);
  return percent == nullptr ? 0 : static_cast<double>(*percent);
}

const CheckedNode* transferAfter(const std::vector<CheckedNode>& nodes, std::size_t i) {
  for (std::size_t k = i + 1; k < nodes.size(); ++k)
    if (nodes[k].spec->role == NodeRole::Transfer) return &nodes[k];
  return nullptr;
}

/// Whether a node passes samples or batches on without reading their pictures.
bool handsOn(NodeRole role) {
  return role == NodeRole::Workers || role == NodeRole::Batch || role == NodeRole::Prefetch;
}

/// The first picture decoded by node i whose size is fixed before `transfer`, because it was
/// padded.
const FieldSpec* paddedPicture(const CheckedNode& node, const CheckedNode& transfer) {
  for (const FieldSpec& field : node.out.fields) {
    const FieldSpec* const before = node.in.field(field.name);
    const FieldSpec* const there = transfer.in.field(field.name);
    const bool decoded = before != nullptr && before->dtype == DType::Encoded;
    if (decoded && field.role != Role::Mask && there != nullptr && there->shape.known())
      return there;
  }
  return nullptr;
}

Status libraryForDevice() {
  const auto library = JpegLibrary::use(deviceSupport().backend);
  return library ? Status{} : Status{library.error()};
}

class GpuShares {
 public:
  GpuShares(const std::vector<CheckedNode>& nodes, DeviceUse use, Problems& problems)
      : m_nodes(nodes), m_use(use), m_problems(problems) {}

  void check() {
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
      if (askedShare(m_nodes[i]) > 0) checkNode(i);
  }

 private:
  void checkNode(std::size_t i) {
    const CheckedNode& node = m_nodes[i];
    if (node.in.place == Place::Device) return;  // reported as a node of the CPU
    const CheckedNode* const transfer = transferAfter(m_nodes, i);
    if (transfer == nullptr)
      return error(node, "no later node moves batches to a GPU", "add a transfer after the batch");
    for (const CheckedNode* between = &node + 1; between != transfer; ++between)
      if (!handsOn(between->spec->role))
        return error(
            node, fmt::format("`{}` needs the pixels before the GPU has decoded them", between->id),
            fmt::format("move it after `{}`, or before `{}` if it does not change "
                        "pictures",
                        transfer->id, node.id));
    if (const FieldSpec* const padded = paddedPicture(node, *transfer))
      return error(node, fmt::format("pictures of `{}` are padded in the batch", padded->name),
                   "remove the padding from the batch");
    if (m_use != DeviceUse::Detect || transfer->out.place != Place::Device) return;
    if (const Status library = libraryForDevice(); !library)
      m_problems.warning(node.id, kParam,
                         library.error().message + ": the CPU decodes all pictures",
                         "install nvJPEG, name its file in MILLRACE_NVJPEG, or set it to 0");
  }

  void error(const CheckedNode& node, const std::string& why, const std::string& remedy) {
    m_problems.error(node.id, kParam, "asks the GPU to decode, but " + why,
                     remedy + ", or set it to 0");
  }

  const std::vector<CheckedNode>& m_nodes;
  const DeviceUse m_use;
  Problems& m_problems;
};

}  // namespace

double gpuShare(const std::vector<CheckedNode>& nodes, std::size_t i) {
  const double share = askedShare(nodes[i]);
  if (share <= 0 || nodes[i].in.place == Place::Device) return 0;
  const CheckedNode* const transfer = transferAfter(nodes, i);
  if (transfer == nullptr || transfer->out.place != Place::Device) return 0;
  return libraryForDevice() ? share : 0;
}

bool gpuShareMoves(const CheckedNode& node) {
  const auto value = node.values.find(kBalance);
  if (value == node.values.end()) return false;
  const auto* const balance = std::get_if<std::string>(&value->second);
  return balance != nullptr && *balance == "adaptive";
}

void checkGpuShares(const std::vector<CheckedNode>& nodes, DeviceUse use, Problems& problems) {
  GpuShares(nodes, use, problems).check();
}

}  // namespace millrace
