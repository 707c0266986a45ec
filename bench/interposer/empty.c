// A library of one function that nobody calls.
int warpshare_bench_empty(void) { return 0; }
