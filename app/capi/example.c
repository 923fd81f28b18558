/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums the bytes of two epochs of a pipeline, as a training program would use them:
 *   cc example.c -lmillrace -o example && ./example classification
 */
#include <millrace.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t sum_of(const millrace_field *field) {
  const unsigned char *bytes = field->data;
  uint64_t sum = 0;
  size_t i;
  for (i = 0; bytes != NULL && i < field->bytes; ++i) sum += bytes[i];
  return sum;
}

static int run_epoch(millrace_loader *loader) {
  millrace_batch *batch = NULL;
  millrace_status status;
  uint64_t sum = 0;
  size_t rows = 0;
  while ((status = millrace_next(loader, -1, &batch)) == MILLRACE_OK) {
    size_t i;
    for (i = 0; i < batch->field_count; ++i) sum += sum_of(&batch->fields[i]);
    rows += batch->rows;
    millrace_release(batch);
  }
  if (status != MILLRACE_EPOCH_END) return 0;
  printf("%lu samples, sum %llu\n", (unsigned long)rows, (unsigned long long)sum);
  return 1;
}

int main(int argc, char **argv) {
  millrace_options options = MILLRACE_OPTIONS_INIT;
  millrace_loader *loader = NULL;
  options.pipeline = argc > 1 ? argv[1] : "classification";
  if (millrace_open(&options, &loader) != MILLRACE_OK || !run_epoch(loader) || !run_epoch(loader)) {
    fprintf(stderr, "%s\n", millrace_last_error());
    return 1;
  }
  millrace_close(loader);
  return 0;
}
