/* A tiny function, ten million times. */
static volatile int total;
__attribute__((noinline)) void tiny(int x) { total = total + x; }
__attribute__((noinline)) void outer(void) {
  for (int i = 0; i < 100000; i++) tiny(i);
}
int main(void) {
  for (int i = 0; i < 100; i++) outer();
  return 0;
}
