/* flags: -std=gnu11 -O2 -Wall -Wextra -Wshadow -pedantic -Wno-unknown-pragmas -Werror */
/* flags: -std=gnu11 -Wall -Wextra -Wimplicit-fallthrough -Wno-unknown-pragmas */
/* loops: outer */
#include <setjmp.h>
#include <stdio.h>

static int exits(int n) { /*+ exits */
  int s = 0;
  for (int i = 0; i < n; i++) { /*+ exits::{loop} */
    if (i == 3) continue;
    if (i == 20) break;
    if (n == 11) return -1;
    if (n == 12) goto out;
    s += i;
  }
  while (s > 100) s -= 7; /*+ exits::{loop} */
  do { s++; } while (s % 5); /*+ exits::{loop} */
out:
  return s;
}

static int one_line(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; for (int j = 0; j < n; j++) s ^= j; return s; } /*+ one_line */ /*+ one_line::{loop@41} */ /*+ one_line::{loop@77} */

static int nested(int n) { /*+ nested */
  int s = 0;
  for (int i = 0; i < n; i++) /*+ nested::{loop} */
    for (int j = 0; j < i; j++) /*- inside the loop of line 26 */
      while (s < j) s++; /*- inside the loop of line 27 */
  if (n > 2) for (int i = 0; i < n; i++) s += i; else s--; /*+ nested::{loop} */
  if (n > 3)
    for (int i = 0; i < n; i++) s += i; /*+ nested::{loop} */
  else
    for (int i = 0; i < n; i++) s -= i; /*+ nested::{loop} */
  do { /* once: no loop */
    for (int i = 0; i < n; i++) s += i; /*+ nested::{loop} */
  } while (0);
  for (int i = 0; i < n; i++) if (i % 2) s++; else /*+ nested::{loop} */
    s--;
  return s;
}

static int switches(int n) { /*+ switches */
  int s = 0;
  switch (n) {
  case 0:
    for (int i = 0; i < 9 + n; i++) s += i; /*+ switches::{loop} */
    /* fall through */
  case 1:
    while (s < 50) s += 7; /*+ switches::{loop} */
    break;
  case 2: for (;;) if (s++ > n) break; /*+ switches::{loop} */
    break;
  default:
    while (1) { /*+ switches::{loop} */
      switch (s) {
      case 3: return 30;
      default: s++;
      }
    }
  }
  return s;
}

static int duff(int n) { /*+ duff */
  int s = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { s++; /*- jumped into from outside */ /* fall through */
  case 3: s++; /* fall through */
  case 2: s++; /* fall through */
  case 1: s++;
    } while (--rounds > 0);
  }
  return s;
}

static int labels(int n) { /*+ labels */
  int i = 0, s = 0;
again:
  for (; i < n; i++) { /*+ labels::{loop} */
    s += i;
    if (s % 7 == 3) { i += 2; goto again; }
  }
  if (n == 5) goto inside;
  while (s > 0) { /*- jumped into from outside */
    s -= 3;
inside:
    s--;
  }
  while (s < 40) { /*+ labels::{loop} */
    if (s == 5) goto skip;
    s += 3;
skip:
    s++;
  }
  return s;
}

static int computed(int n) { /*+ computed */
  int s = 0;
  __extension__ static void* const table[] = {&&add, &&leave};
  while (s < n) { /*- a computed goto leads in or out */
    __extension__ ({ goto *table[s > 4]; });
add:
    s++;
  }
leave:
  for (int i = 0; i < n; i++) s += i; /*+ computed::{loop} */
  return s;
}

static jmp_buf back;
static void jump(void) { longjmp(back, 1); } /*+ jump */
static int comes_back(int n) { /*+ comes_back */
  volatile int s = 0;
  if (setjmp(back) == 0)
    for (int i = 0; i < n; i++) { s += i; if (i == 4) jump(); } /*- its function calls setjmp */
  return s;
}

static int expression(int n) { /*+ expression */
  int k = 0;
  int y = __extension__ ({ int z = n; for (int i = 0; i < n; i++) z++; z; }); /*+ expression::{loop} */
  __extension__ ({ k++; for (int i = 0; i < n; i++) k++; }); /*+ expression::{loop} */
  return y + k;
}

#define FOREACH(i, n) for (int i = 0; i < (n); i++)
#define SUM(s, n) do { for (int i_ = 0; i_ < (n); i_++) (s) += i_; } while (0)
#define ID(...) __VA_ARGS__
#define OPEN {
#define CLOSE }
static int macros(int n) { /*+ macros */
  int s = 0;
  FOREACH(i, n) { s += i; } /*+ macros::{loop} */
  SUM(s, n); /*- begins or ends inside a macro */
  if (n) SUM(s, n); else s--; /*- begins or ends inside a macro */
  for (int i = 0; i < n; i++) SUM(s, i); /*+ macros::{loop@3} */ /*- begins or ends inside a macro */
  ID(for (int i = 0; i < n; i++) s++;) /*- begins or ends inside a macro */
  for (int i = 0; i < n; i++) OPEN s += 2; CLOSE /*+ macros::{loop} */
  for (int i = 0; i < n; i++) ID(s++;) /*- begins or ends inside a macro */
#ifdef __GNUC__
  for (int i = 0; i < n; i++) /*+ macros::{loop} */
#else
  for (int i = 1; i < n; i++)
#endif
    s++;
  for (int i = 0; i < n; i++) /*+ macros::{loop} */ \
    s++;
  return s;
}

static int forever(int n) { /*+ forever */
  for (;;) { if (n++ > 4) return n; } /*+ forever::{loop} */
}

static unsigned long down(unsigned long n) { /*- tail call in a cycle of calls */
  for (;;) { /*- tail call in a cycle of calls */
    if (n == 0) return 0;
    if (n % 2 == 0) return down(n - 1);
    n--;
  }
}

static int marked(int n) { /*+ marked */
  int s = 0;
#pragma andes region "all of it" /*+ all of it */
  {
    s += n;
    for (int step = 0; step < n; step++) /*+ marked::{loop} */
    {
#  pragma andes phase "step" /*+ step */
      { s += step; if (s > 1000) break; }
    }
  }
  #pragma andes /*+ a "quoted" name */ \
    region "a \"quoted\" \
name" /* over
  lines */
  s++;
#pragma andes region "loop" /*+ loop */
  while (s > 50) s -= 9;
#pragma andes region "outer" /*+ outer */
#pragma andes region "inner" /*+ inner */
  s += exits(n);
#pragma andes region "branch" /*+ branch */
  if (s > 3) s--;
  else s++;
  if (s)
#pragma andes region "only" /*+ only */
    s++;
  else
#pragma andes region "else" /*+ else */
    s--;
  goto label;
#pragma andes region "labelled" /*+ labelled */
label: s++;
  switch (s) {
  case 1: s++; break;
  default:
#pragma andes region "default" /*+ default */
    s--;
  }
#pragma andes region "return" /*+ return */
  return s;
}

int main(void) { /*+ main */
  for (int n = 0; n < 15; n++) { /*+ main::{loop} */
    printf("%d %d %d %d %d ", n, exits(n), one_line(n), nested(n), switches(n));
    printf("%d %d %d %d %d ", n ? duff(n) : 0, labels(n), computed(n), comes_back(n), expression(n));
    printf("%d %d %d %d\n", macros(n), forever(n), marked(n), __LINE__);
  }
  printf("%lu\n", down(30000));
  return 0;
}
