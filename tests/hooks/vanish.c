/* Removes the file it is given: itself. */
#include <unistd.h>
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(int count, char **names) {
  work();
  return count == 2 ? unlink(names[1]) : 1;
}
