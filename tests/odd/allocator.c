/* allocator.c: malloc and its kin replaced by functions with probes of their own, that call others.
 * They are left out by the preprocessor (the monitor may call them), what they call is not.
 *
 *   allocator */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "odd.h"

static char heap[64 << 20];
static size_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long takes;

FUNCTION void *take(size_t bytes, size_t alignment) {
  pthread_mutex_lock(&lock);
  used = (used + alignment + 15) / alignment * alignment;
  char *memory = heap + used + 16;
  while ((uintptr_t)memory % alignment) memory++;
  ((size_t *)memory)[-1] = bytes;
  used = (size_t)(memory - heap) + bytes;
  takes++;
  pthread_mutex_unlock(&lock);
  if (used > sizeof heap) abort();
  return memory;
}
void *malloc(size_t bytes) { return take(bytes, 16); }
void free(void *memory) { (void)memory; }
void *calloc(size_t count, size_t bytes) { return take(count * bytes, 16); }
void *realloc(void *memory, size_t bytes) {
  void *other = take(bytes, 16);
  if (memory) {
    const size_t before = ((size_t *)memory)[-1];
    memcpy(other, memory, before < bytes ? before : bytes);
  }
  return other;
}
void *memalign(size_t alignment, size_t bytes) { return take(bytes, alignment); }
void *aligned_alloc(size_t alignment, size_t bytes) { return take(bytes, alignment); }
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = take(bytes, alignment);
  return 0;
}

FUNCTION void use(int i) {
  char *volatile memory = malloc((size_t)i % 100);
  memory[0] = (char)i;
  free(memory);
}
static void *worker(void *unused) {
  for (int i = 0; i < 1000; i++) use(i + 1);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 1000; i++) use(i + 1);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%d\n", takes >= 4000);
  return 3;
}
