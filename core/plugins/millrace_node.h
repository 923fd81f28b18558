/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MILLRACE_NODE_H
#define MILLRACE_NODE_H

/* Node kinds of your own, in C or C++. A plug-in is a shared object that exports one function:
 *
 *   static int process(void *instance, const millrace_node_sample *sample, char *error,
 *                      size_t size) {
 *     const unsigned char *from = sample->inputs[0].data;
 *     unsigned char *to = sample->outputs[0].data;
 *     size_t i;
 *     for (i = 0; i < sample->outputs[0].bytes; ++i) to[i] = (unsigned char)(255 - from[i]);
 *     return 0;
 *   }
 *
 *   static const millrace_node_kind kinds[] = {{
 *       "{\"kind\": \"inverted\", \"label\": \"Invert\", \"help\": \"Inverts pictures.\","
 *       " \"roles\": [\"image\"]}",
 *       NULL, NULL, NULL, process, NULL, NULL}};
 *   static const millrace_node_plugin plugin = {
 *       MILLRACE_NODE_ABI, sizeof(millrace_node_kind), "inverted", "1.0", 1, kinds};
 *
 *   const millrace_node_plugin *millrace_nodes(void) { return &plugin; }
 *
 * Millrace finds it in ~/.local/share/millrace/nodes, in lib/millrace/nodes of its installation, or
 * through MILLRACE_NODES (files and folders, separated by colons). It calls millrace_nodes once, at
 * the start of each program; what the function returns must stay valid as long as the program runs.
 *
 * Calls. `infer` says what comes out, and is called whenever a pipeline is checked.
 * `create` makes an instance for a run, `process` works on one sample after another, `destroy` ends
 * it. Any of them but one of the process functions may be NULL.
 *
 * Memory. The engine owns all memory that a call gets, and takes it back when the call returns.
 * Nothing is copied: `inputs` are what the node before has made, `outputs` are often rows of the
 * batch. Write every byte of each output and nothing else. Do not write to inputs. What create
 * allocates belongs to the plug-in, until destroy.
 *
 * Shapes. Sizes are counted in elements, the outermost dimension first. Memory is dense, in C
 * order. A size that differs between samples is MILLRACE_NODE_ANY_SIZE when a pipeline is checked,
 * and known when a sample is processed.
 *
 * Errors. A function returns 0, or anything else after it has written a sentence to `error`, a text
 * of at most `size` bytes with its final zero. An error of `infer` or `create` is a problem of the
 * pipeline, an error of `process` fails this sample alone, an error of another process function
 * ends the run. A C++ exception that leaves a function is treated as an error with its text. A
 * crash is a crash of the program.
 *
 * Threads. Each worker thread has its own instance, so process needs no lock, unless the
 * description says "shared": true; then one instance serves all threads at the same time. infer and
 * create may be called on any thread, also at the same time.
 *
 * Random numbers. Take them from `seed` alone: then a run gives the same batches for any number of
 * workers. If `centre` is not 0, use the centre of each random range (--no-random).
 *
 * Stability. MILLRACE_NODE_ABI is incremented with every change of a struct or its meaning;
 * Millrace refuses plug-ins of a number that it does not know, with a sentence. Further keys of the
 * description may be added without that. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MILLRACE_NODE_ABI 1

#define MILLRACE_NODE_ANY_SIZE (-1)
#define MILLRACE_NODE_MAX_DIMS 6
#define MILLRACE_NODE_MAX_FIELDS 64
#define MILLRACE_NODE_NAME_BYTES 64

#if defined(__GNUC__)
#define MILLRACE_NODE_API __attribute__((visibility("default")))
#else
#define MILLRACE_NODE_API
#endif

/* Element types. ENCODED: the bytes of a file, of any length; its shape is the number of bytes. */
typedef enum millrace_node_dtype {
  MILLRACE_NODE_U8 = 0,
  MILLRACE_NODE_I8 = 1,
  MILLRACE_NODE_U16 = 2,
  MILLRACE_NODE_I16 = 3,
  MILLRACE_NODE_I32 = 4,
  MILLRACE_NODE_I64 = 5,
  MILLRACE_NODE_F16 = 6,
  MILLRACE_NODE_BF16 = 7,
  MILLRACE_NODE_F32 = 8,
  MILLRACE_NODE_F64 = 9,
  MILLRACE_NODE_ENCODED = 10
} millrace_node_dtype;

/* What a field is used for. */
typedef enum millrace_node_role {
  MILLRACE_NODE_IMAGE = 0,
  MILLRACE_NODE_TARGET = 1,
  MILLRACE_NODE_MASK = 2,
  MILLRACE_NODE_LABEL = 3,
  MILLRACE_NODE_FEATURES = 4
} millrace_node_role;

/* The dimensions of a field. HWC: a picture of height x width x channels. */
typedef enum millrace_node_layout {
  MILLRACE_NODE_PLAIN = 0,
  MILLRACE_NODE_HWC = 1,
  MILLRACE_NODE_CHW = 2
} millrace_node_layout;

/* The type of a field: of one sample, without the dimension of the batch. */
typedef struct millrace_node_type {
  char name[MILLRACE_NODE_NAME_BYTES]; /* lower-case letters, digits and _ */
  int32_t dtype;                       /* millrace_node_dtype */
  int32_t role;                        /* millrace_node_role */
  int32_t layout;                      /* millrace_node_layout */
  int32_t ndim;
  int64_t shape[MILLRACE_NODE_MAX_DIMS];
  int64_t classes; /* of labels and masks: the number of classes, 0 if unknown */
} millrace_node_type;

/* The value of a parameter, in the order of the description. */
typedef struct millrace_node_value {
  const char* name;
  int64_t integer;  /* integer; boolean: 0 or 1; choice: its place among the choices, from 0 */
  double real;      /* real, integer */
  const char* text; /* text, path, choice; otherwise "" */
  size_t count;     /* entries of a list */
  const double* reals;
  const char* const* texts;
} millrace_node_value;

/* What goes in and what comes out. `outputs` are copies of the inputs: change what changes, and add
 * new fields after them. An output with the name of a field of the stream replaces that field; a
 * field that is not among the outputs stays as it is. */
typedef struct millrace_node_types {
  size_t input_count;
  const millrace_node_type* inputs;
  size_t output_count;
  millrace_node_type* outputs; /* room for MILLRACE_NODE_MAX_FIELDS */
} millrace_node_types;

typedef struct millrace_node_input {
  const void* data;
  size_t bytes;
  const millrace_node_type* type; /* its sizes are those of this sample */
} millrace_node_input;

/* An ENCODED output has as many bytes as infer said for this sample; process may set `bytes` to
 * fewer. For every other type, leave it as it is. */
typedef struct millrace_node_output {
  void* data;
  size_t bytes;
  const millrace_node_type* type;
} millrace_node_output;

typedef struct millrace_node_sample {
  uint64_t seed; /* of the pipeline's seed, this node, epoch and sample; 0 without "random": true */
  uint32_t epoch;
  uint32_t index; /* of the sample in the data set */
  uint32_t copy;  /* which one in this epoch, if samples are repeated */
  int32_t centre;
  size_t input_count;
  const millrace_node_input* inputs;
  size_t output_count;
  millrace_node_output* outputs;
} millrace_node_sample;

/* A field of a batch. */
typedef struct millrace_node_rows {
  const millrace_node_type* type;
  void* data;               /* the first row; NULL if rows differ in size */
  size_t row_bytes;         /* from one row to the next; 0 if rows differ in size */
  void* const* rows;        /* the memory of each row */
  const int64_t* shapes;    /* MILLRACE_NODE_MAX_DIMS sizes for each row */
  const size_t* bytes;      /* of each row */
  void* const* device_rows; /* on a GPU: a copy of `rows` in its memory */
} millrace_node_rows;

/* A batch. In host memory, outputs[i] is the same memory as inputs[i], and the types stay as they
 * are. On a GPU, `data` and `rows` are addresses of its memory, outputs have memory of their own,
 * and the work must be put on `stream` and not waited for; the tables in host memory are only valid
 * during the call, those in device memory when the stream gets there. */
typedef struct millrace_node_batch {
  uint64_t seed; /* of the pipeline's seed, this node, epoch and batch */
  uint32_t epoch;
  uint32_t index; /* of the batch in the epoch */
  int32_t centre;
  int32_t emulated; /* 1: MILLRACE_BACKEND=emulated: a GPU in host memory, without a stream */
  void* stream;     /* cudaStream_t; NULL in host memory */
  size_t rows;
  const uint32_t* samples;      /* the number of each row's sample in the data set */
  const uint64_t* seeds;        /* of each row, as in millrace_node_sample */
  const uint64_t* device_seeds; /* on a GPU: a copy of `seeds` in its memory */
  size_t input_count;
  const millrace_node_rows* inputs;
  size_t output_count;
  const millrace_node_rows* outputs;
} millrace_node_batch;

/* A kind. `description` is a JSON object with the keys of `millrace nodes KIND --json`: kind,
 * label, help, category, example, tags, params; and these: roles (of the fields that it gets,
 * unless the user names fields), level ("sample" or "batch"), random (true: it draws numbers),
 * shared. */
typedef struct millrace_node_kind {
  const char* description;
  /* NULL: what comes out has the types of what goes in. If sizes are unknown, it is called again
   * for each sample whose sizes are not those of the sample before; an error fails this sample. */
  int (*infer)(const millrace_node_value* params, millrace_node_types* types, char* error,
               size_t size);
  /* NULL: there are no instances, and the others get NULL. */
  int (*create)(const millrace_node_value* params, const millrace_node_types* types,
                void** instance, char* error, size_t size);
  void (*destroy)(void* instance);
  /* A kind of level "sample" has this one. */
  int (*process)(void* instance, const millrace_node_sample* sample, char* error, size_t size);
  /* A kind of level "batch" has this one. */
  int (*process_batch)(void* instance, const millrace_node_batch* batch, char* error, size_t size);
  /* For both levels: the node may follow a transfer to a GPU, whose batches this processes. NULL:
   * it works only on the CPU. The calling thread's current CUDA device is that of the stream. */
  int (*process_device)(void* instance, const millrace_node_batch* batch, char* error, size_t size);
} millrace_node_kind;

typedef struct millrace_node_plugin {
  uint32_t abi;       /* MILLRACE_NODE_ABI */
  uint32_t kind_size; /* sizeof(millrace_node_kind) */
  const char* name;   /* lower-case letters, digits, _ and -; pipeline files name it */
  const char* version;
  size_t kind_count;
  const millrace_node_kind* kinds;
} millrace_node_plugin;

/* The plug-in defines it. */
MILLRACE_NODE_API const millrace_node_plugin* millrace_nodes(void);

#ifdef __cplusplus
}
#endif

#endif
