/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Milliseconds from opening the example's photos to their first batch.
 */
#define _POSIX_C_SOURCE 199309L
#include <millrace.h>
#include <stdio.h>
#include <time.h>

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int main(void) {
  millrace_options options = MILLRACE_OPTIONS_INIT;
  millrace_loader *loader = NULL;
  millrace_batch *batch = NULL;
  const double begun = now_ms();
  options.pipeline = "classification";
  if (millrace_open(&options, &loader) != MILLRACE_OK ||
      millrace_next(loader, -1, &batch) != MILLRACE_OK) {
    fprintf(stderr, "%s\n", millrace_last_error());
    return 1;
  }
  printf("%.3f\n", now_ms() - begun);
  millrace_release(batch);
  millrace_close(loader);
  return 0;
}
