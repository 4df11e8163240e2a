/* flags: -std=gnu11 -Wall -Wextra */
/* flags: -O2 -fno-pie -no-pie */
#include <stdio.h>

static int adds(int a, int b) { __asm__ volatile("addl %1, %0" : "+r"(a) : "r"(b) : "cc"); return a; } /*+ adds */
static int jumps(int a) /*+ jumps */
{
  __asm__ goto("testl %0, %0\n\tjz %l1" : : "r"(a) : "cc" : zero);
  return 1;
zero:
  return 0;
}
static int in_register(int a) { register int x __asm__("ebx") = a; __asm__ volatile("incl %0" : "+r"(x)); return x; } /*+ in_register */
static int constraints(int a) { int r; __asm__("movl %1, %0" : "=&r"(r) : "g"(a)); return r; } /*+ constraints */
int named(int a) __asm__("another_name");
int named(int a) { return a + 1; } /*+ named */
extern int by_hand(int a);
__asm__(".text\n.globl by_hand\n.type by_hand, @function\nby_hand:\n\tleal 5(%rdi), %eax\n\tret\n.size by_hand, .-by_hand\n");
__attribute__((naked)) int bare(int a __attribute__((unused))) { __asm__("leal 7(%rdi), %eax\n\tret"); } /*- naked */
static unsigned long flags(void) { unsigned long f; __asm__ volatile("pushfq\n\tpopq %0" : "=r"(f) : : "memory"); return f & 0; } /*+ flags */
int main(void) { /*+ main */
  printf("%d %d %d %d %d %d %d %d %lu\n", adds(1, 2), jumps(0), jumps(1), in_register(3), constraints(4), named(5), by_hand(6), bare(7), flags());
  return 0;
}
