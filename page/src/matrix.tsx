// Who sends how much to whom. The eye sees what the pattern is: a band is a grid, a full square is all to all.
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {paint} from './colours';
import type {Shown} from './documents';
import {formatted} from './format';
import {useWidth} from './size';

export function Matrix({shown, by, setBy, isDark}: {shown: Shown; by: 'bytes' | 'messages'; setBy: (by: 'bytes' | 'messages') => void; isDark: boolean}) {
  const [box, width] = useWidth(480);
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
  useLayoutEffect(() => {
    const most = Math.log1p(max);
    if (canvas.current) paint(canvas.current, ranks, ranks, values.map((value) => value > 0 ? 0.15 * most + 0.85 * Math.log1p(value) : 0), most, isDark);
  }, [values, max, isDark]);
  useEffect(() => setAt(null), [matrix]);
  const side = Math.min(width, 480);
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
  const said = at ? `rank ${at[0]} to rank ${at[1]}: ${formatted(values[at[0] * ranks + at[1]]!, form)}` : `rows send, columns receive; ${isDark ? 'brighter' : 'darker'} is more, on a logarithmic scale`;
  return <section class="matrix" aria-labelledby="matrix-title">
    <h2 id="matrix-title">Who sends to whom <small>{ranks} ranks, point to point</small></h2>
    <div class="choice" role="group" aria-label="What the matrix shows">{(['bytes', 'messages'] as const).map((one) =>
      <button key={one} type="button" aria-pressed={by === one} onClick={() => setBy(one)}>{one === 'bytes' ? 'Bytes' : 'Messages'}</button>)}</div>
    <div ref={box}><canvas ref={canvas} style={{width: `${side}px`, height: `${side}px`}} tabIndex={0} role="application" aria-label={`Matrix of ${by}; arrows choose sender and receiver`}
      onKeyDown={keys} onMouseMove={(event) => setAt(place(event))} onClick={(event) => setAt(place(event))} /></div>
    <p class="note" aria-live="polite">{said}</p>
    {rest > 0 ? <p class="note">{formatted(rest, form)} went to pairs of ranks that the run file does not keep apart.</p> : null}
  </section>;
}
