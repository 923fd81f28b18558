/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MILLRACE_H
#define MILLRACE_H

/* Millrace's engine as the loader of a training program: libmillrace.so.
 *
 *   millrace_options options = MILLRACE_OPTIONS_INIT;
 *   millrace_loader *loader = NULL;
 *   millrace_batch *batch = NULL;
 *   millrace_status status;
 *   options.pipeline = "pipeline.millrace.json";
 *   if (millrace_open(&options, &loader) != MILLRACE_OK) {
 *     fprintf(stderr, "%s\n", millrace_last_error());
 *     return 1;
 *   }
 *   while ((status = millrace_next(loader, -1, &batch)) == MILLRACE_OK) {
 *     train(batch->fields[0].data, batch->rows);
 *     millrace_release(batch);
 *   }
 *   if (status != MILLRACE_EPOCH_END) fprintf(stderr, "%s\n", millrace_last_error());
 *   millrace_close(loader);
 *
 * Ownership. Batches are the engine's own memory, not copies. A batch stays as it is until it is
 * released, also when its loader is closed, and its memory is not used again before that.
 * `held` batches may be kept, each for as long as one likes, while the engine works at its full
 * speed. Every further one takes a slot from it, `prefetch.batches` and a few; with none left
 * millrace_next gives MILLRACE_HELD at its time limit, until any of them is released. Text that a
 * function returns as `char *` is the caller's: millrace_free.
 *
 * Threads. Every function may be called from any thread, and loaders do not know of each other. One
 * thread at a time may be in millrace_next of a loader; a second one is refused. millrace_close
 * may come at any time: a thread in millrace_next is woken and fails. The engine's threads start
 * with the first millrace_next.
 *
 * Failure. No function ends the program, raises a signal or lets an exception out. What fails says
 * so by its status or by NULL, and millrace_last_error has the sentence, for the thread that
 * called.
 *
 * Devices. With `device` a batch lies in the memory of a GPU, or in memory that a GPU copies from
 * by itself. It is there when millrace_next returns: work on any stream may read it. Name each
 * stream that does to millrace_read_on, and go on; its memory is not used again before what was on
 * those streams at millrace_release is done, which millrace_close waits for. No call changes the
 * thread's current CUDA device. The engine keeps what it has of a device's memory from one loader
 * to the next, and gives it back with the last one. This has run on an emulated device alone, on no
 * GPU yet.
 *
 * Processes. A loader belongs to the process that opened it. After fork the child is refused with
 * MILLRACE_ERROR_USE, and closing and releasing there do nothing: open a loader in the child. On a
 * device that works only where no process before the fork has looked for a GPU, by this library or
 * another, because CUDA does not work behind a fork: begin such a child by spawn or exec.
 *
 * Stability. MILLRACE_ABI counts up when millrace_options or millrace_batch grows at its end; the
 * library goes on to serve programs of the numbers before, and refuses those that need a newer one.
 * Functions, statuses above the last one and keys in JSON may be added without that. What would
 * break programs changes the number behind libmillrace.so. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MILLRACE_ABI 3

#if defined(__GNUC__)
#define MILLRACE_API __attribute__((visibility("default")))
#else
#define MILLRACE_API
#endif

typedef enum millrace_status {
  MILLRACE_OK = 0,
  MILLRACE_EPOCH_END = 1, /* every batch of the epoch was handed out; go on with the next epoch */
  MILLRACE_TIMEOUT = 2,   /* no batch yet */
  MILLRACE_HELD = 3,      /* no batch yet, and none until one that is held is released */
  MILLRACE_ERROR_INPUT = -1, /* the pipeline, its data, a setting, an option */
  MILLRACE_ERROR_RUN = -2,   /* the run ended: too many samples failed, a library gave up */
  MILLRACE_ERROR_STATE = -3, /* a state that is none, or of another pipeline or data set */
  MILLRACE_ERROR_USE = -4,   /* called as it must not be: NULL, two threads, after fork */
  MILLRACE_ERROR_MEMORY = -5 /* no memory left */
} millrace_status;

/* What a batch lies in, numbered as DLPack's DLDeviceType. */
typedef enum millrace_device {
  MILLRACE_DEVICE_CPU = 1,
  MILLRACE_DEVICE_CUDA = 2,     /* a GPU's memory; the host must not touch it */
  MILLRACE_DEVICE_CUDA_HOST = 3 /* dense fields are page-locked; other rows need not be */
} millrace_device;

typedef struct millrace_loader millrace_loader;

/* What to open. Begin with MILLRACE_OPTIONS_INIT. Texts are UTF-8 or bytes of file names, and are
 * not needed any more when millrace_open has returned. */
typedef struct millrace_options {
  uint32_t abi;            /* MILLRACE_ABI */
  const char* pipeline;    /* a *.millrace.json file, or the name of an example */
  const char* text;        /* or the document itself, as JSON */
  const char* run;         /* or that of a kept run: number, begin of its id, or "last" */
  const char* store;       /* where that run is kept; NULL: the person's own store */
  const char* base;        /* where relative paths start; NULL: at the file */
  const char* const* data; /* read these paths in place of the source's, in their order */
  size_t data_count;
  const char* const* settings; /* "NODE.PARAM=VALUE", such as "workers.count=8" */
  size_t settings_count;
  const uint64_t* seed;     /* in place of the pipeline's; NULL: as it says */
  uint32_t rank;            /* this process among `world` that share the data */
  uint32_t world;           /* 0: as the pipeline says */
  uint32_t held;            /* batches that may be held while the engine works at its full speed */
  uint32_t no_random;       /* 1: the centre of each draw, source order */
  const char* max_failures; /* "37" or "2.5%" of the samples; NULL: 1% */
  /* From interface 2 on. */
  const char* record; /* keep the training in this store of runs, "": the person's own; NULL: no */
  const char* record_experiment; /* the group of runs that it belongs to; NULL: "default" */
  const char* record_name;       /* what the run is called; NULL: nothing */
  /* From interface 3 on. */
  const char* device; /* "cuda:0": a GPU, as CUDA counts them; "pinned"; NULL, "cpu": neither */
} millrace_options;

#define MILLRACE_OPTIONS_INIT                                       \
  {MILLRACE_ABI, NULL, NULL, NULL, NULL, NULL, NULL, 0,    NULL, 0, \
   NULL,         0,    0,    2,    0,    NULL, NULL, NULL, NULL, NULL}

/* One row of a field whose rows differ in size. */
typedef struct millrace_row {
  void* data;
  size_t bytes;
  int32_t ndim;
  const int64_t* shape;
} millrace_row;

/* One field of a batch. Dense: `data` holds all rows, C order, 64-byte aligned, and `rows` is NULL.
 * Ragged, where rows differ in size: `data` is NULL and `rows` has one entry a row; `shape` then
 * holds the number of rows alone. */
typedef struct millrace_field {
  const char* name;
  const char* dtype; /* u8 i8 u16 i16 i32 i64 f16 bf16 f32 f64, or `encoded`: bytes of a file */
  void* data;
  size_t bytes;
  int32_t ndim;
  const int64_t* shape; /* the number of rows first */
  const millrace_row* rows;
} millrace_field;

/* A batch. The memory behind it may be written to: nobody else reads it. On a GPU `data` of fields
 * and rows are addresses there, aligned to 256 bytes where a field is dense. */
typedef struct millrace_batch {
  uint32_t epoch;
  uint64_t index; /* in the epoch, from 0 */
  size_t rows;    /* fewer than a full batch at an epoch's end, and where samples failed */
  size_t field_count;
  const millrace_field* fields;
  const uint32_t* samples; /* each row's number in the data set */
  uint64_t failed;         /* samples that have failed so far: whether to ask millrace_failures */
  /* From interface 3 on. */
  int32_t device_type; /* millrace_device */
  int32_t device_id;   /* which GPU; else 0 */
} millrace_batch;

/* A tensor of DLPack, which dlpack.h describes. */
struct DLManagedTensor;

/* MILLRACE_ABI of the library. */
MILLRACE_API uint32_t millrace_abi_version(void);
/* "0.1.0"; lives as long as the program. */
MILLRACE_API const char* millrace_version(void);

/* Opens the data and checks the pipeline. `*loader` is NULL after a failure; the error has every
 * problem, a line each. May read a whole listing, and makes generated `sample:` data that is
 * missing.
 * With a GPU as `device` the pipeline's transfer node says where batches go over to it; where there
 * is none, one is put in front of the consumer, and `warnings` of millrace_describe tells. Without
 * one, transfer nodes leave batches where they are, and nodes that ask for a GPU are refused.
 * With `record` the training is a run of that store from the first millrace_next to millrace_close,
 * written by threads of the library while it goes on: rates, waits, memory, `step_share`, figures
 * of nodes and queues, failures, machine and data. `millrace runs show last` and the workbench see
 * it meanwhile; a program that is killed leaves what was written until then. Each jump of
 * millrace_set_epoch or millrace_restore begins a repeat of it, of which the first 1000 are kept.
 */
MILLRACE_API millrace_status millrace_open(const millrace_options* options,
                                           millrace_loader** loader);

/* Batches and samples of an epoch. Where a large container without an index is not looked through
 * yet, that is done first, which can take minutes; a thread in millrace_next may wait for it.
 * Either place may be NULL. */
MILLRACE_API millrace_status millrace_count(millrace_loader* loader, uint64_t* batches,
                                            uint64_t* samples);

/* JSON: `batches` and `samples` of an epoch (null before they are known), `batch_size`, `seed`,
 * `device`, `epoch` and `batch` that come next, `fields` (`name dtype shape layout role classes`;
 * unknown sizes are null), `classes`, `plan`, `warnings`, `pipeline` (the document with its
 * defaults). NULL after a failure. */
MILLRACE_API char* millrace_describe(const millrace_loader* loader);

/* The next batch. Waits `seconds` at most, 0: not at all, negative: until there is one, and says on
 * standard error, once, when held batches are what it waits for. `*batch` is NULL unless
 * MILLRACE_OK. After MILLRACE_EPOCH_END the next call begins the next epoch, for as long as one
 * likes. After MILLRACE_ERROR_RUN, millrace_set_epoch or millrace_restore begins anew. */
MILLRACE_API millrace_status millrace_next(millrace_loader* loader, double seconds,
                                           millrace_batch** batch);

/* Gives a batch back. NULL does nothing. */
MILLRACE_API void millrace_release(millrace_batch* batch);

/* The next batch is the first of this epoch. Drops what is in the making, unless that epoch is what
 * comes next: then it costs nothing. */
MILLRACE_API millrace_status millrace_set_epoch(millrace_loader* loader, uint32_t epoch);

/* Where the loader stands, as one line of JSON for millrace_restore: behind the last batch that was
 * handed out. The first call reads the names of all samples. NULL after a failure. */
MILLRACE_API char* millrace_state(millrace_loader* loader);

/* Goes on where the state was taken, with the same batches, bit for bit, whatever the number of
 * workers. A state of other batches (seed, shard, node, setting, data set) is refused, the error
 * says what differs, and nothing changes. */
MILLRACE_API millrace_status millrace_restore(millrace_loader* loader, const char* state);

/* The engine's figures as JSON, with the keys of `millrace run --json`, since the loader began. A
 * step is what the program did between two batches: `step_share`, `step_seconds`, `wait_seconds`.
 * `run_id` is the number of the run that `record` keeps, null without. NULL after a failure. */
MILLRACE_API char* millrace_stats(millrace_loader* loader);

/* JSON: `total` failed samples, and `failures` (`sample reason`) from position `from` on; the first
 * 1000 are named. NULL after a failure. */
MILLRACE_API char* millrace_failures(const millrace_loader* loader, size_t from);

/* Why the last call of this thread failed; empty when none did. Lives until its next call. */
MILLRACE_API const char* millrace_last_error(void);

/* Ends the loader's threads and frees it. NULL does nothing. A loader that is still open when the
 * program ends is closed then. */
MILLRACE_API void millrace_close(millrace_loader* loader);

/* Frees text that a function returned. NULL does nothing. */
MILLRACE_API void millrace_free(char* text);

/* From interface 3 on. */

/* Says that work on `stream` (a cudaStream_t; NULL: the legacy default stream) reads the batch, now
 * or later: its memory is not used again before what is on the stream when it is released is done.
 * The stream must live until then. It may be of any GPU; a default stream stands for that of each
 * GPU that the process has started. Also for what a GPU copies out of pinned memory by itself.
 * Nothing to do where a batch lies in usual memory. */
MILLRACE_API millrace_status millrace_read_on(millrace_batch* batch, void* stream);

/* Copies `bytes` bytes of a batch, wherever it lies, into the host's memory, and waits for it. What
 * is written to a GPU's memory on streams that millrace_read_on knows of is there by then. */
MILLRACE_API millrace_status millrace_to_host(millrace_batch* batch, void* to, const void* from,
                                              size_t bytes);

/* A field as a tensor, or the given row of a field whose rows differ in size; -1: the whole field.
 * bf16 is kDLBfloat, `encoded` bytes; a row of a pinned batch is called usual memory, which it may
 * be. It keeps the batch, also after millrace_release and millrace_close, until its deleter is
 * called, from any thread; streams of millrace_read_on count up to then. NULL after a failure. */
MILLRACE_API struct DLManagedTensor* millrace_dlpack(millrace_batch* batch, size_t field,
                                                     int64_t row);

#ifdef __cplusplus
}
#endif

#endif
