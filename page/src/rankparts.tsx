// What each rank did of the time of one run, all its threads together: computing, MPI, waiting, input and output, as one bar
// for each rank.
import {scaleLinear} from 'd3-scale';
import {ofCategory, waiting} from './colours';
import {Figure} from './figure';
import {axisSeconds, percent} from './format';
import {useWidth} from './size';
import type {Tree} from './tree';

const parts = [
  {key: 'compute_s', of: null, title: 'computing', colour: ofCategory.computation}, {key: 'communication_s', of: 'communication_s', title: 'communicating', colour: ofCategory.communication},
  {key: 'idle_s', of: 'idle_s', title: 'waiting', colour: waiting}, {key: 'io_s', of: 'io_s', title: 'input and output', colour: ofCategory.input_output},
] as const;

export function RankParts({tree}: {tree: Tree}) {
  const [box, width] = useWidth(720);
  const {ranks} = tree.shown, root = tree.shown.callpaths.findIndex((path) => path.parent === null), rootPath = tree.shown.callpaths[root];
  const threads = ranks.some((rank) => (rank.threads?.length ?? 1) > 1);
  const valueOf = (rank: typeof ranks[number], key: typeof parts[number]['key']) =>
    (rank.threads ?? [rank]).reduce((sum, thread) => sum + Math.max(0, thread[key] ?? 0), 0);
  const sumOf = (key: typeof parts[number]['key']) => ranks.reduce((sum, rank) => sum + valueOf(rank, key), 0), whole = tree.shown.run.thread_time_s;
  const present = parts.filter(({key}) => sumOf(key) >= 0.001 * whole); // less is not to be seen
  const tops = ranks.map((rank) => present.reduce((sum, {key}) => sum + valueOf(rank, key), 0)), most = Math.max(...tops);
  if (!ranks.length || !(most > 0)) return null;
  const height = 240, margin = {left: 62, right: 8, top: 10, bottom: 40};
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]);
  const wide = Math.min(130, (width - margin.left - margin.right) / ranks.length), bar = wide > 6 ? wide * 0.82 : wide;
  const left = (i: number) => margin.left + i * wide + (wide - bar) / 2;
  const below = new Float64Array(ranks.length);
  const bars = present.map((part) => ({part, path: ranks.map((rank, i) => {
    const value = valueOf(rank, part.key), from = below[i]!;
    below[i] = from + value;
    return value > 0 ? `M${left(i).toFixed(1)},${y(from).toFixed(1)}H${(left(i) + bar).toFixed(1)}V${y(from + value).toFixed(1)}H${left(i).toFixed(1)}Z` : '';
  }).join('')}));
  const step = Math.ceil(ranks.length / Math.max(1, Math.floor((width - margin.left) / 36)));
  const share = (key: typeof parts[number]['key']) => percent(100 * sumOf(key) / whole);
  return <figure ref={box} class="chart rank-parts">
    <figcaption>What each rank did <small>{ranks.length > 1 ? `${ranks.length} ranks, one bar each` : 'one rank'}{threads ? ', of all threads' : ''}; shares of the time of all {threads ? 'threads' : 'ranks'}</small></figcaption>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`What the ranks did: ${present.map(({key, title}) => `${title} ${share(key)}`).join(', ')}`}>
      {y.ticks(4).map((tick) => <g key={tick}><line class="grid" x1={margin.left} x2={margin.left + wide * ranks.length} y1={y(tick)} y2={y(tick)} />
        <text class="tick" x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{axisSeconds(tick, most)}</text></g>)}
      {bars.map(({part, path}) => <path key={part.key} d={path} fill={part.colour}><title>{part.title}</title></path>)}
      {ranks.map(({rank}, i) => i % step ? null : <text key={rank} class="tick" x={left(i) + bar / 2} y={height - margin.bottom + 18} text-anchor="middle">{rank}</text>)}
      <text class="tick" x={margin.left} y={height - 4}>rank</text>
    </svg>
    <ul class="legend">{present.map(({key, of, title, colour}) => <li key={key}><span class="swatch" style={{background: colour}} />{title}{' '}
      {of && rootPath && !threads ? <Figure of={`${tree.name}#/callpaths/${root}/${of}`} whole={`${tree.name}#/run/thread_time_s`} value={100 * (rootPath[of] ?? 0) / tree.shown.run.thread_time_s} form="percent" /> : <strong>{share(key)}</strong>}</li>)}</ul>
  </figure>;
}
