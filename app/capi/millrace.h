/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MILLRACE_H
#define MILLRACE_H

/* Millrace's engine as the loader of a training program, and its measurements: libmillrace.so.
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
 * Ownership. Batches are the engine's own memory, not copies. A batch is not changed, and its
 * memory is not reused, until it is released, even if its loader is closed. The program may hold
 * `held` batches for any time without slowing the engine down. Each further one takes a slot from
 * the engine, which has `prefetch.batches` and a few. With no slot left, millrace_next returns
 * MILLRACE_HELD at its time limit, until a batch is released. The caller owns text that a function
 * returns as `char *`, and frees it with millrace_free.
 *
 * Threads. Every function may be called from any thread, and loaders are independent of each
 * other. Only one thread at a time may be in millrace_next of a loader; a second one is refused.
 * millrace_close may be called at any time: a thread in millrace_next is woken and gets an error.
 * The engine's threads start with the first millrace_next.
 *
 * Failure. No function ends the program, raises a signal or lets an exception escape. A function
 * reports failure by its status or by NULL, and millrace_last_error returns the reason for the
 * calling thread.
 *
 * Devices. With `device`, a batch lies in the memory of a GPU, or in pinned memory that a GPU can
 * copy from asynchronously. It is complete when millrace_next returns, so work on any stream may
 * read it. Pass each stream that reads it to millrace_read_on; there is no need to wait. The
 * memory is not reused before the work that is on those streams at millrace_release is done;
 * millrace_close waits for that. No call changes the thread's current CUDA device. The engine
 * keeps its device memory from one loader to the next and frees it with the last one. This has
 * only been tested on an emulated device, not on a GPU yet.
 *
 * Processes. A loader belongs to the process that opened it. In a forked child, calls are refused
 * with MILLRACE_ERROR_USE, and close and release do nothing: open a loader in the child. With a
 * device this only works if no process before the fork has looked for a GPU, with this library or
 * another one, because CUDA does not work after a fork. Start such a child with spawn or exec.
 *
 * Stability. MILLRACE_ABI is incremented when millrace_options or millrace_batch grows at its end.
 * The library continues to serve programs compiled for earlier numbers and refuses those that need
 * a later one. Functions, further status values and JSON keys may be added without that. Changes
 * that would break programs change the number after libmillrace.so. */

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
  MILLRACE_EPOCH_END = 1,    /* the epoch is complete; the next call begins the next one */
  MILLRACE_TIMEOUT = 2,      /* no batch yet */
  MILLRACE_HELD = 3,         /* no batch until the program releases one that it holds */
  MILLRACE_JOB_END = 4,      /* the job has ended and has no more events */
  MILLRACE_ERROR_INPUT = -1, /* the pipeline, its data, a setting, an option */
  MILLRACE_ERROR_RUN = -2,   /* the run ended: too many samples failed, a library gave up */
  MILLRACE_ERROR_STATE = -3, /* not a state, or of another pipeline or data set */
  MILLRACE_ERROR_USE = -4,   /* wrong use: NULL, two threads, after fork */
  MILLRACE_ERROR_MEMORY = -5 /* no memory left */
} millrace_status;

/* The memory of a batch, with the numbers of DLPack's DLDeviceType. */
typedef enum millrace_device {
  MILLRACE_DEVICE_CPU = 1,
  MILLRACE_DEVICE_CUDA = 2,     /* a GPU's memory; the host must not touch it */
  MILLRACE_DEVICE_CUDA_HOST = 3 /* dense fields are page-locked; other rows need not be */
} millrace_device;

typedef struct millrace_loader millrace_loader;

/* What to open. Initialise with MILLRACE_OPTIONS_INIT. Texts are UTF-8 or bytes of file names, and
 * only need to live until millrace_open has returned. */
typedef struct millrace_options {
  uint32_t abi;            /* MILLRACE_ABI */
  const char* pipeline;    /* a *.millrace.json file, or the name of an example */
  const char* text;        /* or the document itself, as JSON */
  const char* run;         /* or a kept run: number, beginning of its id, or "last" */
  const char* store;       /* the store of that run; NULL: the user's own store */
  const char* base;        /* folder for relative paths; NULL: the file's */
  const char* const* data; /* paths that replace those of the source, in its order */
  size_t data_count;
  const char* const* settings; /* "NODE.PARAM=VALUE", such as "workers.count=8" */
  size_t settings_count;
  const uint64_t* seed;     /* replaces the pipeline's; NULL: the pipeline's */
  uint32_t rank;            /* number of this process among `world` that share the data */
  uint32_t world;           /* 0: as in the pipeline */
  uint32_t held;            /* batches that may be held without slowing the engine down */
  uint32_t no_random;       /* 1: the centre of each random range, and source order */
  const char* max_failures; /* "37" or "2.5%" of the samples; NULL: 1% */
  /* From interface 2 on. */
  const char* record; /* store that keeps the training as a run; "": the user's own; NULL: none */
  const char* record_experiment; /* group of the run; NULL: "default" */
  const char* record_name;       /* name of the run; NULL: none */
  /* From interface 3 on. */
  const char* device; /* "cuda:0": a GPU, by CUDA's number; "pinned"; NULL, "cpu": normal memory */
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

/* One field of a batch. Dense: `data` holds all rows in C order, 64-byte aligned, and `rows` is
 * NULL. Ragged (rows differ in size): `data` is NULL, `rows` has one entry for each row, and
 * `shape` only holds the number of rows. */
typedef struct millrace_field {
  const char* name;
  const char* dtype; /* u8 i8 u16 i16 i32 i64 f16 bf16 f32 f64, or `encoded`: bytes of a file */
  void* data;
  size_t bytes;
  int32_t ndim;
  const int64_t* shape; /* the first entry is the number of rows */
  const millrace_row* rows;
} millrace_field;

/* A batch. The program may write to its memory, which nothing else reads. On a GPU, `data` of
 * fields and rows are device addresses; dense fields are aligned to 256 bytes. */
typedef struct millrace_batch {
  uint32_t epoch;
  uint64_t index; /* in the epoch, from 0 */
  size_t rows;    /* fewer than a full batch at an epoch's end and if samples failed */
  size_t field_count;
  const millrace_field* fields;
  const uint32_t* samples; /* the number of each row's sample in the data set */
  uint64_t failed; /* samples that have failed so far; if it grows, call millrace_failures */
  /* From interface 3 on. */
  int32_t device_type; /* millrace_device */
  int32_t device_id;   /* number of the GPU, otherwise 0 */
} millrace_batch;

/* A DLPack tensor, defined in dlpack.h. */
struct DLManagedTensor;

/* The MILLRACE_ABI of the library. */
MILLRACE_API uint32_t millrace_abi_version(void);
/* "0.1.0"; valid as long as the program. */
MILLRACE_API const char* millrace_version(void);

/* `rank` and `world` for millrace_options if mpirun, srun or torchrun started this process as one
 * of several, by the environment variables that they set; else 0 and 1. MILLRACE_ERROR_INPUT: one
 * of these variables is wrong, and the error names it. */
MILLRACE_API millrace_status millrace_launched_rank(uint32_t* rank, uint32_t* world);

/* Opens the data and checks the pipeline. On failure `*loader` is NULL and the error lists every
 * problem, one on each line. May read a long directory listing, and generates missing `sample:`
 * data. With a GPU as `device`, batches move there at the pipeline's transfer node. If it has
 * none, one is added before the consumer, and `warnings` of millrace_describe says so. Without a
 * GPU as `device`, transfer nodes do nothing, and nodes that require a GPU are refused. With
 * `record`, the training is kept as a run in that store, from the first millrace_next to
 * millrace_close, written by threads of the library as it goes on: rates, waits, memory,
 * `step_share`, figures of nodes and queues, failures, machine and data. `millrace runs show last`
 * and the workbench show it meanwhile. If the program is killed, everything written so far is
 * kept. Each jump by millrace_set_epoch or millrace_restore begins a new repeat of the run; the
 * first 1000 are kept. */
MILLRACE_API millrace_status millrace_open(const millrace_options* options,
                                           millrace_loader** loader);

/* The numbers of batches and samples in an epoch. If a large container without an index has not
 * been scanned completely, this waits for the scan, which can take minutes; a thread in
 * millrace_next may have to wait for it, too. Either pointer may be NULL. */
MILLRACE_API millrace_status millrace_count(millrace_loader* loader, uint64_t* batches,
                                            uint64_t* samples);

/* Returns JSON: `batches` and `samples` of an epoch (null until known), `batch_size`, `seed`,
 * `device`, the next `epoch` and `batch`, `fields` (`name dtype shape layout role classes`;
 * unknown sizes are null), `classes`, `plan`, `warnings`, `pipeline` (the document with its
 * defaults). NULL on failure. */
MILLRACE_API char* millrace_describe(const millrace_loader* loader);

/* Returns the next batch. Waits for at most `seconds`; 0: not at all; negative: until there is
 * one, with one message on standard error if it waits because of held batches. `*batch` is NULL
 * unless MILLRACE_OK. After MILLRACE_EPOCH_END the next call begins the next epoch; there is no
 * last one. After MILLRACE_ERROR_RUN, millrace_set_epoch or millrace_restore starts again. */
MILLRACE_API millrace_status millrace_next(millrace_loader* loader, double seconds,
                                           millrace_batch** batch);

/* Returns a batch to the engine. NULL does nothing. */
MILLRACE_API void millrace_release(millrace_batch* batch);

/* Makes the first batch of this epoch the next one. Drops batches in progress, unless that epoch
 * comes next anyway: then the call costs nothing. */
MILLRACE_API millrace_status millrace_set_epoch(millrace_loader* loader, uint32_t epoch);

/* The same for batch `batch` of the epoch, counted from 0. The batches before it are not made, and
 * their samples are not read. MILLRACE_ERROR_USE if the epoch has no such batch. */
MILLRACE_API millrace_status millrace_set_position(millrace_loader* loader, uint32_t epoch,
                                                   uint64_t batch);

/* Returns the loader's position, after the last batch returned, as one line of JSON for
 * millrace_restore. The first call reads the names of all samples. NULL on failure. */
MILLRACE_API char* millrace_state(millrace_loader* loader);

/* Continues from a state, with the same batches, bit for bit, for any number of workers. A state
 * of other batches (seed, node, setting, data set) is refused; the error says what differs, and
 * nothing changes. The number of processes and the size of batches may differ, unless an order
 * node follows the shard node: the state of any process counts the samples that all of them have
 * delivered, if each is at the same batch, and the processes that restore it share the others. */
MILLRACE_API millrace_status millrace_restore(millrace_loader* loader, const char* state);

/* Returns the engine's figures since the loader began as JSON, with the keys of `millrace run
 * --json`. A step is the program's work between two batches: `step_share`, `step_seconds`,
 * `wait_seconds`. `run_id` is the number of the run that `record` keeps, otherwise null. NULL on
 * failure. */
MILLRACE_API char* millrace_stats(millrace_loader* loader);

/* Returns JSON: `total`, the number of failed samples, and `failures` (`sample reason`) from index
 * `from` on; only the first 1000 are listed. NULL on failure. */
MILLRACE_API char* millrace_failures(const millrace_loader* loader, size_t from);

/* Why the last call of this thread failed; empty if it did not. Valid until the thread's next
 * call. */
MILLRACE_API const char* millrace_last_error(void);

/* Ends the loader's threads and frees it. NULL does nothing. A loader that is still open when the
 * program ends is closed then. */
MILLRACE_API void millrace_close(millrace_loader* loader);

/* Frees text that a function returned. NULL does nothing. */
MILLRACE_API void millrace_free(char* text);

/* From interface 3 on. */

/* Announces that work on `stream` (a cudaStream_t; NULL: the legacy default stream) reads the
 * batch, now or later. The memory is not reused before the work that is on the stream at the
 * release is done. The stream must live until then. It may belong to any GPU; a default stream
 * means that of each GPU that the process uses. Also needed if a GPU copies asynchronously from
 * pinned memory. Does nothing for a batch in normal memory. */
MILLRACE_API millrace_status millrace_read_on(millrace_batch* batch, void* stream);

/* Copies `bytes` bytes of a batch to host memory, wherever the batch lies, and waits for the copy.
 * Waits for writes to the batch on streams passed to millrace_read_on. */
MILLRACE_API millrace_status millrace_to_host(millrace_batch* batch, void* to, const void* from,
                                              size_t bytes);

/* Returns a field as a tensor; -1: the whole field; otherwise one row of a field whose rows differ
 * in size. bf16 is kDLBfloat, `encoded` is bytes; a single row of a pinned batch is declared as
 * normal memory, because it may be. The tensor keeps the batch alive, even after millrace_release
 * and millrace_close, until its deleter is called on any thread; streams passed to
 * millrace_read_on by then count. NULL on failure. */
MILLRACE_API struct DLManagedTensor* millrace_dlpack(millrace_batch* batch, size_t field,
                                                     int64_t row);

/* Jobs: what the commands of `millrace` measure, on threads of the library.
 *
 *   millrace_job_options options = MILLRACE_JOB_OPTIONS_INIT;
 *   millrace_job *job = NULL;
 *   char *text = NULL;
 *   options.kind = "run";
 *   options.options = "{\"pipeline\": \"pipeline.millrace.json\", \"seconds\": 5}";
 *   if (millrace_job_start(&options, &job) == MILLRACE_OK) {
 *     while (millrace_job_next_event(job, -1, &text) == MILLRACE_OK) millrace_free(text);
 *     if (millrace_job_result(job, &text) == MILLRACE_OK) puts(text);
 *     millrace_free(text);
 *   }
 *   millrace_job_close(job);
 *
 * Options, events and results are JSON, so that a further kind of job needs no further function:
 * docs/reference/jobs.md lists the kinds and their options, docs/reference/event-stream.md the
 * events, docs/reference/command-line.md the results. Every function may be called from any
 * thread. A job belongs to the process that started it, as a loader does. A measurement is
 * disturbed by whatever else the program computes meanwhile. */

typedef struct millrace_job millrace_job;

/* What to start. Initialise with MILLRACE_JOB_OPTIONS_INIT. Texts are UTF-8 and only need to live
 * until millrace_job_start has returned. */
typedef struct millrace_job_options {
  uint32_t abi;        /* MILLRACE_ABI */
  const char* kind;    /* "run", ...: docs/reference/jobs.md */
  const char* options; /* a JSON object; NULL: {} */
  const char* program; /* the `millrace` program, for kinds whose trials are processes; else NULL */
} millrace_job_options;

#define MILLRACE_JOB_OPTIONS_INIT {MILLRACE_ABI, NULL, NULL, NULL}

/* Starts a job. Only its options are checked: a pipeline that cannot run is an error of
 * millrace_job_result. On failure `*job` is NULL. */
MILLRACE_API millrace_status millrace_job_start(const millrace_job_options* options,
                                                millrace_job** job);

/* Returns the next event, one line of JSON that the caller frees with millrace_free. Waits for at
 * most `seconds`; 0: not at all; negative: until there is one. `*event` is NULL unless MILLRACE_OK.
 * MILLRACE_JOB_END: the job has ended, and every event was returned. A program may leave events
 * out: a snapshot that was not taken is replaced by the next one, the others wait in memory. */
MILLRACE_API millrace_status millrace_job_next_event(millrace_job* job, double seconds,
                                                     char** event);

/* Ends the job early, in a second or two. What was measured is kept and is its result. Returns at
 * once. */
MILLRACE_API millrace_status millrace_job_stop(millrace_job* job);

/* Returns the result, a line of JSON that the caller frees with millrace_free. MILLRACE_TIMEOUT:
 * the job has not ended. MILLRACE_ERROR_INPUT: the pipeline, its data or a setting is wrong; the
 * error lists every problem, one on each line. MILLRACE_ERROR_RUN: the job could not begin or go
 * on. A job that was stopped, or whose pipeline failed while it was measured, has a result that
 * says so. */
MILLRACE_API millrace_status millrace_job_result(millrace_job* job, char** result);

/* Stops the job, waits for its end and frees it. NULL does nothing. A job that is still open when
 * the program ends is closed then. */
MILLRACE_API void millrace_job_close(millrace_job* job);

#ifdef __cplusplus
}
#endif

#endif
