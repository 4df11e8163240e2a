// The page: what is looked at (state), what there is (documents), and the views of it.
import {useCallback, useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {useAddress} from './address';
import {Answer} from './answer';
import {CallTree, type Strips} from './calltree';
import {Cells} from './cells';
import {Detail} from './detail';
import {Diff} from './diff';
import {bytes, json, type Comparison, type Levels, type Manifest, type Report, type Reports, type RunParts, type Shown, type Sources, type Waits} from './documents';
import {Findings} from './findings';
import {Help} from './help';
import {Icicle, type Selection} from './icicle';
import {Matrix} from './matrix';
import {hasMessageSizes, MessageSizes} from './messagesizes';
import {Figure} from './figure';
import {counted} from './format';
import {metricsOf, sumOf, time, wholeOf} from './metrics';
import type {Links} from './pathlink';
import {useDark} from './theme';
import {Source} from './source';
import {categoryOf, keyOf, lineage, treeOf, type Node, type Tree} from './tree';

export interface Loaded { reports: Report[]; at: string[]; diff: Comparison | null }

/** The documents of the first screen. */
export async function load(manifest: Manifest): Promise<Loaded> {
  if (manifest.kind === 'diff') return {reports: [], at: [], diff: await json<Comparison>('diff')};
  const documents = await Promise.all(manifest.documents.map((name) => json<Report | Reports>(name)));
  const reports: Report[] = [], at: string[] = [];
  documents.forEach((document, i) => {
    const name = manifest.documents[i]!;
    if (!('series' in document)) { reports.push(document); at.push(`${name}#`); return; }
    document.series.forEach((report, series) => { reports.push(report); at.push(`${name}#/series/${series}`); });
  });
  return {reports, at, diff: null};
}

interface Run { parts: RunParts; tree: Tree; cells: Cells; waits: Waits | null }
const runs = new Map<string, Promise<Run>>();
function runOf(parts: RunParts): Promise<Run> {
  let run = runs.get(parts.tree);
  if (!run) {
    run = Promise.all([json<Shown>(parts.tree), json<Levels>(parts.cells), bytes(parts.levels), parts.waits ? json<Waits>(parts.waits) : null])
      .then(([shown, index, levels, waits]) => ({parts, tree: treeOf(parts.tree, shown), cells: new Cells(index, levels), waits}));
    runs.set(parts.tree, run);
  }
  return run;
}

const nothing = new Set<number>();

/** What ends the fragment's name of a call path, as far as it can be read. */
function lastNameOf(key: string): string {
  const last = key.slice(key.lastIndexOf('/') + 1);
  try { return decodeURIComponent(last); } catch { return last; }
}

/** What is shown before anything is chosen: the most own time of the program. */
const heaviest = (tree: Tree): Node | null => tree.nodes.reduce<Node | null>((most, node) =>
  categoryOf(node.path.kind) !== 'tool' && node.path.exclusive_s > (most?.path.exclusive_s ?? 0) ? node : most, null);

/** Events of the setting `counters` without numbers; those of one reason together. */
function Uncounted({missing}: {missing?: {event: string; reason: string; ranks?: number}[]}) {
  const of = new Map<string, string[]>();
  for (const {event, reason, ranks} of missing ?? []) of.set(reason, [...of.get(reason) ?? [], ranks === undefined ? event : `${event} (on ${ranks} rank${ranks === 1 ? '' : 's'})`]);
  return <>{[...of].map(([reason, events]) => <p key={reason} class="note">Not counted: {events.join(', ')}; {reason}.</p>)}</>;
}

/** What times of the tree are sums of, so that more of it than the run took is no riddle. */
function Sums({tree}: {tree: Tree}) {
  const {ranks, wall_s, thread_time_s} = tree.shown.run, threads = tree.shown.ranks.some((rank) => (rank.threads?.length ?? 1) > 1);
  const took = <Figure of={`${tree.name}#/run/wall_s`} value={wall_s} form="seconds" />;
  if (ranks === 1 && !threads) return <>at 1 rank; the run took {took}</>;
  return <>times are sums over {threads ? `all threads of ${counted(ranks, 'rank')}` : `${ranks} ranks`}: <Figure of={`${tree.name}#/run/thread_time_s`} value={thread_time_s} form="seconds" /> in a run of {took}</>;
}

export function App({manifest, loaded}: {manifest: Manifest; loaded: Loaded}) {
  const [state, update, setState] = useAddress();
  const isDark = useDark(state.theme);

  // Documents, as they are unpacked: the chosen run first, all others of the series then.
  const series = Math.min(Math.max(0, state.series), Math.max(0, loaded.reports.length - 1));
  const ofSeries = useMemo(() => manifest.runs.map((parts, index) => ({parts, index})).filter(({parts}) => parts.series === series), [series]);
  const wanted = ofSeries.find(({index}) => index === state.run) ?? ofSeries.filter(({parts}) => parts.ranks === loaded.reports[series]?.waits?.ranks).at(-1) ?? ofSeries.at(-1);
  const [have, setHave] = useState<Run[]>([]);
  const [sources, setSources] = useState<Sources | null>(null);
  useEffect(() => {
    let current = true;
    (async () => {
      const order = wanted ? [wanted, ...ofSeries.filter((one) => one !== wanted)] : [];
      for (const {parts} of order) {
        const run = await runOf(parts);
        if (!current) return;
        setHave((before) => before.includes(run) ? before : [...before, run]);
      }
      if (manifest.sources) setSources(await json<Sources>(manifest.sources));
    })();
    return () => { current = false; };
  }, [wanted, ofSeries]);
  const run = have.find(({parts}) => parts === wanted?.parts) ?? null;
  const tree = run?.tree ?? null;

  const present = useMemo(() => tree ? metricsOf(tree) : [], [tree]);
  const metric = present.find((one) => one.id === state.metric) ?? time, zoom = tree && state.zoom ? tree.byKey.get(state.zoom) ?? null : null;
  const chosen = useMemo(() => tree ? tree.byKey.get(state.path) ?? heaviest(tree) : null, [tree, state.path]);
  const find = state.find.trim().toLowerCase();
  const selection = useMemo((): Selection | null => {
    if (!tree) return null;
    const least = wholeOf(tree, metric) * state.below / 100;
    const matches = (node: Node) => node.name.toLowerCase().includes(find) || (node.path.file ?? '').toLowerCase().includes(find);
    return {tree, metric, shown: (node) => node.parent === null || sumOf(node, metric) >= least, found: matches, searching: find !== ''};
  }, [tree, metric, state.below, find]);
  const folded = useMemo(() => state.folded ? new Set(state.folded.split('.').map(Number)) : nothing, [state.folded]);
  const fold = useCallback((nodes: Node[], closed: boolean) => setState((before) => {
    const ids = new Set(before.folded ? before.folded.split('.').map(Number) : []);
    for (const node of nodes) if (closed) ids.add(node.id); else ids.delete(node.id);
    return {...before, folded: [...ids].join('.')};
  }), []);
  const choose = useCallback((node: Node) => update({path: node.key}), []);
  const section = useRef<HTMLElement>(null);
  const choosePath = useCallback((names: readonly string[], ranks?: number) => {
    const size = ranks === undefined || ranks === wanted?.parts.ranks ? undefined : ofSeries.filter(({parts}) => parts.ranks === ranks).at(-1);
    update({path: keyOf(names), find: '', below: 0, folded: '', zoom: '', ...(size ? {run: size.index} : {})});
    section.current?.scrollIntoView({behavior: 'auto'});
    section.current?.querySelector<HTMLElement>('.calltree')?.focus({preventScroll: true}); // arrows go on from there
  }, [ofSeries, wanted]);
  const strips = useMemo((): Strips | null => run && Cells.has(metric) && run.cells.locations.length > 0
    ? {cells: run.cells, metric, sameScale: state.colours === 'all', isDark, place: state.place, choosePlace: (node, place) => update({path: node.key, place})} : null,
  [run, metric, state.colours, isDark, state.place]);
  const sizes = useMemo(() => [...have].filter(({parts}) => parts.series === series && !parts.side).sort((a, b) => a.parts.ranks * a.parts.threads - b.parts.ranks * b.parts.threads)
    .map(({parts, tree: other}) => ({tree: other, ranks: parts.ranks, threads: loaded.reports[series]?.grid ? parts.threads : 1, node: chosen ? other.byKey.get(chosen.key) ?? null : null})), [have, chosen, series]);

  const located = chosen ? [...lineage(chosen)].reverse().find((one) => one.path.file) : undefined;
  const report = loaded.reports[series], at = loaded.at[series] ?? '';
  const comparison = loaded.diff ?? report?.comparison ?? null;
  const findings = run?.waits?.findings ?? report?.waits?.findings ?? [];
  const findingsAt = run?.waits ? `${run.parts.waits}#/findings` : `${at}/waits/findings`;
  const whyNot = run?.waits ? run.waits.why_not_measured : report?.waits?.why_not_measured;
  const findingsRanks = run?.waits ? run.parts.ranks : report?.waits?.ranks ?? run?.parts.ranks ?? 0, areOthers = run !== null && findingsRanks !== run.parts.ranks;
  const links: Links = {tree: (have.find(({parts}) => parts.series === series && parts.ranks === findingsRanks) ?? run)?.tree ?? null, ranks: findingsRanks || undefined, choose: choosePath};
  const heaviestText = 'the one with the most own time, until another is chosen';
  const whyChosen = !tree || tree.byKey.has(state.path) ? null : state.path ? `${heaviestText}: ${lastNameOf(state.path)} is not called at this size` : heaviestText;
  const help = useRef<HTMLDialogElement>(null), search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '/') { event.preventDefault(); search.current?.focus(); }
      else if (event.key === '?') help.current?.showModal();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const runName = (parts: RunParts) => manifest.kind === 'diff' ? `${parts.side}, ${counted(parts.ranks, 'rank')}`
    : `${counted(parts.ranks, 'rank')}${parts.threads > 1 ? ` × ${parts.threads} threads` : ''}`;
  const chosenSize = wanted ? wanted.parts.ranks * (report?.grid ? wanted.parts.threads : 1) : 0;
  const used = report?.runs.filter((one) => one.used).length ?? 0;

  return <>
    <header class="top">
      <h1>{report?.command ?? tree?.shown.run.command ?? 'andes'}</h1>
      <p class="about">{[report && report.runs.length > 1 && (used === report.runs.length ? `${used} runs` : `${used} of ${report.runs.length} runs used`), report?.started && report.started.replace(/T(\d\d:\d\d).*/, ' $1 UTC'), report?.build && `build ${report.build.slice(0, 10)}`,
        tree?.shown.run.hosts.join(', ')].filter(Boolean).join(' · ')}</p>
      <div class="tools">
        {loaded.reports.length > 1 ? <label>{manifest.kind === 'run' ? 'Run' : 'Series'} <select value={series} onChange={(event) => update({series: Number(event.currentTarget.value), run: -1, path: '', folded: '', zoom: ''})}>
          {loaded.reports.map((one, i) => <option key={i} value={i}>{manifest.kind === 'run' ? one.runs[0]?.file : `${one.command}${one.axes ? ` (${Object.entries(one.axes).map(([name, value]) => `${name} ${value}`).join(', ')})` : ''}`}</option>)}</select></label> : null}
        <button type="button" onClick={() => update({theme: isDark ? 'light' : 'dark'})} aria-pressed={isDark}>{isDark ? 'Light' : 'Dark'}</button>
        <button type="button" onClick={() => help.current?.showModal()}>Keys</button>
      </div>
    </header>
    <main>
      {report?.unfinished ? <p class="unfinished">No run came to its end: {report.unfinished}. All figures are of the newest run, up to its end.</p> : null}
      {report ? <Answer report={report} at={at} tree={tree} links={links} chosen={chosenSize} choose={(size) => { const one = ofSeries.find(({parts}) => parts.ranks * (report.grid ? parts.threads : 1) === size); if (one) update({run: one.index, zoom: '', folded: ''}); }} /> : null}
      {comparison ? <Diff comparison={comparison} at={loaded.diff ? 'diff#' : `${at}/comparison`} links={{tree, choose: choosePath}} /> : null}
      {tree && selection && run ? <section class="where" aria-labelledby="where-title" ref={section}>
        <h2 id="where-title">Where the time goes <small><Sums tree={tree} /></small></h2>
        <div class="bar-of-tools" role="toolbar" aria-label="What the call tree shows">
          {ofSeries.length > 1 ? <div class="choice" role="group" aria-label="Size">{ofSeries.map(({parts, index}) => <button key={index} type="button" aria-pressed={parts === wanted?.parts} onClick={() => update({run: index, zoom: '', folded: ''})}>{runName(parts)}</button>)}</div> : null}
          <div class="choice metrics" role="group" aria-label="Metric">{present.map((one) => <button key={one.id} type="button" title={one.means} aria-pressed={one === metric} onClick={() => update({metric: one.id, sort: ''})}>{one.title}</button>)}</div>
          <label>Search <input ref={search} type="search" value={state.find} placeholder="name or file" onInput={(event) => update({find: event.currentTarget.value})} /></label>
          <label>Hide below <input class="short" type="number" min="0" max="100" step="any" value={state.below} onInput={(event) => { const below = event.currentTarget.valueAsNumber; if (below >= 0) update({below}); }} /> %</label>
          <button type="button" onClick={() => update({folded: ''})}>Unfold all</button>
          <button type="button" onClick={() => update({folded: tree.nodes.filter((node) => node.depth > 0 && node.children.length).map((node) => node.id).join('.')})}>Fold all</button>
          {strips ? <button type="button" aria-pressed={state.colours === 'all'} title="colours of ranks: darkest is the largest value of all rows, not of each row" onClick={() => update({colours: state.colours === 'all' ? 'row' : 'all'})}>Same colours for all rows</button> : null}
        </div>
        <Uncounted missing={tree.shown.run.counters_missing} />
        {tree.shown.run.oversubscribed ? <p class="note oversubscribed">This size is oversubscribed: more ranks than cores. Its times are mostly time slicing.</p> : null}
        <div class="panes">
          <div class="overview"><Icicle selection={selection} chosen={chosen} zoom={zoom} choose={choose} zoomTo={(node) => update({zoom: node?.key ?? ''})} />
            <CallTree selection={selection} present={present} strips={strips} chosen={chosen} follow={state.path !== ''} choose={choose} sort={state.sort} setSort={(sort) => update({sort})} folded={folded} fold={fold} find={find} />
            {strips && run.cells.locations.length > 1 ? <p class="note hint">Beside each call path its {run.cells.locations.some((one) => one.thread > 0) ? 'threads' : 'ranks'}, the first one left: {isDark ? 'brighter' : 'darker'} is more{state.colours === 'all' ? '' : ', in each row by itself'}. Point at a field for its number.</p> : null}
            {located ? <Source sources={sources} file={located.path.file} line={located.path.line} /> : null}
            {run.cells.folded > 0 ? <p class="note">{run.cells.folded} call paths with little time have no values by rank of their own; they are in those of their callers.</p> : null}</div>
          {chosen ? <Detail tree={tree} node={chosen} whyChosen={whyChosen} present={present} metric={metric} cells={run.cells.locations.length ? run.cells : null} place={state.place} choosePlace={(place) => update({place})} sizes={sizes} findings={findings} findingsRanks={areOthers ? findingsRanks : undefined} openFinding={(finding) => { update({finding}); document.getElementById('findings-title')?.scrollIntoView(); }} isDark={isDark} choose={choose} />
            : <aside class="detail empty" aria-label="The chosen call path"><p>Choose a call path to see how it scales, which ranks it takes longest on, and its source.</p></aside>}
        </div>
      </section> : null}
      <div class="more">
        {tree ? <Findings findings={findings} at={findingsAt} whyNot={whyNot} ranks={findingsRanks} others={areOthers ? run!.parts.ranks : undefined} sources={sources} open={state.finding} setOpen={(finding) => update({finding})} choose={(names) => choosePath(names, findingsRanks)} /> : null}
        {tree?.shown.matrix || tree?.shown.wait_matrix ? <Matrix shown={tree.shown} by={state.matrix} setBy={(matrix) => update({matrix})} isDark={isDark} /> : null}
        {tree && hasMessageSizes(tree) ? <MessageSizes tree={tree} node={chosen ?? tree.roots[0]!} /> : null}
      </div>
    </main>
    <Help dialog={help} />
  </>;
}
