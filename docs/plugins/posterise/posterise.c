/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in for Millrace in C99, on the CPU: `posterise` keeps the upper bits of each value, a
 * random number of bits for each sample. docs/own-node.md explains it. */
#include <millrace_node.h>
#include <stdio.h>
#include <stdlib.h>

/* What create makes of the parameters, for process. */
typedef struct posterise {
  int64_t fewest;
  int64_t most;
} posterise;

/* Asked whenever the pipeline is checked: what comes out has the types of what goes in. */
static int infer(const millrace_node_value* params, millrace_node_types* types, char* error,
                 size_t size) {
  size_t i;
  (void)params;
  for (i = 0; i < types->input_count; ++i)
    if (types->inputs[i].dtype != MILLRACE_NODE_U8) {
      snprintf(error, size, "`%s` is not u8: put a decode node before this one",
               types->inputs[i].name);
      return 1;
    }
  return 0;
}

/* The parameters are in the order of the description. */
static int create(const millrace_node_value* params, const millrace_node_types* types,
                  void** instance, char* error, size_t size) {
  posterise* made;
  (void)types;
  if (params[0].integer > params[1].integer) {
    snprintf(error, size, "`fewest` is larger than `most`");
    return 1;
  }
  made = malloc(sizeof(*made));
  if (made == NULL) {
    snprintf(error, size, "out of memory");
    return 1;
  }
  made->fewest = params[0].integer;
  made->most = params[1].integer;
  *instance = made;
  return 0;
}

static void destroy(void* instance) { free(instance); }

static int process(void* instance, const millrace_node_sample* sample, char* error, size_t size) {
  const posterise* its = instance;
  const uint64_t choices = (uint64_t)(its->most - its->fewest + 1);
  /* All fields of a sample get the same draw. The seed is well mixed: its remainder will do. */
  const int64_t bits = sample->centre ? (its->fewest + its->most) / 2
                                      : its->fewest + (int64_t)(sample->seed % choices);
  const unsigned char mask = (unsigned char)(0xFFu << (8 - bits));
  size_t f;
  size_t i;
  (void)error;
  (void)size;
  for (f = 0; f < sample->output_count; ++f) {
    const unsigned char* from = sample->inputs[f].data;
    unsigned char* to = sample->outputs[f].data;
    for (i = 0; i < sample->outputs[f].bytes; ++i) to[i] = from[i] & mask;
  }
  return 0;
}

static const char description[] =
    "{"
    "  \"kind\": \"posterise\","
    "  \"label\": \"Posterise\","
    "  \"help\": \"Keeps the upper bits of each value, so that few colours are left.\","
    "  \"category\": \"colour\","
    "  \"tags\": [\"augmentation\", \"bits\"],"
    "  \"example\": {\"fewest\": 3, \"most\": 6},"
    "  \"roles\": [\"image\"],"
    "  \"random\": true,"
    "  \"params\": ["
    "    {\"name\": \"fewest\", \"label\": \"Fewest bits\", \"help\": \"The fewest bits that "
    "stay.\","
    "     \"type\": \"integer\", \"default\": 4, \"minimum\": 1, \"maximum\": 8, \"unit\": "
    "\"bits\","
    "     \"live\": true},"
    "    {\"name\": \"most\", \"label\": \"Most bits\", \"help\": \"The most bits that stay.\","
    "     \"type\": \"integer\", \"default\": 8, \"minimum\": 1, \"maximum\": 8, \"unit\": "
    "\"bits\","
    "     \"live\": true}"
    "  ]"
    "}";

static const millrace_node_kind kinds[] = {
    {description, infer, create, destroy, process, NULL, NULL}};

static const millrace_node_plugin plugin = {
    MILLRACE_NODE_ABI, sizeof(millrace_node_kind), "posterise", "1.0", 1, kinds};

const millrace_node_plugin* millrace_nodes(void) { return &plugin; }
