// A history: when the time changed, by how much, at which commit, and what of the program it was.
import {useRef} from 'preact/hooks';
import {useAddress} from './address';
import type {Change, Histories, History} from './documents';
import {EstimateFigure, Figure} from './figure';
import {HistoryHelp} from './help';
import {backgroundOf} from './look';
import {placeText} from './source';
import {useDark} from './theme';
import {dayOf, nameOf, slower, Timeline} from './timeline';

const word = (change: Change): string => slower(change) ? 'slower' : 'faster';
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const leastCommits = 6; // three on either side of a change

/** With its sign, which says whether more or less is lost. */
function Seconds({of, value}: {of: string; value: number}) {
  return <>{value > 0 ? '+' : ''}<Figure of={of} value={value} form="seconds" /></>;
}

function Size({change, at}: {change: Change; at: string}) {
  return <><strong class={word(change)}>{word(change)}: {slower(change) ? '+' : ''}<EstimateFigure of={`${at}/change_percent`} value={change.change_percent} form="percent" /></strong>,{' '}
    from <Figure of={`${at}/before_s`} value={change.before_s} form="seconds" /> to <Figure of={`${at}/after_s`} value={change.after_s} form="seconds" /></>;
}

/** The commits that a change may lie at. */
function place(history: History, change: Change): string {
  const commit = history.commits[change.at]!, at = `at ${nameOf(commit)} (${dayOf(commit)})`;
  return change.low === change.high ? at : `${at}, or between ${nameOf(history.commits[change.low]!)} and ${nameOf(history.commits[change.high]!)}`;
}

function Terms({change, at}: {change: Change; at: string}) {
  const least = 0.02 * change.terms.reduce((sum, term) => sum + Math.abs(term.change_s), 0);
  const terms = change.terms.map((term, i) => ({term, i})).filter(({term}) => Math.abs(term.change_s) > least).slice(0, 8);
  if (!terms.length) return null;
  const most = Math.max(...terms.map(({term}) => Math.abs(term.change_s)));
  return <div><h4>What changed <small>seconds, sums over all cores</small></h4>
    <div class="scroll" tabIndex={0} role="region" aria-label="What changed"><table class="changes"><thead><tr><th scope="col">Part</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Change</th></tr></thead>
      <tbody>{terms.map(({term, i}) => <tr key={term.name}><th scope="row"><span class="swatch" style={{background: backgroundOf(term.name)}} />{term.name === 'computation' ? term.name : term.title}</th>
        <td><Figure of={`${at}/terms/${i}/before_s`} value={term.before_s} form="seconds" /></td><td><Figure of={`${at}/terms/${i}/after_s`} value={term.after_s} form="seconds" /></td>
        <td class={`change ${term.change_s > 0 ? 'grew' : 'shrank'}`}><span class="bar" style={{width: `${80 * Math.abs(term.change_s) / most}%`}} /><Seconds of={`${at}/terms/${i}/change_s`} value={term.change_s} /></td></tr>)}</tbody></table></div></div>;
}

function Paths({change, at}: {change: Change; at: string}) {
  if (!change.callpaths.length) return <p class="note">No call path changed beyond its scatter.</p>;
  return <div><h4>Where <small>call paths whose own time changed, sums over ranks and threads</small></h4>
    <div class="scroll" tabIndex={0} role="region" aria-label="Call paths that changed"><table class="changes"><thead><tr><th scope="col">Call path</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Change</th></tr></thead>
      <tbody>{change.callpaths.slice(0, 20).map((path, i) => <tr key={i}><th scope="row"><span class="brief" title={path.path.join(' > ')}>{path.path.join(' > ')}</span><small> {[path.part, placeText(path.file, path.line)].filter(Boolean).join(', ')}</small></th>
        <td><Figure of={`${at}/callpaths/${i}/before_s`} value={path.before_s} form="seconds" /></td><td><Figure of={`${at}/callpaths/${i}/after_s`} value={path.after_s} form="seconds" /></td>
        <td class={`change ${path.change_s.median > 0 ? 'grew' : 'shrank'}`}>{path.change_s.median > 0 ? '+' : ''}<EstimateFigure of={`${at}/callpaths/${i}/change_s`} value={path.change_s} form="seconds" /></td></tr>)}</tbody></table></div></div>;
}

function OneChange({history, change, at, open, toggle}: {history: History; change: Change; at: string; open: boolean; toggle: () => void}) {
  const path = change.callpaths[0];
  return <li class={`finding one-change${open ? ' open' : ''}`}>
    <button type="button" class="head" aria-expanded={open} onClick={toggle}>
      <span class="title"><Size change={change} at={at} /></span>
      <span class="where brief">{place(history, change)}{path ? `; most in ${path.path.join(' > ')}${path.part ? ` (${path.part})` : ''}` : ''}</span>
    </button>
    {open ? <div class="body">
      {change.also_changed?.length ? <ul class="beware">{change.also_changed.map((text, i) => <li key={i}>Also changed: {text}</li>)}</ul> : null}
      <div class="sides"><Terms change={change} at={at} /><Paths change={change} at={at} /></div>
      {change.commits?.length ? <div><h4>Commits in between <small>newest first</small></h4><ol class="commits">{change.commits.map((commit) => <li key={commit.commit}><code>{commit.commit.slice(0, 10)}</code> {commit.title}</li>)}</ol></div>
        : change.behind && change.up_to ? <p class="note">To list the commits: <code>git log {change.behind.slice(0, 10)}..{change.up_to.slice(0, 10)}</code></p> : null}
    </div> : null}
  </li>;
}

function Overview({histories, chosen, choose}: {histories: History[]; chosen: number; choose: (group: number) => void}) {
  return <section class="overview-of-histories" aria-labelledby="histories-title"><h2 id="histories-title">Programs <small>runs are compared within one row</small></h2>
    <div class="scroll" tabIndex={0} role="region" aria-label="Programs"><table class="changes"><thead><tr><th scope="col">Program</th><th scope="col">Ranks</th><th scope="col" class="minor">Commits</th><th scope="col" class="minor">Changes</th><th scope="col">Newest change</th></tr></thead>
      <tbody>{histories.map((history, i) => { const last = history.changes.length - 1, newest = history.changes[last]; return <tr key={i}>
        <th scope="row"><button type="button" class="link brief" title={history.command} aria-current={i === chosen} onClick={() => choose(i)}>{history.command}</button><small> {[history.label, history.host, history.mpi_library.split(',')[0]].filter(Boolean).join(', ')}</small></th>
        <td><Figure of={`history#/histories/${i}/ranks`} value={history.ranks} form="count" /></td><td class="minor">{history.commits.length}</td><td class="minor">{history.changes.length}</td>
        <td>{newest ? <span class={word(newest)}>{slower(newest) ? '+' : ''}<Figure of={`history#/histories/${i}/changes/${last}/change_percent/median`} value={newest.change_percent.median} form="percent" /></span> : <span class="absent">none</span>}</td></tr>; })}</tbody></table></div>
  </section>;
}

export function HistoryPage({document: {histories, left_out: leftOut}}: {document: Histories}) {
  const [state, update] = useAddress(), isDark = useDark(state.theme), help = useRef<HTMLDialogElement>(null);
  const group = Math.min(Math.max(0, Math.floor(state.series)), histories.length - 1), history = histories[group], at = `history#/histories/${group}`;
  const chosen = history?.changes[state.change] ? state.change : -1, choose = (change: number) => update({change});
  const commits = history?.commits ?? [], last = commits.length - 1, runs = commits.reduce((sum, commit) => sum + commit.files.length, 0);
  const newest = (history?.changes.length ?? 0) - 1;
  return <>
    <header class="top">
      <h1>{history?.command ?? 'andes'}</h1>
      {history ? <p class="about">{[`${plural(history.ranks, 'rank')}${history.threads > 1 ? ` of ${history.threads} threads` : ''}`, history.label, history.host, history.mpi_library.split(',')[0],
        `${plural(runs, 'run')} of ${plural(commits.length, 'commit')}`].filter(Boolean).join(' · ')}</p> : null}
      <div class="tools">
        <button type="button" onClick={() => update({theme: isDark ? 'light' : 'dark'})} aria-pressed={isDark}>{isDark ? 'Light' : 'Dark'}</button>
        <button type="button" onClick={() => help.current?.showModal()}>Keys</button>
      </div>
    </header>
    <main>
      {histories.length > 1 ? <Overview histories={histories} chosen={group} choose={(series) => update({series, change: -1})} /> : null}
      {history ? <section class="answer history" aria-labelledby="answer-title"><h2 id="answer-title" class="away">Answer</h2>
        <div class="say"><dl class="sentences">
          <div class="sentence"><dt>Since the first commit</dt><dd>From <Figure of={`${at}/commits/0/time_s`} value={commits[0]!.time_s} form="seconds" /> at {nameOf(commits[0]!)} to{' '}
            <Figure of={`${at}/commits/${last}/time_s`} value={commits[last]!.time_s} form="seconds" /> at {nameOf(commits[last]!)}.</dd></div>
          <div class="sentence"><dt>{newest < 0 ? 'Changes' : 'Newest change'}</dt><dd>{commits.length < leastCommits ? `Too few commits to tell a change: ${leastCommits} are needed at least.`
            : newest < 0 ? 'None: the time did not change by more than it scatters.' : <><Size change={history.changes[newest]!} at={`${at}/changes/${newest}`} />, {place(history, history.changes[newest]!)}.</>}</dd></div>
          {newest > 0 ? <div class="sentence"><dt>Before it</dt><dd>{plural(newest, 'change')}: {[slower, (change: Change) => !slower(change)].map((is, i) => [history.changes.slice(0, newest).filter(is).length, i ? 'faster' : 'slower']).filter(([count]) => count).map((words) => words.join(' ')).join(', ')}.</dd></div> : null}
        </dl>
          {history.ordered_by === 'time' && last > 0 ? <p class="note">Commits are ordered by their times, as git does not know them here.</p> : null}</div>
        <div class="charts"><Timeline history={history} at={at} chosen={chosen} choose={choose} />
          {chosen >= 0 ? <p><button type="button" onClick={() => choose(-1)}>Show all commits</button></p> : null}</div>
      </section> : <section><p class="empty">No run can stand for a commit.</p></section>}
      {history?.changes.length ? <section class="findings" aria-labelledby="changes-title"><h2 id="changes-title">Changes <small>newest first; choose one to see what it consists of</small></h2>
        <ol>{history.changes.map((change, i) => <OneChange key={i} history={history} change={change} at={`${at}/changes/${i}`} open={i === chosen} toggle={() => choose(i === chosen ? -1 : i)} />).reverse()}</ol></section> : null}
      {leftOut.length ? <section class="left-out" aria-labelledby="left-out-title"><h2 id="left-out-title">Left out</h2><ul>{leftOut.map((one, i) => <li key={i}><Figure of={`history#/left_out/${i}/runs`} value={one.runs} form="count" /> {one.runs === 1 ? 'run' : 'runs'}: {one.reason}</li>)}</ul></section> : null}
    </main>
    <HistoryHelp dialog={help} />
  </>;
}
