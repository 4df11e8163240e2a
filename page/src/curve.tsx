// How a call path scales: the time of its longest rank at each size, the mean where it is another one, and what would be ideal.
import {scaleLog} from 'd3-scale';
import {line} from 'd3-shape';
import {counted, formatted} from './format';
import type {Node, Tree} from './tree';
import {useWidth} from './size';

export interface Sized { tree: Tree; ranks: number; threads: number; node: Node | null }

const differs = 1.02; // a longest rank by so much above the mean is another line

/** Powers of ten, and more where there is room for them. */
function ticksOf([low, high]: [number, number]): number[] {
  const of = (factors: number[]) => Array.from({length: 40}, (_, i) => 10 ** (i - 20)).flatMap((power) => factors.map((factor) => factor * power)).filter((tick) => tick >= low && tick <= high);
  const ticks = of(high / low > 100 ? [1] : high / low > 8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7]);
  return ticks.filter((_, i) => i % Math.ceil(ticks.length / 5) === 0);
}

/** Over ranks; of a grid those sizes that have as many threads as the chosen one. */
export function Curve({sizes: all, chosen}: {sizes: Sized[]; chosen: Tree}) {
  const [box, width] = useWidth(360);
  const threads = all.find(({tree}) => tree === chosen)?.threads ?? 1, sizes = all.filter((size) => size.threads === threads);
  const points = sizes.flatMap(({tree, ranks, node}) => node && node.path.max_s > 0 && node.path.mean_s > 0 ? [{tree, ranks, longest: node.path.max_s, mean: node.path.mean_s}] : []);
  if (points.length < 2 || points[0]!.ranks === points[points.length - 1]!.ranks) return null;
  const height = 190, margin = {left: 62, right: 14, top: 12, bottom: 40};
  const first = points[0]!, last = points[points.length - 1]!, ideal = (ranks: number) => first.longest * first.ranks / ranks;
  const isUneven = points.some(({longest, mean}) => longest > differs * mean);
  const values = [...points.flatMap(({longest, mean}) => isUneven ? [longest, mean] : [longest]), ideal(last.ranks)];
  const x = scaleLog([first.ranks, last.ranks], [margin.left, width - margin.right]).base(2);
  const y = scaleLog([Math.min(...values) * 0.8, Math.max(...values) * 1.25], [height - margin.bottom, margin.top]);
  const path = line<[number, number]>((d) => x(d[0]), (d) => y(d[1]));
  const some = ticksOf(y.domain() as [number, number]);
  const told = ({ranks, longest, mean}: typeof first) => `${counted(ranks, 'rank')}: longest ${formatted(longest, 'seconds')}, mean ${formatted(mean, 'seconds')}`;
  return <figure class="chart curve" ref={box}>
    <figcaption>Time of a rank, by number of ranks <small>{threads > 1 || sizes.length < all.length ? `${counted(threads, 'thread')} each; ` : ''}both axes are logarithmic</small></figcaption>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Time of a rank: ${points.map(told).join('; ')}`}>
      {some.map((tick) => <g key={tick}><line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
        <text class="tick" x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{formatted(tick, 'seconds').replace(/\.(\d*?)0+ /, '.$1 ').replace('. ', ' ')}</text></g>)}
      {points.map(({ranks}) => <text key={ranks} class="tick" x={x(ranks)} y={height - margin.bottom + 18} text-anchor="middle">{ranks}</text>)}
      <text class="tick" x={width - margin.right} y={height - 6} text-anchor="end">ranks</text>
      <path class="ideal" d={path([[first.ranks, first.longest], [last.ranks, ideal(last.ranks)]]) ?? ''} />
      {isUneven ? <path class="mean" d={path(points.map(({ranks, mean}) => [ranks, mean])) ?? ''} /> : null}
      <path class="measured" d={path(points.map(({ranks, longest}) => [ranks, longest])) ?? ''} />
      {points.map((point) => <g key={point.ranks} class={`point${point.tree.shown.run.oversubscribed ? ' oversubscribed' : ''}${point.tree === chosen ? ' chosen' : ''}`}>
        <title>{told(point)}</title><circle cx={x(point.ranks)} cy={y(point.longest)} r={point.tree === chosen ? 6 : 4} /></g>)}
    </svg>
    <ul class="legend"><Key line="measured">{isUneven ? 'the rank that takes longest' : 'the longest rank; all take about as long'}</Key>
      {isUneven ? <Key line="mean">mean of all ranks</Key> : null}<Key line="ideal">ideal: twice the ranks, half the time</Key></ul>
  </figure>;
}

function Key({line: of, children}: {line: string; children: string}) {
  return <li><svg class="key" width="22" height="8" aria-hidden="true"><line class={of} x1="0" x2="22" y1="4" y2="4" /></svg>{children}</li>;
}
