// Who sends how much to whom, and what pattern it makes, where that has a name; and who waits for how long for whom.
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {paint} from './colours';
import type {Shown} from './documents';
import {counted, formatted, type Form} from './format';
import {useWidth} from './size';
import type {MatrixOf} from './state';
import {topologyOf} from './topology';

const largestSide = 480, largestField = 64;

interface View {
  button: string; title: string; of: string; form: Form;
  /** Names of the two sides, and what is said of a field. */
  lines: string; columns: string; field: (line: number, column: number, value: string) => string;
  rest: (value: string) => string;
}
const sent = {
  title: 'Who sends to whom', of: 'point to point', lines: 'from rank', columns: 'to rank',
  field: (line: number, column: number, value: string) => `rank ${line} to rank ${column}: ${value}`,
  rest: (value: string) => `${value} went to pairs of ranks that the run file does not keep apart.`,
};
const views: Record<MatrixOf, View> = {
  bytes: {button: 'Bytes', form: 'bytes', ...sent},
  messages: {button: 'Messages', form: 'count', ...sent},
  waiting: {
    button: 'Waiting', form: 'seconds', title: 'Who waits for whom', of: 'in all calls of MPI', lines: 'rank', columns: 'waits for rank',
    field: (line, column, value) => `rank ${line} waited for rank ${column}: ${value}`,
    rest: (value) => `${value} more of waiting: for whom is not known, or the run file does not keep the pairs apart.`,
  },
};

interface Entries { line: number[]; column: (number | null)[]; value: number[] }
function entriesOf(shown: Shown, by: MatrixOf): Entries {
  if (by === 'waiting') return {line: shown.wait_matrix!.rank, column: shown.wait_matrix!.peer_rank, value: shown.wait_matrix!.wait_s};
  return {line: shown.matrix!.source, column: shown.matrix!.destination, value: shown.matrix![by]};
}

/** What stands out: the shape that messages have, or a rank for which most of the waiting is. */
function patternOf(shown: Shown, by: MatrixOf, ranks: number): string | null {
  const {line, column, value} = entriesOf(shown, by === 'waiting' ? by : 'messages');
  if (by === 'waiting') {
    const of = new Float64Array(ranks);
    let all = 0;
    value.forEach((wait_s, i) => { all += wait_s; if (column[i] !== null) of[column[i]!]! += wait_s; });
    const most = of.indexOf(Math.max(...of));
    return ranks > 2 && of[most]! > all / 2 ? `Most of the waiting is for rank ${most}.` : null;
  }
  if (column.includes(null)) return null;
  const trifle = 0.01 * value.reduce((most, count) => Math.max(most, count), 0);
  return topologyOf(ranks, line.map((source, i): [number, number] => [source, column[i]!]).filter((_, i) => value[i]! > trifle));
}

export function Matrix({shown, by: wanted, setBy, isDark}: {shown: Shown; by: MatrixOf; setBy: (by: MatrixOf) => void; isDark: boolean}) {
  const [box, width] = useWidth(largestSide);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<[number, number] | null>(null);
  const ranks = shown.run.ranks;
  const present = (Object.keys(views) as MatrixOf[]).filter((one) => one === 'waiting' ? shown.wait_matrix : shown.matrix);
  const by = present.includes(wanted) ? wanted : present[0]!, view = views[by];
  const {values, max, least, rest} = useMemo(() => {
    const {line, column, value} = entriesOf(shown, by), values = new Float64Array(ranks * ranks);
    let max = 0, least = Infinity, rest = 0;
    line.forEach((from, i) => {
      const to = column[i];
      if (to === null || to === undefined) { rest += value[i]!; return; }
      values[from * ranks + to] = value[i]!;
      max = Math.max(max, value[i]!);
      if (value[i]! > 0) least = Math.min(least, value[i]!);
    });
    return {values, max, least, rest};
  }, [shown, by, ranks]);
  const pattern = useMemo(() => patternOf(shown, by, ranks), [shown, by, ranks]);
  useLayoutEffect(() => {
    // Logarithms: of bytes and messages from one on, of seconds over three decades.
    const unit = by === 'waiting' ? Math.max(least, max / 1000) : 1, most = Math.log1p(max / unit);
    if (canvas.current) paint(canvas.current, ranks, ranks, values.map((value) => value > 0 ? 0.15 * most + 0.85 * Math.log1p(value / unit) : 0), most, isDark);
  }, [values, max, least, by, isDark]);
  useEffect(() => setAt(null), [shown]);
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
  const said = at ? view.field(at[0], at[1], formatted(values[at[0] * ranks + at[1]]!, view.form)) : `${isDark ? 'Brighter' : 'Darker'} is more, on a logarithmic scale; the most is ${formatted(max, view.form)}. Point at a field for its number.`;
  const step = Math.ceil(ranks / Math.max(1, Math.floor(side / 28))), labelled = Array.from({length: ranks}, (_, rank) => rank).filter((rank) => rank % step === 0);
  const middle = (rank: number) => (rank + 0.5) * side / ranks;
  return <section class="matrix" aria-labelledby="matrix-title">
    <h2 id="matrix-title">{view.title} <small>{counted(ranks, 'rank')}, {view.of}</small></h2>
    {pattern ? <p class="pattern">{pattern}</p> : null}
    {present.length > 1 ? <div class="choice" role="group" aria-label="What the matrix shows">{present.map((one) =>
      <button key={one} type="button" aria-pressed={by === one} onClick={() => setBy(one)}>{views[one].button}</button>)}</div> : null}
    <div ref={box} class="plane">
      <svg class="columns" width={side + 44} height="34" aria-hidden="true"><text class="tick" x="44" y="11">{view.columns}</text>{labelled.map((rank) => <text key={rank} class="tick" x={44 + middle(rank)} y="29" text-anchor="middle">{rank}</text>)}</svg>
      <svg class="lines" width="44" height={side} aria-hidden="true">{labelled.map((rank) => <text key={rank} class="tick" x="38" y={middle(rank)} dy="0.32em" text-anchor="end">{rank}</text>)}
        <text class="tick" transform={`translate(11 ${side / 2}) rotate(-90)`} text-anchor="middle">{view.lines}</text></svg>
      <canvas ref={canvas} style={{width: `${side}px`, height: `${side}px`}} tabIndex={0} role="application" aria-label={`Matrix of ${by}: ${view.lines} down, ${view.columns} across; arrows choose a field`}
        onKeyDown={keys} onMouseMove={(event) => setAt(place(event))} onClick={(event) => setAt(place(event))} /></div>
    <p class="note" aria-live="polite">{said}</p>
    {rest > 0 ? <p class="note">{view.rest(formatted(rest, view.form))}</p> : null}
  </section>;
}
