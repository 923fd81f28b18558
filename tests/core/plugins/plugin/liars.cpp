// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A plug-in for tests: kinds that do not do as they say.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "core/plugins/millrace_node.h"

namespace {

int copy(const millrace_node_sample* sample) {
  std::memcpy(sample->outputs[0].data, sample->inputs[0].data, sample->outputs[0].bytes);
  return 0;
}

int overruns(void*, const millrace_node_sample* sample, char*, std::size_t) {
  static_cast<char*>(sample->outputs[0].data)[sample->outputs[0].bytes] = 1;
  return copy(sample);
}

int underruns(void*, const millrace_node_sample* sample, char*, std::size_t) {
  static_cast<char*>(sample->outputs[0].data)[-1] = 1;
  return copy(sample);
}

int saysLess(void*, const millrace_node_sample* sample, char*, std::size_t) {
  copy(sample);
  sample->outputs[0].bytes -= 1;
  return 0;
}

int throws(void*, const millrace_node_sample*, char*, std::size_t) {
  throw std::runtime_error("no colour was left");
}

int throwsANumber(void*, const millrace_node_sample*, char*, std::size_t) { throw 7; }

int failsSometimes(void*, const millrace_node_sample* sample, char* error, std::size_t size) {
  if (sample->index % 4 == 1) {
    std::snprintf(error, size, "sample %u is too dark", sample->index);
    return 1;
  }
  return copy(sample);
}

int failsSilently(void*, const millrace_node_sample*, char* error, std::size_t size) {
  std::memset(error, '\x01', size);  // No text ends here.
  return 1;
}

int throwsInfer(const millrace_node_value*, millrace_node_types*, char*, std::size_t) {
  throw std::runtime_error("cannot think");
}

int namesNoField(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  std::memset(types->outputs[0].name, 'x', sizeof(types->outputs[0].name));
  return 0;
}

int isHuge(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  types->outputs[0].ndim = 6;
  for (auto& size : types->outputs[0].shape) size = std::int64_t{1} << 60;
  return 0;
}

int isOfNoType(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  types->outputs[0].dtype = 99;
  return 0;
}

int isTwice(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  types->outputs[1] = types->outputs[0];
  types->output_count = 2;
  return 0;
}

int isTooMany(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  types->output_count = 1000;
  return 0;
}

int changesTheBatch(const millrace_node_value*, millrace_node_types* types, char*, std::size_t) {
  types->outputs[0].dtype = MILLRACE_NODE_F64;
  return 0;
}

int throwsCreate(const millrace_node_value*, const millrace_node_types*, void**, char*,
                 std::size_t) {
  throw std::runtime_error("no table");
}

int inBatch(void*, const millrace_node_batch*, char* error, std::size_t size) {
  std::snprintf(error, size, "the batch is not nice");
  return 1;
}

#define LIAR(kind) \
  "{\"kind\": \"" kind "\", \"label\": \"Liar\", \"help\": \"Lies.\", \"roles\": [\"features\"]}"
#define BATCH_LIAR(kind) \
  "{\"kind\": \"" kind   \
  "\", \"label\": \"Liar\", \"help\": \"Lies.\", \"level\": \"batch\", \"roles\": [\"features\"]}"

using Infer = int (*)(const millrace_node_value*, millrace_node_types*, char*, std::size_t);
using Process = int (*)(void*, const millrace_node_sample*, char*, std::size_t);

constexpr millrace_node_kind infers(const char* description, Infer infer) {
  return {description, infer, nullptr, nullptr, failsSilently, nullptr, nullptr};
}
constexpr millrace_node_kind processes(const char* description, Process process) {
  return {description, nullptr, nullptr, nullptr, process, nullptr, nullptr};
}

const millrace_node_kind kKinds[] = {
    processes(LIAR("overruns"), overruns),
    processes(LIAR("underruns"), underruns),
    processes(LIAR("says_less"), saysLess),
    processes(LIAR("throws"), throws),
    processes(LIAR("throws_a_number"), throwsANumber),
    processes(LIAR("fails_sometimes"), failsSometimes),
    processes(LIAR("fails_silently"), failsSilently),
    infers(LIAR("throws_infer"), throwsInfer),
    infers(LIAR("names_no_field"), namesNoField),
    infers(LIAR("is_huge"), isHuge),
    infers(LIAR("is_of_no_type"), isOfNoType),
    infers(LIAR("is_twice"), isTwice),
    infers(LIAR("is_too_many"), isTooMany),
    {LIAR("throws_create"), nullptr, throwsCreate, nullptr, failsSilently, nullptr, nullptr},
    {BATCH_LIAR("changes_the_batch"), changesTheBatch, nullptr, nullptr, nullptr, inBatch, nullptr},
    {BATCH_LIAR("fails_the_batch"), nullptr, nullptr, nullptr, nullptr, inBatch, nullptr},
};

const millrace_node_plugin kPlugin = {
    MILLRACE_NODE_ABI, sizeof(millrace_node_kind), "liars", "1.0", std::size(kKinds), kKinds};

}  // namespace

const millrace_node_plugin* millrace_nodes() { return &kPlugin; }
