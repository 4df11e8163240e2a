// What pattern the messages between ranks make: a ring, a grid, all to all, one with all others. Told only where every pair fits.

/** `pairs`: sender and receiver of each entry that has more than a trifle. Null: no pattern that has a name. */
export function topologyOf(ranks: number, pairs: [number, number][]): string | null {
  const sent = new Set(pairs.filter(([from, to]) => from !== to).map(([from, to]) => from * ranks + to));
  const has = (from: number, to: number): boolean => sent.has(from * ranks + to), either = (a: number, b: number): boolean => has(a, b) || has(b, a);
  const all = [...sent].map((key): [number, number] => [Math.floor(key / ranks), key % ranks]);
  if (ranks < 3 || all.length === 0) return null;
  if (all.length === ranks * (ranks - 1)) return 'All to all: every rank sends to every other.';
  const hub = [...all[0]!].find((rank) => all.every(([from, to]) => from === rank || to === rank));
  if (hub !== undefined && ranks > 3 && Array.from({length: ranks}, (_, other) => other === hub || either(hub, other)).every(Boolean))
    return all.every(([from]) => from === hub) ? `One to all: rank ${hub} sends to every other, and they send nothing.`
      : all.every(([, to]) => to === hub) ? `All to one: every rank sends to rank ${hub}, and to no other.`
        : `One with all: every rank exchanges messages with rank ${hub}, and with no other, as workers with their master.`;
  const apart = (from: number, to: number): number => (to - from + ranks) % ranks;
  if (ranks > 3 && all.every(([from, to]) => [1, ranks - 1].includes(apart(from, to)))) {
    const links = Array.from({length: ranks}, (_, rank) => either(rank, (rank + 1) % ranks));
    if (links.every(Boolean)) return 'A ring: ranks send to their neighbours, and the last one is a neighbour of the first.';
    if (links.slice(0, -1).every(Boolean)) return 'A chain: ranks send to their neighbours.';
  }
  for (const sides of factorisations(ranks)) {
    const closed = gridOf(sides, all, either);
    if (closed !== null) return `A grid of ${sides.join(' × ')} ranks${closed ? ', closed at its ends' : ''}: ranks send to their neighbours in each direction.`;
  }
  return null;
}

/** As two sides or three, each of two ranks or more; the squarest first. */
function factorisations(ranks: number): number[][] {
  const found: number[][] = [];
  for (let a = 2; a * 2 <= ranks; ++a) {
    if (ranks % a) continue;
    found.push([a, ranks / a]);
    for (let b = 2; a * b * 2 <= ranks; ++b) if (ranks / a % b === 0) found.push([a, b, ranks / a / b]);
  }
  return found.sort((one, other) => one.length - other.length || Math.max(...one) - Math.max(...other));
}

/** Whether the pairs are those of the grid; true: its ends are joined. The last side's ranks are next to each other. */
function gridOf(sides: number[], pairs: [number, number][], either: (a: number, b: number) => boolean): boolean | null {
  const placeOf = (rank: number): number[] => [...sides].reverse().map((side) => { const at = rank % side; rank = Math.floor(rank / side); return at; }).reverse();
  let closed = false;
  for (const [from, to] of pairs) {
    const a = placeOf(from), b = placeOf(to), differ = sides.map((_, i) => i).filter((i) => a[i] !== b[i]);
    if (differ.length !== 1) return null;
    const i = differ[0]!, step = Math.abs(a[i]! - b[i]!);
    if (step !== 1 && step !== sides[i]! - 1) return null;
    if (step !== 1) closed = true;
  }
  for (let i = sides.length, stride = 1, ranks = sides.reduce((a, b) => a * b, 1); i-- > 0; stride *= sides[i]!)
    for (let rank = 0; rank < ranks; ++rank)
      if (placeOf(rank)[i]! + 1 < sides[i]! && !either(rank, rank + stride)) return null;
  return closed;
}
