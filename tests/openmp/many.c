/* Most that a program may do with teams: teams of changing size, worksharing, single, sections, ordered, tasks,
 * recursion through regions, cancellation, regions of several threads, exit() in a region (with an argument: by
 * that thread). Prints results that no monitor may change. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
static int fib(int n){ int a,b; if(n<2) return n;
  #pragma omp task shared(a)
  a=fib(n-1);
  #pragma omp task shared(b)
  b=fib(n-2);
  #pragma omp taskwait
  return a+b; }
static int rec(int d){ int s=0;
  #pragma omp parallel num_threads(2) reduction(+:s)
  { if(d>0) s+=rec(d-1); else s+=1; }
  return s; }
static void* other(void*x){ long s=0;
  for(int i=0;i<20;i++){
  #pragma omp parallel for num_threads(2) reduction(+:s)
  for(int j=0;j<100;j++) s+=j; }
  return (void*)s; }
int main(int c,char**v){
  omp_set_max_active_levels(4); omp_set_dynamic(0);
  long s=0; int x=0;
  for(int r=0;r<300;r++){ int n=1+r%4;
    #pragma omp parallel num_threads(n) reduction(+:s)
    { s+=omp_get_thread_num()+1; 
      #pragma omp single
      x++; 
      #pragma omp for schedule(dynamic,1)
      for(int i=0;i<8;i++) s+=i;
      #pragma omp sections
      { 
        #pragma omp section
        s++;
        #pragma omp section
        s++;
      }
      #pragma omp for ordered schedule(static,1)
      for(int i=0;i<4;i++){
        #pragma omp ordered
        s+=1; }
    } }
  int f;
  #pragma omp parallel num_threads(3)
  #pragma omp single
  f=fib(12);
  int q=rec(3);
  int found=0;
  #pragma omp parallel num_threads(3)
  {
    #pragma omp for
    for(int i=0;i<1000;i++){ if(i==500){ found=1;
      #pragma omp cancel for
      }
      #pragma omp cancellation point for
    }
  }
  pthread_t t[3]; long ps=0; for(int i=0;i<3;i++) pthread_create(t+i,0,other,0);
  for(int i=0;i<3;i++){ void*r; pthread_join(t[i],&r); ps+=(long)r; }
  #pragma omp parallel for num_threads(3) schedule(runtime) lastprivate(x)
  for(int i=0;i<10;i++) x=i;
  long tl=0;
  #pragma omp parallel num_threads(3)
  #pragma omp single
  #pragma omp taskloop reduction(+:tl)
  for(int i=0;i<100;i++) tl+=i;
  printf("%ld %d %d %d %d %ld %ld\n",s,f,q,found,x,ps,tl);
  if(c>1){
    #pragma omp parallel num_threads(3)
    { if(omp_get_thread_num()==atoi(v[1])) exit(0); }
  }
}
