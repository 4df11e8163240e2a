// Speedup over the size: measured with its interval, ideal, and as far as it is projected. Both axes are logarithmic.
import {scaleLog} from 'd3-scale';
import {area, line} from 'd3-shape';
import type {Point, Report} from './documents';
import {formatted, plain} from './format';
import {spread} from './figure';
import {useWidth} from './size';

export const sizeOf = (point: {ranks?: number; cores?: number}): number => point.cores ?? point.ranks ?? 1;

/** Powers of two, as sizes are; over many decades below one powers of ten, which people read more easily there. */
function ticksOf(low: number, high: number): number[] {
  const powers = (base: number) => {
    const from = Math.ceil(Math.log(low) / Math.log(base) - 1e-9), to = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
    return Array.from({length: Math.max(0, to - from + 1)}, (_, i) => base ** (from + i));
  };
  const ticks = powers(low < 0.1 ? 10 : 2), step = Math.ceil(ticks.length / 7), one = Math.max(0, ticks.findIndex((tick) => tick === 1));
  return ticks.filter((_, i) => (i - one) % step === 0);
}

export function Speedup({report, at, chosen, choose}: {report: Report; at: string; chosen: number; choose: (size: number) => void}) {
  const [box, width] = useWidth(480);
  const points = report.points.map((point, i) => ({point, i})).filter(({point}) => point.speedup) as {point: Point & {speedup: NonNullable<Point['speedup']>}; i: number}[];
  if (points.length < 2) return null;
  const projection = (report.projection ?? []).filter((row) => row.model === 'amdahl' && sizeOf(row) <= 4 * Math.max(...points.map(({point}) => sizeOf(point))));
  const unit = report.grid ? 'cores' : 'ranks';
  const sizes = [...points.map(({point}) => sizeOf(point)), ...projection.map(sizeOf)];
  const low = Math.min(...sizes), high = Math.max(...sizes), first = points[0]!.point.speedup.median;
  const ideal = (size: number) => first * size / sizeOf(points[0]!.point);
  const speeds = [ideal(high), first, ...points.map(({point}) => point.speedup.low ?? point.speedup.median)];
  const height = Math.round(Math.min(340, Math.max(220, width * 0.62))), margin = {left: 62, right: 18, top: 26, bottom: 40};
  const x = scaleLog([low, high], [margin.left, width - margin.right]).base(2);
  // Below the lowest point there is room for its label, however many decades there are.
  const least = Math.min(...speeds), most = Math.max(...speeds), inner = height - margin.bottom - margin.top, room = Math.max(1.47, (most / least) ** (30 / (inner - 30)));
  const y = scaleLog([least / room, most], [height - margin.bottom, margin.top]).base(2);
  const path = line<[number, number]>((d) => x(d[0]), (d) => y(d[1]));
  const last = points[points.length - 1]!.point;
  const tail: [number, number, number, number][] = [
    [sizeOf(last), last.speedup.median, last.speedup.low ?? last.speedup.median, last.speedup.high ?? last.speedup.median],
    ...projection.filter((row) => sizeOf(row) > sizeOf(last)).map((row): [number, number, number, number] =>
      [sizeOf(row), row.speedup.median, row.speedup.low ?? row.speedup.median, row.speedup.high ?? row.speedup.median])];
  // Of `projected`, which ends where the line does, no letter is on it.
  const below = (wide: number) => {
    const [from, to] = [tail[Math.max(0, tail.length - 2)]!, tail[tail.length - 1]!], part = Math.min(1, wide / Math.max(1, x(to[0]) - x(from[0])));
    return Math.max(y(to[1]), y(to[1]) + part * (y(from[1]) - y(to[1]))) + 16;
  };
  const band = area<[number, number, number, number]>((d) => x(d[0]), (d) => y(Math.max(d[2], y.domain()[0]!)), (d) => y(d[3]));
  const ticks = ticksOf(least / room, most);
  const shown = sizes.filter((size, i) => sizes.indexOf(size) === i && (sizes.length < 9 || i % 2 === 0 || size === high));
  return <figure ref={box} class="chart">
    <figcaption>Speedup <small>both axes are logarithmic<span class="hint">; choose a point to look at that number of {unit}</span></small></figcaption>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`Speedup over ${unit}: ${points.map(({point}) => `${sizeOf(point)}: ${formatted(point.speedup.median, 'times')}`).join(', ')}`}>
      {ticks.map((tick) => <g key={tick}><line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
        <text class="tick" x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{plain(tick)}</text></g>)}
      {shown.map((size) => <text key={size} class="tick" x={x(size)} y={height - margin.bottom + 18} text-anchor="middle">{size}</text>)}
      <text class="tick" x={width - margin.right} y={height - 6} text-anchor="end">{unit}</text>
      <path class="ideal" d={path([[low, ideal(low)], [high, ideal(high)]]) ?? ''} />
      <text class="tick" x={x(Math.sqrt(low * high)) - 6} y={y(ideal(Math.sqrt(low * high))) - 8} text-anchor="end">ideal</text>
      {tail.length > 1 ? <><path class="band" d={band(tail) ?? ''} /><path class="projected" d={path(tail.map(([size, speed]) => [size, speed])) ?? ''} />
        <text class="tick" x={x(tail[tail.length - 1]![0])} y={below(58)} text-anchor="end">projected</text></> : null}
      <path class="measured" d={path(points.map(({point}) => [sizeOf(point), point.speedup.median])) ?? ''} />
      {points.map(({point, i}, n) => {
        const next = points[n + 1]?.point.speedup.median, falls = sizeOf(point) === low && next !== undefined && next < point.speedup.median;
        const before = points[n - 1]?.point.speedup.median, isBelow = !falls && (point.speedup.median > 0.2 * ideal(sizeOf(point)) || (before !== undefined && before > point.speedup.median));
        const size = sizeOf(point), {median, low: from, high: to} = point.speedup;
        const label = isBelow ? y(Math.max(from ?? median, y.domain()[0]!)) + 20 : y(to ?? median) - (falls ? 26 : 10);
        return <g key={size} class={`point${point.oversubscribed ? ' oversubscribed' : ''}${size === chosen ? ' chosen' : ''}`} role="button"
          tabindex={0} aria-label={`${size} ${unit}: speedup ${formatted(median, 'times')}${point.oversubscribed ? ', oversubscribed' : ''}`}
          onClick={() => choose(size)} onKeyDown={(event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(size); } }}>
          <title>{`${size} ${unit}: ${formatted(median, 'times')}${spread(point.speedup, 'times') ? `, ${spread(point.speedup, 'times')}` : ''}${point.oversubscribed ? '; oversubscribed: more ranks than cores' : ''}`}</title>
          {from !== undefined && to !== undefined ? <path class="interval" d={`M${x(size)},${y(Math.max(from, y.domain()[0]!))}V${y(to)}M${x(size) - 4},${y(to)}h8M${x(size) - 4},${y(Math.max(from, y.domain()[0]!))}h8`} /> : null}
          <circle cx={x(size)} cy={y(median)} r={size === chosen ? 7 : 5} />
          <text class="label" x={x(size)} y={Math.max(12, Math.min(height - margin.bottom - 6, label))} text-anchor={size === high ? 'end' : size === low ? 'start' : 'middle'}
            data-figure={`${at}/points/${i}/speedup/median`} data-form="times">{formatted(median, 'times')}</text>
        </g>;
      })}
    </svg>
    {points.some(({point}) => point.oversubscribed) ? <p class="note"><span class="hollow" /> oversubscribed: more ranks than cores</p> : null}
  </figure>;
}
