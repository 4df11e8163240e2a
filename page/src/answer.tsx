// The first screen, for who decides: three sentences, what to do first, and the curve and the ledger behind them.
import {Bounds} from './bounds';
import {Change} from './change';
import type {Prediction, Report, Warning} from './documents';
import {EstimateFigure, Figure} from './figure';
import {counted} from './format';
import {Ledger} from './ledger';
import {Linked, type Links} from './pathlink';
import {RankParts} from './rankparts';
import {sizeOf, Speedup} from './speedup';
import type {Tree} from './tree';

const changesOf = (prediction: Prediction): string[] => Array.isArray(prediction.changes) ? prediction.changes : [String(prediction.changes)];

function Sentence({label, text, links}: {label: string; text: string | undefined; links: Links}) {
  if (!text) return null;
  return <div class="sentence"><dt>{label}</dt><dd><Linked text={text.charAt(0).toUpperCase() + text.slice(1)} links={links} />{/[.!?]$/.test(text) ? '' : '.'}</dd></div>;
}

// Of these the times themselves are doubtful, so they are said before what follows from the times.
const doubts = new Set(['busy_machine', 'oversubscribed', 'mixed_programs', 'mixed_mpi', 'mixed_threads', 'mixed_interval', 'other_threads', 'clock', 'overhead', 'budget', 'unreliable']);

function Doubts({warnings}: {warnings: Warning[]}) {
  if (!warnings.length) return null;
  return <div class="beware doubts" role="note" aria-label="Doubtful figures"><strong>Take these figures with care</strong>
    <ul>{warnings.map((warning, i) => <li key={i}>{warning.text}</li>)}</ul></div>;
}

function Notes({warnings, isAll}: {warnings: Warning[]; isAll: boolean}) {
  if (!warnings.length) return null;
  return <details class="beware" open={isAll && warnings.length === 1}><summary>{isAll && warnings.length === 1 ? 'Beware' : `Beware: ${counted(warnings.length, isAll ? 'note' : 'more note')}`}</summary>
    <ul>{warnings.map((warning, i) => <li key={i}>{warning.text}</li>)}</ul></details>;
}

function Sizes({report, at}: {report: Report; at: string}) {
  return <div class="scroll" tabIndex={0} role="region" aria-label="Sizes"><table class="sizes">
    <thead><tr><th scope="col">{report.grid ? 'Cores' : 'Ranks'}</th><th scope="col">Time</th><th scope="col">Speedup</th><th scope="col">Efficiency</th></tr></thead>
    <tbody>{report.points.map((point, i) => <tr key={i} class={point.oversubscribed ? 'oversubscribed' : undefined}>
      <th scope="row"><Figure of={`${at}/points/${i}/${point.cores === undefined ? 'ranks' : 'cores'}`} value={sizeOf(point)} form="count" />
        {point.oversubscribed ? <abbr title="oversubscribed: more ranks than cores">*</abbr> : null}</th>
      <td><EstimateFigure of={`${at}/points/${i}/time_s`} value={point.time_s} form="seconds" brief /></td>
      <td><EstimateFigure of={`${at}/points/${i}/speedup`} value={point.speedup} form="times" brief /></td>
      <td><EstimateFigure of={`${at}/points/${i}/efficiency`} value={point.efficiency} form="share" brief /></td>
    </tr>)}</tbody></table></div>;
}

export function Answer({report, at, tree, links, chosen, choose}: {report: Report; at: string; tree: Tree | null; links: Links; chosen: number; choose: (size: number) => void}) {
  const {answers} = report;
  const isOneSize = report.points.length < 2, said = [answers.limit, answers.lost, answers.first].join(' ');
  const doubtful = report.warnings.filter(({id}) => doubts.has(id)), notes = report.warnings.filter(({id}) => !doubts.has(id));
  const base = counted(report.base?.ranks ?? 1, 'rank'), ofGains = {...links, ranks: report.what_if?.ranks};
  const candidates = (report.what_if?.candidates ?? []).slice(0, 3);
  return <section class="answer" aria-labelledby="answer-title">
    <h2 id="answer-title" class="away">Answer</h2>
    <div class="say">
      <Doubts warnings={doubtful} />
      <dl class="sentences">
        <Sentence label="Speed" text={answers.speed} links={links} />
        {isOneSize ? null : <><Sentence label="Limit" text={answers.limit} links={links} /><Sentence label="Lost" text={answers.lost} links={links} /></>}
      </dl>
      {answers.first ? <div class="first"><h3>Do first</h3><p><Linked text={answers.first} links={links} /></p>
        {candidates.length ? <><h4>What single changes would save of <Figure of={`${at}/what_if/time_s`} value={report.what_if!.time_s} form="seconds" /> at {counted(report.what_if!.ranks, 'rank')}</h4>
          <ul class="gains">{candidates.map((candidate, i) => <li key={i}><span class="brief" title={changesOf(candidate).join(', ')}>{changesOf(candidate).map((change, n) => <>{n ? ', ' : ''}<Change change={change} base={base} links={ofGains} /></>)}</span><strong><Bounds of={`${at}/what_if/candidates/${i}/gain_s`} gain={candidate.gain_s} /></strong></li>)}</ul></> : null}
      </div> : null}
      {/\bp x T\b|\bT would\b|\bT shrinks\b/.test(said) ? <p class="note">T: the time of the run. p x T: that of all p ranks together, whatever they did in it.</p> : null}
      {isOneSize && answers.speed ? <p class="note">Of one size: how the program scales, and what stops it, needs runs of several (<code>andes run --ranks 1,2,4</code>).</p> : null}
      <Notes warnings={notes} isAll={doubtful.length === 0} />
    </div>
    {isOneSize ? <div class="charts">{tree ? <RankParts tree={tree} /> : null}</div>
      : <div class="charts"><Speedup report={report} at={at} chosen={chosen} choose={choose} /><Ledger report={report} at={at} chosen={chosen} links={links} /><Sizes report={report} at={at} /></div>}
  </section>;
}
