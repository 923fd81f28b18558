// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A plug-in for tests: kinds that do as they say.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <thread>

#include "core/plugins/millrace_node.h"

namespace {

struct Offset {
  int value = 0;
};

int createShift(const millrace_node_value* params, const millrace_node_types*, void** instance,
                char* error, std::size_t size) {
  if (params[0].integer == 13) {
    std::snprintf(error, size, "13 is not a good %s", params[0].name);
    return 1;
  }
  *instance = new Offset{static_cast<int>(params[0].integer)};
  return 0;
}

void destroyShift(void* instance) { delete static_cast<Offset*>(instance); }

unsigned char shifted(unsigned char value, int by) {
  const int sum = value + by;
  return static_cast<unsigned char>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

/// As `channel_shift` without a range for each channel: what it does is known.
int shift(void* instance, const millrace_node_sample* sample, char*, std::size_t) {
  const int by = static_cast<Offset*>(instance)->value;
  for (std::size_t f = 0; f < sample->output_count; ++f) {
    const auto* const from = static_cast<const unsigned char*>(sample->inputs[f].data);
    auto* const to = static_cast<unsigned char*>(sample->outputs[f].data);
    for (std::size_t i = 0; i < sample->outputs[f].bytes; ++i) to[i] = shifted(from[i], by);
  }
  return 0;
}

int shiftRows(void* instance, const millrace_node_batch* batch, char*, std::size_t) {
  const int by = static_cast<Offset*>(instance)->value;
  for (std::size_t f = 0; f < batch->output_count; ++f)
    for (std::size_t r = 0; r < batch->rows; ++r) {
      const auto* const from = static_cast<const unsigned char*>(batch->inputs[f].rows[r]);
      auto* const to = static_cast<unsigned char*>(batch->outputs[f].rows[r]);
      for (std::size_t i = 0; i < batch->outputs[f].bytes[r]; ++i) to[i] = shifted(from[i], by);
    }
  return 0;
}

/// On an emulated GPU the tables that would be in its memory can be read here.
int shiftOnDevice(void* instance, const millrace_node_batch* batch, char* error, std::size_t size) {
  if (batch->emulated == 0 || batch->stream != nullptr) {
    std::snprintf(error, size, "this test is for the emulated GPU");
    return 1;
  }
  millrace_node_batch copy = *batch;
  for (std::size_t f = 0; f < batch->output_count; ++f)
    if (std::memcmp(batch->inputs[f].rows, batch->inputs[f].device_rows,
                    batch->rows * sizeof(void*)) != 0 ||
        std::memcmp(batch->outputs[f].rows, batch->outputs[f].device_rows,
                    batch->rows * sizeof(void*)) != 0 ||
        batch->inputs[f].rows[0] == batch->outputs[f].rows[0]) {
      std::snprintf(error, size, "the tables differ");
      return 1;
    }
  return shiftRows(instance, &copy, error, size);
}

/// The centre of pictures, as `centre_crop` cuts it.
int inferCentre(const millrace_node_value* params, millrace_node_types* types, char* error,
                std::size_t size) {
  for (std::size_t i = 0; i < types->output_count; ++i) {
    millrace_node_type& type = types->outputs[i];
    if (type.dtype != MILLRACE_NODE_U8 || type.ndim != 3) {
      std::snprintf(error, size, "`%s` is no picture of u8", type.name);
      return 1;
    }
    for (int d = 0; d < 2; ++d) {
      if (type.shape[d] != MILLRACE_NODE_ANY_SIZE && type.shape[d] < params[0].integer) {
        std::snprintf(error, size, "`%s` is smaller than %d", type.name,
                      static_cast<int>(params[0].integer));
        return 1;
      }
      type.shape[d] = params[0].integer;
    }
  }
  return 0;
}

int centre(void*, const millrace_node_sample* sample, char*, std::size_t) {
  for (std::size_t f = 0; f < sample->output_count; ++f) {
    const millrace_node_type& in = *sample->inputs[f].type;
    const millrace_node_type& out = *sample->outputs[f].type;
    const auto* const from = static_cast<const unsigned char*>(sample->inputs[f].data);
    auto* const to = static_cast<unsigned char*>(sample->outputs[f].data);
    const auto channels = static_cast<std::size_t>(in.shape[2]);
    const auto width = static_cast<std::size_t>(in.shape[1]);
    const auto left = static_cast<std::size_t>((in.shape[1] - out.shape[1]) / 2);
    const auto top = static_cast<std::size_t>((in.shape[0] - out.shape[0]) / 2);
    const auto rowBytes = static_cast<std::size_t>(out.shape[1]) * channels;
    for (std::size_t y = 0; y < static_cast<std::size_t>(out.shape[0]); ++y)
      std::memcpy(to + y * rowBytes, from + ((y + top) * width + left) * channels, rowBytes);
  }
  return 0;
}

/// Twice as wide: without known sizes it is asked for each sample.
int inferTwice(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  for (std::size_t i = 0; i < types->output_count; ++i)
    if (types->outputs[i].shape[1] >= 0) types->outputs[i].shape[1] *= 2;
  return 0;
}

void widen(const void* from, void* to, const std::int64_t* shape) {
  const auto* in = static_cast<const unsigned char*>(from);
  auto* out = static_cast<unsigned char*>(to);
  const auto channels = static_cast<std::size_t>(shape[2]);
  for (std::int64_t pixel = 0; pixel < shape[0] * shape[1]; ++pixel, in += channels)
    for (int k = 0; k < 2; ++k, out += channels) std::memcpy(out, in, channels);
}

int twice(void*, const millrace_node_sample* sample, char*, std::size_t) {
  for (std::size_t f = 0; f < sample->output_count; ++f)
    widen(sample->inputs[f].data, sample->outputs[f].data, sample->inputs[f].type->shape);
  return 0;
}

int twiceOnDevice(void*, const millrace_node_batch* batch, char* error, std::size_t size) {
  for (std::size_t f = 0; f < batch->output_count; ++f)
    for (std::size_t r = 0; r < batch->rows; ++r) {
      if (batch->outputs[f].bytes[r] != 2 * batch->inputs[f].bytes[r]) {
        std::snprintf(error, size, "row %zu has no room", r);
        return 1;
      }
      widen(batch->inputs[f].rows[r], batch->outputs[f].rows[r],
            batch->inputs[f].shapes + r * MILLRACE_NODE_MAX_DIMS);
    }
  return 0;
}

/// A new field: the sum of the bytes, and the seed.
int inferSum(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  millrace_node_type& sum = types->outputs[0];
  std::memset(&sum, 0, sizeof(sum));
  std::snprintf(sum.name, sizeof(sum.name), "total");
  sum.dtype = MILLRACE_NODE_I64;
  sum.role = MILLRACE_NODE_FEATURES;
  sum.ndim = 1;
  sum.shape[0] = 2;
  types->output_count = 1;
  return 0;
}

int sum(void*, const millrace_node_sample* sample, char*, std::size_t) {
  auto* const to = static_cast<std::int64_t*>(sample->outputs[0].data);
  to[0] = 0;
  const auto* const from = static_cast<const unsigned char*>(sample->inputs[0].data);
  for (std::size_t i = 0; i < sample->inputs[0].bytes; ++i) to[0] += from[i];
  to[1] = static_cast<std::int64_t>(sample->seed);
  return 0;
}

/// Writes half of each byte string.
int half(void*, const millrace_node_sample* sample, char*, std::size_t) {
  sample->outputs[0].bytes /= 2;
  std::memcpy(sample->outputs[0].data, sample->inputs[0].data, sample->outputs[0].bytes);
  return 0;
}

/// An instance that knows whether two threads are in it.
struct Alone {
  std::atomic<int> inside{0};
};
int createAlone(const millrace_node_value*, const millrace_node_types*, void** instance, char*,
                std::size_t) {
  *instance = new Alone;
  return 0;
}
void destroyAlone(void* instance) { delete static_cast<Alone*>(instance); }
int alone(void* instance, const millrace_node_sample* sample, char* error, std::size_t size) {
  auto* const its = static_cast<Alone*>(instance);
  const bool first = its->inside.fetch_add(1) == 0;
  std::this_thread::yield();
  its->inside.fetch_sub(1);
  std::memcpy(sample->outputs[0].data, sample->inputs[0].data, sample->outputs[0].bytes);
  if (first) return 0;
  std::snprintf(error, size, "two threads are in one instance");
  return 1;
}

/// Tells which instance it is.
int inferWhich(const millrace_node_value* params, millrace_node_types* types, char* error,
               std::size_t size) {
  return inferSum(params, types, error, size);
}
int which(void* instance, const millrace_node_sample* sample, char*, std::size_t) {
  auto* const to = static_cast<std::int64_t*>(sample->outputs[0].data);
  to[0] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(instance));
  to[1] = 0;
  std::this_thread::yield();
  return 0;
}

#define BY                                                                                         \
  R"("params": [{"name": "by", "label": "By", "help": "Added to each byte.", "type": "integer", )" \
  R"("default": 10, "minimum": -255, "maximum": 255, "unit": "levels", "live": true}])"
#define SIDE                                                                                      \
  R"("params": [{"name": "side", "help": "Height and width.", "type": "integer", "default": 4, )" \
  R"("minimum": 1}])"

const millrace_node_kind kKinds[] = {
    {R"({"kind": "test_shift", "label": "Shift", "help": "Adds a number.", "category": "colour",
        "roles": ["image", "features"], "tags": ["brightness"], "example": {"by": 20}, )" BY "}",
     nullptr, createShift, destroyShift, shift, nullptr, shiftOnDevice},
    {R"({"kind": "test_shift_batch", "label": "Shift", "help": "Adds a number.", "level": "batch",
        "roles": ["image", "features"], )" BY "}",
     nullptr, createShift, destroyShift, nullptr, shiftRows, shiftOnDevice},
    {R"({"kind": "test_centre", "label": "Centre", "help": "Cuts.", "category": "geometry",
        "roles": ["image", "target"], )" SIDE "}",
     inferCentre, nullptr, nullptr, centre, nullptr, nullptr},
    {R"({"kind": "test_twice", "label": "Twice", "help": "Widens.", "roles": ["image"]})",
     inferTwice, nullptr, nullptr, twice, nullptr, twiceOnDevice},
    {R"({"kind": "test_sum", "label": "Sum", "help": "Sums.", "roles": ["features"],
        "random": true})",
     inferSum, nullptr, nullptr, sum, nullptr, nullptr},
    {R"({"kind": "test_half", "label": "Half", "help": "Halves.", "roles": ["features"]})", nullptr,
     nullptr, nullptr, half, nullptr, nullptr},
    {R"({"kind": "test_alone", "label": "Alone", "help": "Copies.", "roles": ["features"]})",
     nullptr, createAlone, destroyAlone, alone, nullptr, nullptr},
    {R"({"kind": "test_shared", "label": "Shared", "help": "Tells.", "roles": ["features"],
        "shared": true})",
     inferWhich, createAlone, destroyAlone, which, nullptr, nullptr},
};

const millrace_node_plugin kPlugin = {
    MILLRACE_NODE_ABI, sizeof(millrace_node_kind), "test-kinds", "1.0", std::size(kKinds), kKinds};

}  // namespace

const millrace_node_plugin* millrace_nodes() { return &kPlugin; }
