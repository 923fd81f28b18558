// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
/* What libstdc++, libgcc and Millrace take from glibc after 2.28, for programs that also run with 2.28. The
 * linker adds it to programs that scripts/lib/portable/sysroot builds; none of it is exported. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* glibc 2.32. 0: libstdc++ counts references by atomic operations even while there is one thread. */
HIDDEN char __libc_single_threaded = 0;

/* glibc 2.36. std::random_device calls it. */
HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
    if (errno != EINTR) abort();
  }
  return value;
}

/* glibc 2.30. */
HIDDEN pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

static struct timespec on_the_wall(clockid_t clock, const struct timespec *until) {
  struct timespec now, wall, result;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  result.tv_sec = wall.tv_sec + (until->tv_sec - now.tv_sec);
  result.tv_nsec = wall.tv_nsec + (until->tv_nsec - now.tv_nsec);
  if (result.tv_nsec < 0) {
    result.tv_sec -= 1;
    result.tv_nsec += 1000000000;
  } else if (result.tv_nsec >= 1000000000) {
    result.tv_sec += 1;
    result.tv_nsec -= 1000000000;
  }
  return result;
}

/* The functions of glibc 2.30 that wait by a given clock. An older glibc waits by the clock on the wall:
 * if that is set while a thread waits, the thread wakes too early or too late. */
HIDDEN int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *until) {
  typedef int Function(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  Function *there = (Function *)dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
  if (there != NULL) return there(condition, mutex, clock, until);
  struct timespec wall = on_the_wall(clock, until);
  return pthread_cond_timedwait(condition, mutex, &wall);
}

HIDDEN int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *until) {
  typedef int Function(pthread_mutex_t *, clockid_t, const struct timespec *);
  Function *there = (Function *)dlsym(RTLD_DEFAULT, "pthread_mutex_clocklock");
  if (there != NULL) return there(mutex, clock, until);
  struct timespec wall = on_the_wall(clock, until);
  return pthread_mutex_timedlock(mutex, &wall);
}

/* glibc 2.35. libgcc asks it for the unwind table of the object that contains an address. */
struct search {
  uintptr_t address;
  struct dl_find_object *result;
};

static int look_into(struct dl_phdr_info *object, size_t size, void *data) {
  const struct search *search = data;
  const ElfW(Phdr) *table = NULL;
  int inside = 0;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME) table = header;
    if (header->p_type == PT_LOAD && search->address >= start &&
        search->address < start + header->p_memsz) {
      inside = 1;
      search->result->dlfo_map_start = (void *)start;
      search->result->dlfo_map_end = (void *)(start + header->p_memsz);
    }
  }
  if (!inside) return 0;
  if (table == NULL) return -1;
  search->result->dlfo_eh_frame = (void *)(object->dlpi_addr + table->p_vaddr);
  return 1;
}

HIDDEN int _dl_find_object(void *address, struct dl_find_object *result) {
  typedef int Function(void *, struct dl_find_object *);
  static Function *there;
  static int known;
  if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
    there = (Function *)dlsym(RTLD_DEFAULT, "_dl_find_object");
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
  }
  if (there != NULL) return there(address, result);
  struct search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}
