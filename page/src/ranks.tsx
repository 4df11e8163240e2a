// The values of all ranks and threads in one call path, as bars.
import {useLayoutEffect, useRef} from 'preact/hooks';
import type {Cells} from './cells';
import {seconds} from './format';
import type {Metric} from './metrics';
import type {Node} from './tree';
import {useWidth} from './size';

export function Ranks({cells, node, metric, place, choose, isDark}: {
  cells: Cells; node: Node; metric: Metric; place: number; choose: (place: number) => void; isDark: boolean;
}) {
  const [box, width] = useWidth(360);
  const canvas = useRef<HTMLCanvasElement>(null), height = 96;
  const row = cells.of(node, metric);
  const max = row?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !row) return;
    const dense = devicePixelRatio || 1;
    canvas.current!.width = width * dense;
    canvas.current!.height = height * dense;
    context.scale(dense, dense);
    const step = width / row.length;
    row.forEach((value, i) => {
      context.fillStyle = i === place ? '#d55e00' : isDark ? '#56b4e9' : '#0072b2';
      const tall = max > 0 ? value / max * (height - 2) : 0;
      context.fillRect(i * step, height - tall, Math.max(1, step - (step > 4 ? 1 : 0)), tall);
    });
  }, [row, width, place, isDark, max]);
  if (!row) return null;
  const keys = (event: KeyboardEvent) => {
    const to = {ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: row.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(Math.min(row.length - 1, Math.max(0, to)));
  };
  const at = (event: MouseEvent) => Math.min(row.length - 1, Math.max(0, Math.floor((event.clientX - canvas.current!.getBoundingClientRect().left) / width * row.length)));
  let largest = 0, smallest = 0, sum = 0;
  row.forEach((value, i) => { if (value > row[largest]!) largest = i; if (value < row[smallest]!) smallest = i; sum += value; });
  const about = (value: number) => value === 0 ? '0 s' : seconds(value, 2);
  return <figure class="chart ranks" ref={box}>
    <figcaption>{metric.title} by rank <small>{row.length === 1 ? about(sum) : about(row[smallest]!) === about(row[largest]!) ? `about ${about(sum / row.length)} on each` : `${about(row[smallest]!)} (${cells.name(smallest)}) to ${about(row[largest]!)} (${cells.name(largest)}), mean ${about(sum / row.length)}`}</small></figcaption>
    <canvas ref={canvas} style={{width: `${width}px`, height: `${height}px`}} tabIndex={0} role="slider" aria-label={`${metric.title} by rank; arrows choose a rank`}
      aria-valuemin={0} aria-valuemax={row.length - 1} aria-valuenow={Math.max(0, place)} aria-valuetext={place >= 0 && place < row.length ? `${cells.name(place)}: about ${about(row[place]!)}` : 'no rank chosen'}
      onKeyDown={keys} onClick={(event) => choose(at(event))} onMouseMove={(event) => { const i = at(event); canvas.current!.title = `${cells.name(i)}: about ${about(row[i]!)}`; }} />
    <p class="note" aria-live="polite">{place >= 0 && place < row.length ? `${cells.name(place)}: about ${about(row[place]!)}; exactly: andes show --rank ${cells.locations[place]!.rank}` : 'Choose a bar for its number. The page keeps numbers of single ranks rounded to about two digits.'}</p>
  </figure>;
}
