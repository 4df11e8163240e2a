// The ledger of lost time: what each size takes more than the base, in per cent of the time of all threads, by what it is lost to.
import {scaleBand, scaleLinear} from 'd3-scale';
import type {Report} from './documents';
import {Figure} from './figure';
import {counted, percent} from './format';
import {backgroundOf, fillOf, Patterns} from './look';
import {PathLink, type Links} from './pathlink';
import {useWidth} from './size';

const kinds: Record<string, string> = {
  imbalance: 'Uneven work', serial: 'Work of one rank while the others wait', input_output: 'Input and output', late_messages: 'Late messages', end: 'The end of the run',
};

/** What ranks waited for in the end: the work, or the messages, that waiting began with. */
function Origins({report, at, last, sizeName, links}: {report: Report; at: string; last: number; sizeName: string; links: Links}) {
  const size = report.ledger_origins?.[last]; // in the order of the ledger
  const origins = size?.origins.map((origin, i) => ({origin, i})).filter(({origin}) => origin.kind !== 'not_known' && origin.seconds >= 0.1 * size.idle_s).slice(0, 3) ?? [];
  if (!size || !origins.length) return null;
  return <div><h4>What the ranks waited for <small>at {sizeName}, sums over ranks</small></h4>
    <ul class="origins">{origins.map(({origin, i}) => <li key={i}>{kinds[origin.kind] ?? origin.kind}{origin.path?.length ? <> in <PathLink path={origin.path} links={{...links, ranks: size.ranks}} /></> : null}
      {origin.ranks?.length ? ` (rank${origin.ranks.length > 1 ? 's' : ''} ${origin.ranks.join(', ')})` : ''}: <strong><Figure of={`${at}/ledger_origins/${last}/origins/${i}/seconds`} value={origin.seconds} form="seconds" /></strong></li>)}</ul></div>;
}

/** The bars of all sizes; in words what is lost at the size that is looked at, or the largest. */
export function Ledger({report, at, chosen, links}: {report: Report; at: string; chosen: number; links: Links}) {
  const [box, width] = useWidth(480);
  if (!report.ledger?.length) return null;
  const height = Math.round(Math.min(340, Math.max(220, width * 0.62))), margin = {left: 44, right: 8, top: 20, bottom: 40};
  const unit = report.grid ? 'cores' : 'ranks', whole = report.ledger.some((size) => size.other_threads_s || (!report.grid && size.cores > size.ranks)) ? 'threads' : unit;
  const x = scaleBand(report.ledger.map((_, i) => String(i)), [margin.left, width - margin.right]).padding(0.28);
  const y = scaleLinear([0, 100], [height - margin.bottom, margin.top]);
  const here = report.ledger.findIndex((size) => (report.grid ? size.cores : size.ranks) === chosen), last = here < 0 ? report.ledger.length - 1 : here, size = report.ledger[last]!;
  const sizeName = `${counted(size.ranks, 'rank')}${size.threads && report.grid ? ` × ${counted(size.threads, 'thread')}` : ''}`;
  const smallest = counted(report.base?.ranks ?? 1, 'rank') + (report.grid && report.base?.threads ? ` × ${counted(report.base.threads, 'thread')}` : ''), base = report.weak ? `if T were that of ${smallest}` : `at ${smallest}`, beyond = report.weak ? `that is more than ${base}` : `beyond that ${base}`;
  const legend = size.terms.map((term, i) => ({term, i})).filter(({term}) => Math.abs(term.percent) >= 0.5);
  const lost = legend.filter(({term}) => term.percent > 0).slice(0, 7), won = legend.filter(({term}) => term.percent < 0).slice(0, 3);
  return <figure ref={box} class="chart">
    <figcaption>Lost time <small>share of the time of all {whole} {beyond}</small></figcaption>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Lost time: ${report.ledger.map((size) => `at ${size.ranks} ${unit}${size.oversubscribed ? ' (oversubscribed)' : ''} ${percent(size.percent)}`).join(', ')}`}>
      <defs><Patterns terms={report.ledger.flatMap((size) => size.terms.map((term) => term.name))} /></defs>
      {y.ticks(5).map((tick) => <g key={tick}><line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
        <text class="tick" x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{tick} %</text></g>)}
      {report.ledger.map((size, i) => {
        let top = 0;
        return <g key={i} class={size.oversubscribed ? 'oversubscribed' : undefined}>
          <rect class="kept" x={x(String(i))} width={x.bandwidth()} y={y(100)} height={y(0) - y(100)} />
          {size.terms.filter((term) => term.percent > 0).map((term) => {
            const from = Math.min(100, top), to = Math.min(100, top += term.percent);
            return <rect key={term.name} class="term" x={x(String(i))} width={x.bandwidth()} y={y(to)} height={Math.max(0, y(from) - y(to))} fill={fillOf(term.name)}>
              <title>{`${term.title}: ${percent(term.percent)}`}</title></rect>;
          })}
          {size.oversubscribed ? <rect class="frame" x={x(String(i))} width={x.bandwidth()} y={y(100)} height={y(0) - y(100)} /> : null}
          {size.percent > 0 ? <text class="label" x={x(String(i))! + x.bandwidth() / 2} y={y(100) - 4} text-anchor="middle"
            data-figure={`${at}/ledger/${i}/percent`} data-form="percent">{percent(size.percent)}</text> : null}
          <text class="tick" x={x(String(i))! + x.bandwidth() / 2} y={height - margin.bottom + 18} text-anchor="middle">{size.threads && report.grid ? `${size.ranks}×${size.threads}` : size.ranks}{size.oversubscribed ? '*' : ''}</text>
        </g>;
      })}
      <text class="tick" x={width - margin.right} y={height - 6} text-anchor="end">{unit}</text>
    </svg>
    <ul class="legend" aria-label={`What is lost at ${sizeName}`}><li>at {sizeName}:</li>
      {lost.map(({term, i}) => <li key={term.name}><span class="swatch" style={{background: backgroundOf(term.name)}} />{term.title}{' '}
        <Figure of={`${at}/ledger/${last}/terms/${i}/percent`} value={term.percent} form="percent" /></li>)}
    </ul>
    {report.ledger.some((size) => size.oversubscribed) ? <p class="note">*: more ranks than cores</p> : null}
    {won.length ? <p class="note">Less than {base}: {won.map(({term, i}, n) => <span key={term.name}>{n ? ', ' : ''}{term.title} <Figure of={`${at}/ledger/${last}/terms/${i}/percent`} value={term.percent} form="percent" /></span>)}; so the parts of a bar are more than its sum.</p> : null}
    <Origins report={report} at={at} last={last} sizeName={sizeName} links={links} />
  </figure>;
}
