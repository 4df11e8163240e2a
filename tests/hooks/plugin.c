/* One of two plugins of equal shape: the second comes to where the first was. */
int NAME(int x) { return x + 1; }
