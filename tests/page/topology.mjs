// Patterns of messages, by hand. The argument is topology.ts as JavaScript.
import assert from 'node:assert/strict';

const {topologyOf} = await import(process.argv[2]);
const both = (pairs) => pairs.flatMap(([a, b]) => [[a, b], [b, a]]);
const grid = (sides, closed) => {
  const ranks = sides.reduce((a, b) => a * b, 1), pairs = [];
  for (let rank = 0; rank < ranks; ++rank)
    for (let i = sides.length, stride = 1; i-- > 0; stride *= sides[i]) {
      const at = Math.floor(rank / stride) % sides[i];
      if (at + 1 < sides[i]) pairs.push([rank, rank + stride]);
      else if (closed) pairs.push([rank, rank - at * stride]);
    }
  return both(pairs.filter(([a, b]) => a !== b));
};
const ring = (ranks) => Array.from({length: ranks}, (_, i) => [i, (i + 1) % ranks]);

assert.match(topologyOf(5, ring(5)), /^A ring/);
assert.match(topologyOf(8, both(ring(8))), /^A ring/);
assert.match(topologyOf(8, both(ring(8)).filter(([a, b]) => Math.abs(a - b) === 1)), /^A chain/);
assert.match(topologyOf(12, grid([3, 4], false)), /^A grid of 3 × 4 ranks: /);
assert.match(topologyOf(16, grid([4, 4], true)), /^A grid of 4 × 4 ranks, closed/);
assert.match(topologyOf(24, grid([2, 3, 4], false)), /^A grid of 2 × 3 × 4 ranks: /);
assert.match(topologyOf(10, grid([2, 5], false)), /^A grid of 2 × 5 ranks: /);
assert.match(topologyOf(6, Array.from({length: 36}, (_, i) => [Math.floor(i / 6), i % 6])), /^All to all/);
const star = Array.from({length: 5}, (_, i) => [2, i < 2 ? i : i + 1]);
assert.match(topologyOf(6, both(star)), /^One with all: .* rank 2,/);
assert.match(topologyOf(6, star), /^One to all: rank 2/);
assert.match(topologyOf(6, star.map(([a, b]) => [b, a])), /^All to one: .* rank 2,/);
// A pair too many, or too few, and there is no name for it.
assert.equal(topologyOf(12, [...grid([3, 4], false), [0, 11]]), null);
assert.equal(topologyOf(12, grid([3, 4], false).filter(([a, b]) => a !== 5 && b !== 5)), null);
assert.equal(topologyOf(8, both(ring(8).filter(([a]) => a !== 2 && a !== 5))), null);
assert.equal(topologyOf(6, both(star.slice(1))), null);
assert.equal(topologyOf(2, [[0, 1], [1, 0]]), null);
assert.equal(topologyOf(8, []), null);
