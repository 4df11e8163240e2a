/* jumps_c.c: a C frame between C++ frames; exceptions pass through it (compiled with -fexceptions). */
void c_frame(void (*call)(int), int n);
void c_frame(void (*call)(int), int n) { call(n); }
