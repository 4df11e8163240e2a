/* flags: -std=gnu89 -w -Drestrict= */
/* flags: -std=gnu89 -O2 -fcommon -Drestrict= -Dinline= -Dconst= */
/* What compilers before C99 took, and GCC 12 still takes; Clang calls much of it an error. */
extern int printf();
int common, common;
static inline char *first(restrict_is_nothing, q) char *restrict q; int restrict_is_nothing; { return q; } /*+ first */
implicit_int(a, b) { return a + b; } /*+ implicit_int */
static promoted(c, f) char c; float f; { return c + (int)f; } /*+ promoted */
nothing() { return; } /*+ nothing */
pointers() { int *p = 4, n = p; return n; } /*+ pointers */
static later(); 
main(argc, argv) char **argv; { /*+ main */
  auto n = argc;
  register r = 3;
  { extern implicit_int(); n += implicit_int(1, 2); }
  nothing();
  printf("%d %d %d %d %s\n", n, promoted('a', 2.5), undeclared_here(r), pointers(), first(1, "text"));
  return later() - 1;
}
undeclared_here(a) { return a * 2; } /*+ undeclared_here */
static later() { return 1; } /*+ later */
