// Numbers as the page writes them (page/src/format.ts).
import assert from 'node:assert/strict';

const {counted, percent} = await import(process.argv[2]);
assert.deepEqual([0, 100, 99.94, 9.995, 0.25, 0.0104, 0.0099, 1.9e-5, -1.9e-5, -3].map(percent),
  ['0 %', '100 %', '99.9 %', '10.0 %', '0.25 %', '0.010 %', '< 0.01 %', '< 0.01 %', '> -0.01 %', '-3.0 %']);
assert.deepEqual([0, 1, 2].map((number) => counted(number, 'rank')), ['0 ranks', '1 rank', '2 ranks']);
