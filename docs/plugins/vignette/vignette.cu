// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A plug-in for Millrace in CUDA: `vignette` darkens pictures towards their corners, each by a
// random strength. After a transfer to the GPU a kernel does a whole batch; before it, the same
// maths runs on the CPU. docs/own-node.md explains it.
#include <cuda_runtime.h>
#include <millrace_node.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

// What the kernel and the CPU share: whole numbers, so that both give the same bytes.

/// Share of the light that is lost in the corners, in 1/1024.
struct Strength {
  std::int32_t least;
  std::int32_t most;
};

__host__ __device__ std::int32_t drawn(Strength strength, std::uint64_t seed, bool centre) {
  if (centre) return (strength.least + strength.most) / 2;
  const auto choices = static_cast<std::uint64_t>(strength.most - strength.least + 1);
  return strength.least + static_cast<std::int32_t>(seed % choices);
}

__host__ __device__ unsigned char darkened(unsigned char value, std::int64_t y, std::int64_t x,
                                           std::int64_t height, std::int64_t width,
                                           std::int32_t strength) {
  // From the centre, in 1/1024 of half a side.
  const std::int64_t dy = ((2 * y + 1 - height) * 1024) / height;
  const std::int64_t dx = ((2 * x + 1 - width) * 1024) / width;
  const std::int64_t distance = (dy * dy + dx * dx) / 2048;  // 0 to 1024
  return static_cast<unsigned char>(value * (1024 * 1024 - distance * strength) / (1024 * 1024));
}

/// A row of the batch for each y of the grid; its bytes along x.
__global__ void vignetteKernel(void* const* from, void* const* to, const std::uint64_t* seeds,
                               Strength strength, bool centre, std::int64_t height,
                               std::int64_t width, std::int64_t channels) {
  const std::size_t row = blockIdx.y;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= height * width * channels) return;
  const std::int64_t pixel = i / channels;
  static_cast<unsigned char*>(to[row])[i] =
      darkened(static_cast<const unsigned char*>(from[row])[i], pixel / width, pixel % width,
               height, width, drawn(strength, seeds[row], centre));
}

int infer(const millrace_node_value*, millrace_node_types* types, char* error, std::size_t size) {
  for (std::size_t i = 0; i < types->input_count; ++i) {
    const millrace_node_type& type = types->inputs[i];
    if (type.dtype == MILLRACE_NODE_U8 && type.layout == MILLRACE_NODE_HWC) continue;
    std::snprintf(error, size, "`%s` is not a picture of u8, with its channels last", type.name);
    return 1;
  }
  return 0;
}

int create(const millrace_node_value* params, const millrace_node_types*, void** instance,
           char* error, std::size_t size) {
  if (params[0].real > params[1].real) {
    std::snprintf(error, size, "`least` is larger than `most`");
    return 1;
  }
  *instance = new Strength{static_cast<std::int32_t>(params[0].real * 1024),
                           static_cast<std::int32_t>(params[1].real * 1024)};
  return 0;
}

void destroy(void* instance) { delete static_cast<Strength*>(instance); }

void darken(const void* in, void* out, const std::int64_t* shape, std::int32_t strength) {
  const auto* from = static_cast<const unsigned char*>(in);
  auto* to = static_cast<unsigned char*>(out);
  for (std::int64_t y = 0; y < shape[0]; ++y)
    for (std::int64_t x = 0; x < shape[1]; ++x)
      for (std::int64_t c = 0; c < shape[2]; ++c)
        *to++ = darkened(*from++, y, x, shape[0], shape[1], strength);
}

int process(void* instance, const millrace_node_sample* sample, char*, std::size_t) {
  const std::int32_t strength =
      drawn(*static_cast<Strength*>(instance), sample->seed, sample->centre != 0);
  for (std::size_t f = 0; f < sample->output_count; ++f)
    darken(sample->inputs[f].data, sample->outputs[f].data, sample->inputs[f].type->shape,
           strength);
  return 0;
}

/// MILLRACE_BACKEND=emulated: a pipeline for a GPU on a machine without one.
int processEmulated(Strength strength, const millrace_node_batch& batch) {
  for (std::size_t f = 0; f < batch.output_count; ++f)
    for (std::size_t r = 0; r < batch.rows; ++r)
      darken(batch.inputs[f].rows[r], batch.outputs[f].rows[r],
             batch.inputs[f].shapes + r * MILLRACE_NODE_MAX_DIMS,
             drawn(strength, batch.seeds[r], batch.centre != 0));
  return 0;
}

/// Puts the work on the engine's stream and returns; nothing here waits for the GPU.
int processDevice(void* instance, const millrace_node_batch* batch, char* error, std::size_t size) {
  constexpr unsigned kThreads = 256;
  const Strength strength = *static_cast<Strength*>(instance);
  if (batch->emulated != 0) return processEmulated(strength, *batch);
  for (std::size_t f = 0; f < batch->output_count; ++f) {
    const millrace_node_rows& in = batch->inputs[f];
    if (in.data == nullptr) {
      std::snprintf(error, size, "`%s` has rows of different sizes: put a resize node before",
                    in.type->name);
      return 1;
    }
    const auto blocks = static_cast<unsigned>((in.row_bytes + kThreads - 1) / kThreads);
    vignetteKernel<<<dim3(blocks, static_cast<unsigned>(batch->rows)), kThreads, 0,
                     static_cast<cudaStream_t>(batch->stream)>>>(
        in.device_rows, batch->outputs[f].device_rows, batch->device_seeds, strength,
        batch->centre != 0, in.shapes[0], in.shapes[1], in.shapes[2]);
  }
  const cudaError_t launched = cudaGetLastError();
  if (launched == cudaSuccess) return 0;
  std::snprintf(error, size, "%s", cudaGetErrorString(launched));
  return 1;
}

const char* const kDescription = R"({
  "kind": "vignette",
  "label": "Vignette",
  "help": "Darkens pictures towards their corners, as a simple lens does.",
  "category": "colour",
  "tags": ["augmentation", "lens", "shading"],
  "example": {"most": 0.8},
  "roles": ["image"],
  "random": true,
  "params": [
    {"name": "least", "label": "Least", "help": "Least share of the light that the corners lose.",
     "type": "real", "default": 0, "minimum": 0, "maximum": 1, "live": true},
    {"name": "most", "label": "Most", "help": "Greatest share of the light that the corners lose.",
     "type": "real", "default": 0.5, "minimum": 0, "maximum": 1, "live": true}
  ]
})";

const millrace_node_kind kKinds[] = {
    {kDescription, infer, create, destroy, process, nullptr, processDevice}};

const millrace_node_plugin kPlugin = {
    MILLRACE_NODE_ABI, sizeof(millrace_node_kind), "vignette", "1.0", 1, kKinds};

}  // namespace

const millrace_node_plugin* millrace_nodes() { return &kPlugin; }
