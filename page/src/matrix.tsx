// Who sends how much to whom, and what pattern it makes, where that has a name.
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {paint} from './colours';
import type {Shown} from './documents';
import {formatted} from './format';
import {useWidth} from './size';
import {topologyOf} from './topology';

const largestSide = 480, largestField = 64;

export function Matrix({shown, by, setBy, isDark}: {shown: Shown; by: 'bytes' | 'messages'; setBy: (by: 'bytes' | 'messages') => void; isDark: boolean}) {
  const [box, width] = useWidth(largestSide);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<[number, number] | null>(null);
  const matrix = shown.matrix!, ranks = shown.run.ranks;
  const {values, max, rest} = useMemo(() => {
    const values = new Float64Array(ranks * ranks);
    let max = 0, rest = 0;
    matrix.source.forEach((source, i) => {
      const destination = matrix.destination[i], value = matrix[by][i]!;
      if (destination === null || destination === undefined) { rest += value; return; }
      values[source * ranks + destination] = value;
      max = Math.max(max, value);
    });
    return {values, max, rest};
  }, [matrix, by, ranks]);
  const pattern = useMemo(() => {
    if (matrix.destination.some((destination) => destination === null || destination === undefined)) return null;
    const trifle = 0.01 * matrix.messages.reduce((most, count) => Math.max(most, count), 0);
    return topologyOf(ranks, matrix.source.map((source, i): [number, number] => [source, matrix.destination[i]!]).filter((_, i) => matrix.messages[i]! > trifle));
  }, [matrix, ranks]);
  useLayoutEffect(() => {
    const most = Math.log1p(max);
    if (canvas.current) paint(canvas.current, ranks, ranks, values.map((value) => value > 0 ? 0.15 * most + 0.85 * Math.log1p(value) : 0), most, isDark);
  }, [values, max, isDark]);
  useEffect(() => setAt(null), [matrix]);
  const side = Math.min(width - 44, largestSide, ranks * largestField);
  const place = (event: MouseEvent): [number, number] => {
    const area = canvas.current!.getBoundingClientRect();
    const index = (offset: number, length: number) => Math.min(ranks - 1, Math.max(0, Math.floor(offset / length * ranks)));
    return [index(event.clientY - area.top, area.height), index(event.clientX - area.left, area.width)];
  };
  const keys = (event: KeyboardEvent) => {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (!step) return;
    event.preventDefault();
    const [row, column] = at ?? [0, -1];
    setAt([Math.min(ranks - 1, Math.max(0, row + step[0]!)), Math.min(ranks - 1, Math.max(0, column + step[1]!))]);
  };
  const form = by === 'bytes' ? 'bytes' : 'count';
  const said = at ? `rank ${at[0]} to rank ${at[1]}: ${formatted(values[at[0] * ranks + at[1]]!, form)}` : `${isDark ? 'Brighter' : 'Darker'} is more, on a logarithmic scale; the most is ${formatted(max, form)}. Point at a field for its number.`;
  const step = Math.ceil(ranks / Math.max(1, Math.floor(side / 28))), labelled = Array.from({length: ranks}, (_, rank) => rank).filter((rank) => rank % step === 0);
  const middle = (rank: number) => (rank + 0.5) * side / ranks;
  return <section class="matrix" aria-labelledby="matrix-title">
    <h2 id="matrix-title">Who sends to whom <small>{ranks} ranks, point to point</small></h2>
    {pattern ? <p class="pattern">{pattern}</p> : null}
    <div class="choice" role="group" aria-label="What the matrix shows">{(['bytes', 'messages'] as const).map((one) =>
      <button key={one} type="button" aria-pressed={by === one} onClick={() => setBy(one)}>{one === 'bytes' ? 'Bytes' : 'Messages'}</button>)}</div>
    <div ref={box} class="plane">
      <svg class="columns" width={side + 44} height="34" aria-hidden="true"><text class="tick" x="44" y="11">to rank</text>{labelled.map((rank) => <text key={rank} class="tick" x={44 + middle(rank)} y="29" text-anchor="middle">{rank}</text>)}</svg>
      <svg class="lines" width="44" height={side} aria-hidden="true">{labelled.map((rank) => <text key={rank} class="tick" x="38" y={middle(rank)} dy="0.32em" text-anchor="end">{rank}</text>)}
        <text class="tick" transform={`translate(11 ${side / 2}) rotate(-90)`} text-anchor="middle">from rank</text></svg>
      <canvas ref={canvas} style={{width: `${side}px`, height: `${side}px`}} tabIndex={0} role="application" aria-label={`Matrix of ${by}; arrows choose sender and receiver`}
        onKeyDown={keys} onMouseMove={(event) => setAt(place(event))} onClick={(event) => setAt(place(event))} /></div>
    <p class="note" aria-live="polite">{said}</p>
    {rest > 0 ? <p class="note">{formatted(rest, form)} went to pairs of ranks that the run file does not keep apart.</p> : null}
  </section>;
}
