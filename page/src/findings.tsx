// Why ranks wait: each finding with what removing it would save, and the source lines of both sides.
import {useState} from 'preact/hooks';
import type {Finding, Peer, Sources} from './documents';
import {Figure} from './figure';
import {counted} from './format';
import {backgroundOf} from './look';
import {placeText, Source} from './source';

const least = 0.1; // per cent: smaller ones are shown on request
const pathText = (path: string[]): string => path.length ? path.join(' > ') : '(not known)';

interface Place { title: string; path: string[]; file?: string; line?: number; rank?: number }

/** The places of a finding, each source once: without places of calls all of them may be in one function. */
function Sides({places, sources}: {places: Place[]; sources: Sources | null}) {
  const placeOf = ({file, line}: Place) => `${file}:${line}`;
  const isOne = places.every((one) => !one.file || placeOf(one) === placeOf(places[0]!));
  return <>
    <div class="sides">{places.map((one, i) => {
      const before = places.slice(0, i).find((other) => one.file && placeOf(other) === placeOf(one));
      return <div key={one.title} class="side"><h4>{one.title}{one.rank !== undefined ? `, rank ${one.rank}` : ''}</h4><p class="path brief" title={pathText(one.path)}>{pathText(one.path)}</p>
        {isOne || !one.file ? null : before ? <p class="note">{placeText(one.file, one.line)}, as at “{before.title}”</p> : <Source sources={sources} file={one.file} line={one.line} />}</div>;
    })}</div>
    {isOne ? <Source sources={sources} file={places[0]!.file} line={places[0]!.line} /> : null}
  </>;
}

function One({finding, at, sources, open, toggle, choose}: {
  finding: Finding; at: string; sources: Sources | null; open: boolean; toggle: () => void; choose: (path: string[]) => void;
}) {
  const waiting = finding.ranks?.[0]?.rank; // where two wait for each other, its partner is the other one
  const peer: Peer | undefined = finding.peers?.find((one) => one.rank !== waiting) ?? finding.peers?.[0], origin: Peer | undefined = finding.origins?.[0];
  const cause = [origin, peer].find((one) => one && one.path.length && pathText(one.path) !== pathText(finding.path));
  const other = origin && peer && pathText(origin.path) !== pathText(peer.path) ? origin : undefined;
  const places: Place[] = [{...finding, title: 'Waits', rank: waiting}, ...(peer ? [{...peer, title: 'Waited for'}] : []), ...(other ? [{...other, title: 'Began at'}] : []),
    ...(origin?.doing_path ? [{path: origin.doing_path, rank: origin.rank, title: origin.doing === 'input_output' ? 'Late after input or output' : 'Late after computing'}] : [])];
  return <li class={`finding${open ? ' open' : ''}`}>
    <button type="button" class="head" aria-expanded={open} onClick={toggle}>
      <span class="title"><span class="twisty" aria-hidden="true">{open ? '▾' : '▸'}</span>{finding.title || finding.cause}</span>
      <span class="where brief" title={pathText(finding.path)}>{pathText(finding.path)}{finding.file ? ` (${placeText(finding.file, finding.line)})` : ''}{cause ? <>, for {cause.rank !== undefined ? `rank ${cause.rank} in ` : ''}{pathText(cause.path)}</> : null}</span>
      <span class="severity"><span class="bar" style={{width: `${Math.min(100, finding.percent)}%`, background: backgroundOf(`idle_${finding.cause}`)}} /><Figure of={`${at}/percent`} value={finding.percent} form="percent" title={`of ${finding.percent_of ?? 'the time of all ranks'}`} /></span>
      <span class="gain">saves <Figure of={`${at}/gain_s/${finding.gain_s.value === undefined ? 'high' : 'value'}`} value={finding.gain_s.value ?? finding.gain_s.high} form="seconds" /></span>
    </button>
    {open ? <div class="body">
      <p>{finding.description}</p>{finding.advice ? <p class="advice">{finding.advice}</p> : null}
      <p class="note">Ranks waited <Figure of={`${at}/severity_s`} value={finding.severity_s} form="seconds" /> in sum; without, the run would be{' '}
        <Figure of={`${at}/gain_s/low`} value={finding.gain_s.low} form="seconds" /> to <Figure of={`${at}/gain_s/high`} value={finding.gain_s.high} form="seconds" /> shorter.</p>
      <Sides places={places} sources={sources} />
      {finding.path[0] !== '(program)' ? <button type="button" onClick={() => choose(finding.path)}>Show in the call tree</button> : null}
    </div> : null}
  </li>;
}

/** `ranks`: of the run that the findings are of; `others`: of the one that is looked at, if that is another one. */
export function Findings({findings, at, whyNot, ranks, others, sources, open, setOpen, choose}: {
  findings: Finding[]; at: string; whyNot?: string; ranks: number; others?: number; sources: Sources | null; open: number; setOpen: (finding: number) => void; choose: (path: string[]) => void;
}) {
  const [all, setAll] = useState(false), large = findings.filter((finding) => finding.percent >= least).length;
  const shown = all || large === 0 ? findings.slice(0, 30) : findings.slice(0, 30).filter((finding, i) => finding.percent >= least || i === open), hidden = Math.min(30, findings.length) - shown.length;
  if (ranks === 1 && findings.length === 0) return null; // there is none to wait for
  return <section class="findings" aria-labelledby="findings-title">
    <h2 id="findings-title">Why ranks wait <small>at {counted(ranks, 'rank')}{others === undefined ? '' : ` (the call tree above: ${counted(others, 'rank')})`}; share of {findings[0]?.percent_of ?? 'the time of all ranks'}, and how much shorter the run would be without</small></h2>
    {whyNot ? <p class="empty">Waits were not measured: {whyNot}.</p> : findings.length === 0 ? <p class="empty">No rank waited for long.</p> : null}
    <ol>{shown.map((finding) => [finding, findings.indexOf(finding)] as const).map(([finding, i]) => <One key={i} finding={finding} at={`${at}/${i}`} sources={sources} open={open === i} toggle={() => setOpen(open === i ? -1 : i)} choose={choose} />)}</ol>
    {hidden > 0 ? <button type="button" onClick={() => setAll(true)}>Show {hidden} of less than {least} %</button> : null}
    {findings.length > 30 ? <p class="note">{findings.length - 30} smaller ones are in <code>andes diagnose --all</code>.</p> : null}
  </section>;
}
