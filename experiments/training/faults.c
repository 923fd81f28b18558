/* SPDX-FileCopyrightText: 2026 The Millrace developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * faults PIPELINE STORE: provokes every error of the C interface, one after the other; to be run
 * under valgrind. Prints a line for each: what was tried, the status and the message.
 */
#include <millrace.h>
#include <stdio.h>
#include <string.h>

static void tried(const char *what, millrace_status status) {
  printf("%-22s %2d  %s\n", what, (int)status, millrace_last_error());
}

static void opening(millrace_options options) {
  const char *unknown = "batch.sizes=4";
  millrace_loader *loader = NULL;
  millrace_options changed = options;
  changed.pipeline = "/nowhere.millrace.json";
  tried("no such file", millrace_open(&changed, &loader));
  changed = options;
  changed.abi = MILLRACE_ABI + 1;
  tried("a newer interface", millrace_open(&changed, &loader));
  changed = options;
  changed.settings = &unknown;
  changed.settings_count = 1;
  tried("an unknown setting", millrace_open(&changed, &loader));
  changed = options;
  changed.record = "/proc/nowhere/runs.db";
  tried("no place for a store", millrace_open(&changed, &loader));
  changed = options;
  changed.world = changed.rank = 2;
  tried("a rank too high", millrace_open(&changed, &loader));
}

static void states(millrace_loader *loader) {
  char *state = millrace_state(loader);
  tried("its own state", millrace_restore(loader, state));
  state[strlen(state) / 2] = '\0';
  tried("half a state", millrace_restore(loader, state));
  millrace_free(state);
  tried("no state", millrace_restore(loader, NULL));
}

int main(int argc, char **argv) {
  millrace_options options = MILLRACE_OPTIONS_INIT;
  millrace_loader *loader = NULL;
  millrace_batch *batch = NULL;
  millrace_batch *kept = NULL;
  if (argc != 3) return 2;
  options.pipeline = argv[1];
  opening(options);
  options.record = argv[2];
  tried("a sound one", millrace_open(&options, &loader));
  tried("a first batch", millrace_next(loader, -1, &kept));
  while (millrace_next(loader, -1, &batch) == MILLRACE_OK) millrace_release(batch);
  states(loader);
  tried("another epoch", millrace_set_epoch(loader, 9));
  tried("its first batch", millrace_next(loader, -1, &batch));
  millrace_release(batch);
  millrace_free(millrace_stats(loader));
  millrace_free(millrace_describe(loader));
  millrace_free(millrace_failures(loader, 0));
  millrace_close(loader);
  tried("after closing", millrace_next(loader, 0, &batch));
  millrace_release(kept);
  return 0;
}
