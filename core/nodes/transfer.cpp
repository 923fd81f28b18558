// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  bool pinned = true;
  std::int64_t slots = 3;
  PlaceWish place = PlaceWish::Auto;
};

constexpr const char* kStayHere =
    "set `place` to `auto`: where there is no GPU, batches stay in host memory";

/// Whether the batch goes to a device, which `gpu` demands and `auto` takes where there is one.
bool goesToDevice(const Params& params, InferContext& context) {
  const bool demanded = params.place == PlaceWish::Gpu;
  switch (context.deviceUse()) {
    case DeviceUse::DontLook: return demanded;
    case DeviceUse::HostOnly:
      if (demanded)
        context.error("place", "asks for a GPU, but this program takes batches in host memory",
                      std::string("open the loader with a device, or ") + kStayHere);
      return false;
    case DeviceUse::Look: break;
  }
  const DeviceSupport support = deviceSupport();
  if (!support.usable && demanded)
    context.error("place", "asks for a GPU, but " + support.reason,
                  support.remedy + ", or " + kStayHere);
  return support.usable;
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (in.place == Place::Device)
    context.error("", "the batch is on the GPU already", "remove this node or the one in front");
  else if (goesToDevice(params, context))
    out.place = Place::Device;
  return out;
}

ExportText inHostMemory(const char* sentence) { return ExportText{}.limit(sentence); }

}  // namespace

NodeSpec transfer() {
  Describe<Params> d("transfer", Category::Runtime, NodeRole::Transfer);
  d.label("Transfer")
      .help(
          "Copies finished batches to the GPU, on a thread and a stream of its own, while the GPU "
          "works on the batch before. The nodes behind it run there. On a machine without a GPU it "
          "hands batches on as they are.");
  d.example(R"({"pinned": true, "slots": 3})");
  d.tags({"gpu", "cuda", "pin_memory", "non_blocking", "host to device", "copy"});
  d.boolean("pinned", &Params::pinned)
      .label("Pinned")
      .help(
          "Workers write batches into page-locked memory, out of which the GPU copies by itself. "
          "Off: the driver copies each batch once more, as `pin_memory=False` does.");
  d.integer("slots", &Params::slots)
      .label("Slots")
      .range(2, 64)
      .unit("batches")
      .help(
          "Batches that there is GPU memory for: one in use, the others on their way. A prefetch "
          "node behind it says how many instead.");
  d.choice<PlaceWish>("place", &Params::place,
                      {{PlaceWish::Auto, "auto",
                        "To the GPU where there is one; else batches stay where they are."},
                       {PlaceWish::Gpu, "gpu", "To the GPU; refused where there is none."}})
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
  d.exporter("dali", [](const Params&, const ExportContext&) {
    return inHostMemory(
        "This graph runs on the CPU and hands batches over in host memory: with a device_id, "
        "`.gpu()` on its outputs copies them.");
  });
  return d.take();
}

}  // namespace millrace::nodes
