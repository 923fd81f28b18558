// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device.h"
#include "core/spec/describe.h"

namespace millrace::nodes::transfer {

namespace {

struct Params {
  bool pinned = true;
  std::int64_t slots = 3;
  PlaceRequest place = PlaceRequest::Auto;
};

constexpr const char* kStayHere =
    "set `place` to `auto`: batches then stay in host memory if there is no GPU";

/// Whether batches go to a device: `gpu` requires one, `auto` uses one if available.
bool goesToDevice(const Params& params, InferContext& context) {
  const bool demanded = params.place == PlaceRequest::Gpu;
  switch (context.deviceUse()) {
    case DeviceUse::DontDetect: return demanded;
    case DeviceUse::HostOnly:
      if (demanded)
        context.error("place", "a GPU is required, but this program takes batches in host memory",
                      std::string("open the loader with a device, or ") + kStayHere);
      return false;
    case DeviceUse::Detect: break;
  }
  const DeviceSupport support = deviceSupport();
  if (!support.usable && demanded)
    context.error("place", "a GPU is required, but " + support.reason,
                  support.remedy + ", or " + kStayHere);
  return support.usable;
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (in.place == Place::Device)
    context.error("", "the batch is already on the GPU",
                  "remove this node or the earlier transfer");
  else if (goesToDevice(params, context))
    out.place = Place::Device;
  return out;
}

ExportText inHostMemory(const char* sentence) { return ExportText{}.limit(sentence); }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("transfer", Category::Runtime, NodeRole::Transfer);
  d.label("Transfer")
      .help(
          "Copies finished batches to the GPU, in a separate thread and stream, while the GPU "
          "works on the previous batch. The following nodes run on the GPU. On a machine without a "
          "GPU it passes batches on unchanged.");
  d.example(R"({"pinned": true, "slots": 3})");
  d.tags({"gpu", "cuda", "pin_memory", "non_blocking", "host to device", "copy"});
  d.boolean("pinned", &Params::pinned)
      .label("Pinned")
      .help(
          "Workers write batches to page-locked memory, from which the GPU copies directly. If "
          "off, the driver makes an additional copy of each batch, like `pin_memory=False`.");
  d.integer("slots", &Params::slots)
      .label("Slots")
      .range(2, 64)
      .unit("batches")
      .help(
          "Number of batches in GPU memory: one in use, the others being prepared. A prefetch node "
          "after this node sets the number instead.");
  d.choice<PlaceRequest>("place", &Params::place,
                         {{PlaceRequest::Auto, "auto",
                           "To the GPU if there is one, otherwise batches stay where they are."},
                          {PlaceRequest::Gpu, "gpu", "To the GPU. An error if there is none."}})
      .label("Place")
      .help("What happens on a machine without a GPU.");
  d.infer(infer);
  d.transfer([](const Params& p) { return TransferSettings{p.pinned, p.slots}; });
  d.exporter("pytorch", [](const Params&, const ExportContext&) {
    return inHostMemory(
        "Batches come in host memory, page-locked where there is a GPU: copy them in the training "
        "step, by `.to(\"cuda\", non_blocking=True)`.");
  });
  d.exporter("tfdata", [](const Params&, const ExportContext&) {
    return inHostMemory(
        "Batches come in host memory: TensorFlow copies them to the GPU when a step uses them.");
  });
  d.exporter("grain", [](const Params&, const ExportContext&) {
    return inHostMemory(
        "Batches come in host memory, as NumPy arrays: `jax.device_put` copies them.");
  });
  d.exporter("dali", [](const Params&, const ExportContext&) {
    return inHostMemory(
        "This graph runs on the CPU and hands batches over in host memory: with a device_id, "
        "`.gpu()` on its outputs copies them.");
  });
  return d.take();
}

}  // namespace millrace::nodes::transfer
