/* flags: -std=gnu89 -Wall -Wextra */
/* flags: -std=iso9899:199409 -pedantic -Wall */
%:include <stdio.h>

static int digraph(void) <% return 7; %> /*+ digraph */
int main(void) /*+ main */
<%
  int unused;
  int numbers<:1:> = <%3%>;
  printf("%d %d\n", digraph(), numbers<:0:>);
  return 0;
%>
