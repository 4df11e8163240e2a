/* flags: -std=c99 -trigraphs -w */
/* flags: -std=c11 -w -Wno-trigraphs */
#include <stdio.h>

static int /* { */ commented /* ( */ (void) /*+ commented */ // {
// } \
{
{ /* } */ return 2; /* { */ }
static int trigraphs(void) ??< int a??(2??) = ??< 3, 4 ??>; return a??(1??) ??!??! 0; ??> /*+ trigraphs */
static const char *strings(void) /*+ strings */ { return "} \" /* { " "'}'" "\
{"; } 
static int characters(void) { return '{' + '}' + '\'' + (int)L'"'; } /*+ characters */
static int one(void) { return 1; } static int two(void) { return 2; }	static int three(void)	{	return 3;	} /*+ one *//*+ two *//*+ three */
static int deep(int x) { { { { { if (x) { { return x; } } } } } } return 0; } /*+ deep */
static void empty(void) {}   static void empty_too(void) { } /*+ empty *//*+ empty_too */
int main(void) { /*+ main */
  printf("%d %d %s %d\n", commented(), trigraphs(), strings(), characters());
  printf("%d %d\n", __LINE__, one() + two() + three() + deep(1) + (empty(), empty_too(), 0)); return 0; }
