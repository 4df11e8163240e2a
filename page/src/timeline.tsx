// The time of a program over commits: each run a dot, their median a line; the levels between changes, and where each change may
// lie. With a change chosen, the stretches on both sides of it alone.
import {scaleLinear} from 'd3-scale';
import {line} from 'd3-shape';
import {useState} from 'preact/hooks';
import type {Change, Commit, History} from './documents';
import {formatted} from './format';
import {useWidth} from './size';

export const nameOf = (commit: Commit): string => commit.commit ? commit.commit.slice(0, 10) : `build ${commit.build.slice(0, 10)}`;
export const dayOf = (commit: Commit): string => commit.time.split('T')[0] ?? '';
export const slower = (change: Change): boolean => change.change_percent.median > 0;
export const signed = (change: Change): string => `${slower(change) ? '+' : ''}${formatted(change.change_percent.median, 'percent')}`;

/** The first and the last commit that a change is told by. */
export function stretch(history: History, change: number): [number, number] {
  return [history.changes[change - 1]?.at ?? 0, (history.changes[change + 1]?.at ?? history.commits.length) - 1];
}

export function Timeline({history, at, chosen, choose}: {history: History; at: string; chosen: number; choose: (change: number) => void}) {
  const [box, width] = useWidth(720);
  const [cursor, setCursor] = useState(-1);
  const {commits, changes} = history, [first, last] = changes[chosen] ? stretch(history, chosen) : [0, commits.length - 1];
  const shown = commits.map((commit, i) => ({commit, i})).slice(first, last + 1), times = shown.flatMap(({commit}) => commit.times_s);
  const height = Math.round(Math.min(360, Math.max(240, width * 0.4))), margin = {left: 64, right: 16, top: 26, bottom: 46};
  const low = Math.min(...times), high = Math.max(...times), room = Math.max(high - low, 0.02 * high) * 0.15;
  const x = scaleLinear([first - 0.5, last + 0.5], [margin.left, width - margin.right]);
  const y = scaleLinear([Math.max(0, low - room), high + room], [height - margin.bottom, margin.top]).nice(5);
  const medians = line<{commit: Commit; i: number}>(({i}) => x(i), ({commit}) => y(commit.time_s));
  const labelled = Math.max(1, Math.min(Math.floor((width - 80) / 130), shown.length)), step = Math.max(1, Math.ceil((shown.length - 1) / Math.max(1, labelled - 1)));
  const between = (i: number): [number, number] => [i < 0 ? 0 : changes[i]!.at, (changes[i + 1]?.at ?? commits.length) - 1];
  const levels = changes.length ? [-1, ...changes.keys()].map((i) => ({ends: between(i), level: i < 0 ? changes[0]!.before_s : changes[i]!.after_s})) : [];
  const place = (event: MouseEvent) => {
    const area = (event.currentTarget as SVGElement).getBoundingClientRect();
    setCursor(Math.min(last, Math.max(first, Math.round(x.invert((event.clientX - area.left) / area.width * width)))));
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') { choose(-1); return; }
    const now = cursor < first || cursor > last ? last + 1 : cursor;
    const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: first, End: last}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setCursor(Math.min(last, Math.max(first, to)));
  };
  const here = cursor >= first && cursor <= last ? commits[cursor]! : null;
  return <figure ref={box} class="chart timeline">
    <figcaption>Time over commits <small>{chosen >= 0 && changes[chosen] ? 'around the chosen change' : 'oldest left'}{y.domain()[0]! > 0 ? '; the axis does not begin at zero' : ''}</small></figcaption>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} tabindex={0} role="application" onKeyDown={keys} onMouseMove={place} onMouseLeave={() => setCursor(-1)}
      aria-label={`Time over ${shown.length} commits, from ${formatted(low, 'seconds')} to ${formatted(high, 'seconds')}; arrows choose a commit`}>
      {y.ticks(5).map((tick) => <g key={tick}><line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
        <text class="tick" x={margin.left - 8} y={y(tick)} dy="0.32em" text-anchor="end">{formatted(tick, 'seconds')}</text></g>)}
      {changes.map((change, i) => change.at <= first || change.at > last ? null : <g key={i} class={`change-mark ${slower(change) ? 'slower' : 'faster'}${i === chosen ? ' chosen' : ''}`} onClick={() => choose(i === chosen ? -1 : i)}>
        <title>{`${signed(change)}: it may lie at ${change.low === change.high ? 'this commit' : `each of these ${change.high - change.low + 1} commits`}`}</title>
        <rect x={x(change.low - 0.5)} width={Math.max(4, x(change.high + 0.5) - x(change.low - 0.5))} y={margin.top} height={height - margin.bottom - margin.top} />
        <line x1={x(change.at - 0.5)} x2={x(change.at - 0.5)} y1={margin.top} y2={height - margin.bottom} />
        <text class="label" x={x(change.at - 0.5)} y={margin.top - 8} text-anchor={x(change.at) > width - 80 ? 'end' : x(change.at) < margin.left + 40 ? 'start' : 'middle'}
          >{change.change_percent.median > 0 ? '+' : ''}<tspan data-figure={`${at}/changes/${i}/change_percent/median`} data-form="percent">{formatted(change.change_percent.median, 'percent')}</tspan></text></g>)}
      {levels.filter(({ends: [from, to]}) => to >= first && from <= last).map(({ends: [from, to], level}) =>
        <line key={from} class="level" x1={x(Math.max(first, from) - 0.5)} x2={x(Math.min(last, to) + 0.5)} y1={y(level)} y2={y(level)} />)}
      {shown.map(({commit, i}) => commit.times_s.length > 1 ? commit.times_s.map((time, j) => <circle key={`${i}.${j}`} class="single" cx={x(i)} cy={y(time)} r="2" />) : null)}
      <path class="measured" d={medians(shown) ?? ''} />
      {shown.map(({commit, i}) => <circle key={i} class={`median${i === cursor ? ' chosen' : ''}`} cx={x(i)} cy={y(commit.time_s)} r={i === cursor ? 6 : shown.length > 80 ? 2 : 3.5} />)}
      {shown.filter((_, n) => n % step === 0).map(({commit, i}, n) => <g key={i}>
        <text class="tick" x={x(i)} y={height - margin.bottom + 18} text-anchor={n === 0 && shown.length > 2 ? 'start' : x(i) > width - 60 ? 'end' : 'middle'}>{nameOf(commit).slice(0, 10)}</text>
        <text class="tick" x={x(i)} y={height - margin.bottom + 34} text-anchor={n === 0 && shown.length > 2 ? 'start' : x(i) > width - 60 ? 'end' : 'middle'}>{dayOf(commit)}</text></g>)}
    </svg>
    <p class="note" aria-live="polite">{here ? <>{nameOf(here)}, {dayOf(here)}{here.branch ? `, ${here.branch}` : ''}: {formatted(here.time_s, 'seconds')}, {here.times_s.length === 1 ? 'one run' : `the median of ${here.times_s.length} runs`}</>
      : <>Points: the median of a commit{times.length > shown.length ? '; small ones: its runs' : ''}{levels.length ? '; dashes: the level between changes; shaded: where a change may lie (95 %)' : ''}.</>}</p>
  </figure>;
}
