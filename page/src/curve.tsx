// How a call path scales: its mean time over ranks at each size, beside what would be ideal.
import {scaleLog} from 'd3-scale';
import {line} from 'd3-shape';
import {formatted} from './format';
import type {Node, Tree} from './tree';
import {useWidth} from './size';

export interface Sized { tree: Tree; ranks: number; threads: number; node: Node | null }

/** Over ranks; of a grid those sizes that have as many threads as the chosen one. */
export function Curve({sizes: all, chosen}: {sizes: Sized[]; chosen: Tree}) {
  const [box, width] = useWidth(360);
  const threads = all.find(({tree}) => tree === chosen)?.threads ?? 1, sizes = all.filter((size) => size.threads === threads);
  const points = sizes.filter((size) => size.node && size.node.path.mean_s > 0) as {tree: Tree; ranks: number; node: Node}[];
  if (points.length < 2 || points[0]!.ranks === points[points.length - 1]!.ranks) return null;
  const height = 190, margin = {left: 62, right: 14, top: 12, bottom: 34};
  const first = points[0]!, last = points[points.length - 1]!, ideal = (ranks: number) => first.node.path.mean_s * first.ranks / ranks;
  const values = [...points.map(({node}) => node.path.mean_s), ideal(last.ranks)];
  const x = scaleLog([first.ranks, last.ranks], [margin.left, width - margin.right]).base(2);
  const y = scaleLog([Math.min(...values) * 0.8, Math.max(...values) * 1.25], [height - margin.bottom, margin.top]);
  const path = line<[number, number]>((d) => x(d[0]), (d) => y(d[1]));
  const powers = y.ticks().filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-6), ticks = powers.length > 1 ? powers : y.ticks(4);
  const some = ticks.filter((_, i) => i % Math.ceil(ticks.length / 5) === 0);
  return <figure class="chart curve" ref={box}>
    <figcaption>Mean time of a rank over ranks{threads > 1 || sizes.length < all.length ? <small> {threads} thread{threads === 1 ? '' : 's'} each</small> : null}</figcaption>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Mean time of a rank: ${points.map(({ranks, node}) => `${ranks} ranks ${formatted(node.path.mean_s, 'seconds')}`).join(', ')}`}>
      {some.map((tick) => <g key={tick}><line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
        <text class="tick" x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{formatted(tick, 'seconds').replace(/\.(\d*?)0+ /, '.$1 ').replace('. ', ' ')}</text></g>)}
      {points.map(({ranks}) => <text key={ranks} class="tick" x={x(ranks)} y={height - margin.bottom + 18} text-anchor="middle">{ranks}</text>)}
      <path class="ideal" d={path([[first.ranks, first.node.path.mean_s], [last.ranks, ideal(last.ranks)]]) ?? ''} />
      <path class="measured" d={path(points.map(({ranks, node}) => [ranks, node.path.mean_s])) ?? ''} />
      {points.map(({tree, ranks, node}) => <g key={ranks} class={`point${tree.shown.run.oversubscribed ? ' oversubscribed' : ''}${tree === chosen ? ' chosen' : ''}`}>
        <title>{`${ranks} ranks: ${formatted(node.path.mean_s, 'seconds')}`}</title><circle cx={x(ranks)} cy={y(node.path.mean_s)} r={tree === chosen ? 6 : 4} /></g>)}
    </svg>
  </figure>;
}
