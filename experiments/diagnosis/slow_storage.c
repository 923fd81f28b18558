// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A slow disk for a program that is started with this library in LD_PRELOAD: reads of regular files
// below a folder take longer, as if from storage with its own latency and bandwidth. The
// bytes are the real file's.
//   SLOW_STORAGE_UNDER       the folder, absolute; without it nothing is slowed
//   SLOW_STORAGE_LATENCY_MS  of each request; any number of requests wait at once
//   SLOW_STORAGE_MB_PER_S    shared by all requests; 0 or absent: without limit
//   SLOW_STORAGE_CACHED      1: reads from the page cache are not slowed, as with a disk; otherwise
//                            every request is slow, as over a network without a cache
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

typedef ssize_t (*PreadFunction)(int, void*, size_t, off64_t);
typedef ssize_t (*PreadvFunction)(int, const struct iovec*, int, off64_t);
typedef ssize_t (*ReadFunction)(int, void*, size_t);

static const char* under;
static double latencySeconds;
static double secondsPerByte;
static int pageCacheIsFast;
static PreadFunction realPread;
static PreadvFunction realPreadv;
static ReadFunction realRead;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double busyUntil;  // when the storage has sent what it was asked for so far

static double number(const char* name) {
  const char* text = getenv(name);
  return text != NULL ? atof(text) : 0;
}

__attribute__((constructor)) static void setUp(void) {
  realPread = (PreadFunction)dlsym(RTLD_NEXT, "pread64");
  realPreadv = (PreadvFunction)dlsym(RTLD_NEXT, "preadv64");
  realRead = (ReadFunction)dlsym(RTLD_NEXT, "read");
  under = getenv("SLOW_STORAGE_UNDER");
  latencySeconds = number("SLOW_STORAGE_LATENCY_MS") / 1e3;
  const double megabytes = number("SLOW_STORAGE_MB_PER_S");
  secondsPerByte = megabytes > 0 ? 1 / (megabytes * 1e6) : 0;
  pageCacheIsFast = number("SLOW_STORAGE_CACHED") > 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void sleepUntil(double end) {
  struct timespec time;
  time.tv_sec = (time_t)end;
  time.tv_nsec = (long)((end - (double)time.tv_sec) * 1e9);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
  }
}

static int isSlowFile(int fd) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, under, strlen(under)) == 0;
}

// Whether the page that holds the byte is in the page cache.
static int isCached(int fd, off64_t offset) {
  char byte;
  const struct iovec to = {&byte, 1};
  return preadv2(fd, &to, 1, offset, RWF_NOWAIT) >= 0;
}

// The time at which a request for this many bytes, made now, is answered; 0: at once.
static double answered(int fd, off64_t offset, size_t bytes) {
  struct stat64 file;
  if (under == NULL || fstat64(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
  if (offset >= file.st_size || !isSlowFile(fd)) return 0;
  if (pageCacheIsFast && isCached(fd, offset)) return 0;
  if ((off64_t)bytes > file.st_size - offset) bytes = (size_t)(file.st_size - offset);
  const double asked = now();
  pthread_mutex_lock(&mutex);
  if (busyUntil < asked) busyUntil = asked;
  busyUntil += (double)bytes * secondsPerByte;
  const double sent = busyUntil;
  pthread_mutex_unlock(&mutex);
  return sent + latencySeconds;
}

static ssize_t slowPread(int fd, void* to, size_t bytes, off64_t offset) {
  const double end = answered(fd, offset, bytes);
  if (end > 0) sleepUntil(end);
  return realPread(fd, to, bytes, offset);
}

ssize_t pread64(int fd, void* to, size_t bytes, off64_t offset) {
  return slowPread(fd, to, bytes, offset);
}

ssize_t pread(int fd, void* to, size_t bytes, off_t offset) {
  return slowPread(fd, to, bytes, offset);
}

static ssize_t slowPreadv(int fd, const struct iovec* to, int places, off64_t offset) {
  size_t bytes = 0;
  for (int i = 0; i < places; ++i) bytes += to[i].iov_len;
  const double end = answered(fd, offset, bytes);
  if (end > 0) sleepUntil(end);
  return realPreadv(fd, to, places, offset);
}

ssize_t preadv64(int fd, const struct iovec* to, int places, off64_t offset) {
  return slowPreadv(fd, to, places, offset);
}

ssize_t preadv(int fd, const struct iovec* to, int places, off_t offset) {
  return slowPreadv(fd, to, places, offset);
}

ssize_t read(int fd, void* to, size_t bytes) {
  const off64_t offset = under != NULL ? lseek64(fd, 0, SEEK_CUR) : -1;
  const double end = offset >= 0 ? answered(fd, offset, bytes) : 0;
  if (end > 0) sleepUntil(end);
  return realRead(fd, to, bytes);
}
