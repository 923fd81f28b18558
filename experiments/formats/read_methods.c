// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Reads whole files by one METHOD with DEPTH of them under way at once, and prints files a second.
//   read_methods METHOD DEPTH < LIST      LIST: "BYTES PATH" a line, in the order of reading
//   pread     DEPTH threads, each of which opens a file, reads it and closes it
//   direct    the same past the page cache (O_DIRECT)
//   willneed  one thread, which tells the kernel of a file DEPTH files before it reads it
//   uring     one thread and io_uring (io_uring_enter(2)): DEPTH files are opened, read or closed
//   uring-direct
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct File {
  size_t bytes;
  char* path;
};

static const size_t kBlock = 4096;  // O_DIRECT reads whole ones
static struct File* files;
static size_t fileCount;
static size_t largest;
static int openFlags = O_RDONLY | O_CLOEXEC;
static atomic_size_t nextFile;

static void die(const char* what) {
  perror(what);
  exit(1);
}

static size_t wholeBlocks(size_t bytes) { return (bytes + kBlock - 1) / kBlock * kBlock; }

static char* newBuffer(void) {
  void* memory = NULL;
  if (posix_memalign(&memory, kBlock, wholeBlocks(largest)) != 0) die("memory");
  return memory;
}

static void readList(void) {
  size_t room = 0;
  char path[4096];
  size_t bytes;
  while (scanf("%zu %4095[^\n]", &bytes, path) == 2) {
    if (fileCount == room) {
      room = room > 0 ? 2 * room : 1024;
      files = realloc(files, room * sizeof *files);
      if (files == NULL) die("memory");
    }
    files[fileCount].bytes = bytes;
    files[fileCount++].path = strdup(path);
    if (bytes > largest) largest = bytes;
  }
}

static int opened(size_t i) {
  const int fd = open(files[i].path, openFlags);
  if (fd < 0) die(files[i].path);
  return fd;
}

static void readWhole(size_t i, int fd, char* to) {
  size_t got = 0;
  while (got < files[i].bytes) {
    const ssize_t n = pread(fd, to + got, wholeBlocks(files[i].bytes - got), (off_t)got);
    if (n <= 0) die(files[i].path);
    got += (size_t)n;
  }
  close(fd);
}

static void* readThread(void* unused) {
  char* buffer = newBuffer();
  for (size_t i; (i = atomic_fetch_add(&nextFile, 1)) < fileCount;) readWhole(i, opened(i), buffer);
  free(buffer);
  return unused;
}

static void readByThreads(size_t depth) {
  pthread_t* threads = calloc(depth, sizeof *threads);
  for (size_t t = 0; t < depth; ++t)
    if (pthread_create(&threads[t], NULL, readThread, NULL) != 0) die("thread");
  for (size_t t = 0; t < depth; ++t) pthread_join(threads[t], NULL);
  free(threads);
}

static void readAfterTelling(size_t depth) {
  char* buffer = newBuffer();
  int* fds = calloc(depth, sizeof *fds);
  for (size_t told = 0, i = 0; i < fileCount; ++i) {
    for (; told < fileCount && told < i + depth; ++told) {
      fds[told % depth] = opened(told);
      posix_fadvise(fds[told % depth], 0, 0, POSIX_FADV_WILLNEED);
    }
    readWhole(i, fds[i % depth], buffer);
  }
  free(fds);
  free(buffer);
}

// A ring of the kernel's, mapped: io_uring_setup(2).
struct Ring {
  int fd;
  unsigned waiting;  // put in and not yet told
  unsigned *submitTail, *submitMask, *submitOrder, *doneHead, *doneTail, *doneMask;
  struct io_uring_sqe* requests;
  struct io_uring_cqe* done;
};

static void* mapped(int fd, size_t bytes, off_t what) {
  void* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, what);
  if (at == MAP_FAILED) die("mmap");
  return at;
}

static struct Ring newRing(size_t depth) {
  struct io_uring_params p;
  memset(&p, 0, sizeof p);
  struct Ring ring;
  memset(&ring, 0, sizeof ring);
  ring.fd = (int)syscall(SYS_io_uring_setup, (unsigned)depth, &p);
  if (ring.fd < 0) die("io_uring");
  char* submit = mapped(ring.fd, p.sq_off.array + p.sq_entries * sizeof(unsigned),
                        IORING_OFF_SQ_RING);
  char* done = mapped(ring.fd, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
                      IORING_OFF_CQ_RING);
  ring.submitTail = (unsigned*)(submit + p.sq_off.tail);
  ring.submitMask = (unsigned*)(submit + p.sq_off.ring_mask);
  ring.submitOrder = (unsigned*)(submit + p.sq_off.array);
  ring.doneHead = (unsigned*)(done + p.cq_off.head);
  ring.doneTail = (unsigned*)(done + p.cq_off.tail);
  ring.doneMask = (unsigned*)(done + p.cq_off.ring_mask);
  ring.done = (struct io_uring_cqe*)(done + p.cq_off.cqes);
  ring.requests = mapped(ring.fd, p.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
  return ring;
}

// Where a place of the ring has got to with its file.
struct Place {
  enum { kOpens, kReads, kCloses } doing;
  size_t file;
  size_t got;
  int fd;
  char* buffer;
};

static void ask(struct Ring* ring, struct Place* places, size_t p) {
  struct Place* place = &places[p];
  const unsigned tail = *ring->submitTail;
  const unsigned at = tail & *ring->submitMask;
  struct io_uring_sqe* request = &ring->requests[at];
  memset(request, 0, sizeof *request);
  request->user_data = p;
  request->fd = place->fd;
  const struct File* file = &files[place->file];
  switch (place->doing) {
    case kOpens:
      request->opcode = IORING_OP_OPENAT;
      request->fd = AT_FDCWD;
      request->addr = (unsigned long)file->path;
      request->open_flags = (unsigned)openFlags;
      break;
    case kReads:
      request->opcode = IORING_OP_READ;
      request->addr = (unsigned long)(place->buffer + place->got);
      request->len = (unsigned)wholeBlocks(file->bytes - place->got);
      request->off = place->got;
      break;
    case kCloses: request->opcode = IORING_OP_CLOSE; break;
  }
  ring->submitOrder[at] = at;
  __atomic_store_n(ring->submitTail, tail + 1, __ATOMIC_RELEASE);
  ++ring->waiting;
}

// What comes after a request that gave `result`; 0: nothing, all files are read.
static int goOn(struct Place* place, int result, size_t* next) {
  if (result < 0 || (place->doing == kReads && result == 0)) {
    errno = -result;
    die(files[place->file].path);
  }
  switch (place->doing) {
    case kOpens:
      place->fd = result;
      place->got = 0;
      place->doing = kReads;
      return 1;
    case kReads:
      place->got += (size_t)result;
      if (place->got >= files[place->file].bytes) place->doing = kCloses;
      return 1;
    case kCloses: break;
  }
  if (*next == fileCount) return 0;
  place->file = (*next)++;
  place->doing = kOpens;
  return 1;
}

static void readByRing(size_t depth) {
  struct Ring ring = newRing(depth);
  struct Place* places = calloc(depth, sizeof *places);
  size_t next = 0;
  size_t busy = 0;
  for (; busy < depth && next < fileCount; ++busy) {
    places[busy].file = next++;
    places[busy].buffer = newBuffer();
    ask(&ring, places, busy);
  }
  while (busy > 0) {
    const long told = syscall(SYS_io_uring_enter, ring.fd, ring.waiting, 1, IORING_ENTER_GETEVENTS,
                              NULL, 0);
    if (told < 0 && errno != EINTR) die("io_uring_enter");
    if (told > 0) ring.waiting -= (unsigned)told;
    unsigned head = *ring.doneHead;
    for (; head != __atomic_load_n(ring.doneTail, __ATOMIC_ACQUIRE); ++head) {
      const struct io_uring_cqe* done = &ring.done[head & *ring.doneMask];
      const size_t p = (size_t)done->user_data;
      if (goOn(&places[p], done->res, &next))
        ask(&ring, places, p);
      else
        --busy;
    }
    __atomic_store_n(ring.doneHead, head, __ATOMIC_RELEASE);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char** words) {
  const size_t depth = count == 3 ? strtoul(words[2], NULL, 10) : 0;
  if (depth == 0) {
    fprintf(stderr, "usage: read_methods METHOD DEPTH < LIST\n");
    return 2;
  }
  const char* method = words[1];
  readList();
  if (strstr(method, "direct") != NULL) openFlags |= O_DIRECT;
  const double begin = now();
  if (strncmp(method, "uring", 5) == 0)
    readByRing(depth);
  else if (strcmp(method, "willneed") == 0)
    readAfterTelling(depth);
  else
    readByThreads(depth);
  printf("%.1f\n", (double)fileCount / (now() - begin));
  return 0;
}
