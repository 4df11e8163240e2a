// The first screen, for who decides: three sentences, what to do first, and the curve and the ledger behind them.
import type {Prediction, Report} from './documents';
import {EstimateFigure, Figure} from './figure';
import {formatted} from './format';
import {Ledger} from './ledger';
import {RankParts} from './rankparts';
import {sizeOf, Speedup} from './speedup';
import type {Tree} from './tree';

/** A change that `--if` names, in words. */
function words(change: string): string {
  const faster = change.match(/^(.*) x([\d.]+)$/), other = change.match(/^(balance|parallel|no-wait) (.*)$/);
  if (faster) return `${faster[1]} ${faster[2]} times as fast`;
  switch (other?.[1]) {
    case 'balance': return `${other[2]} with even work on all ranks`;
    case 'parallel': return `${other[2]} shared by all ranks`;
    case 'no-wait': return `no waiting in ${other[2]}`;
    default: return change;
  }
}
const changesText = (prediction: Prediction): string => (Array.isArray(prediction.changes) ? prediction.changes : [String(prediction.changes)]).map(words).join(', ');

/** What would be saved; one number where the two ends look the same. */
function Saved({of, gain}: {of: string; gain: {low: number; high: number}}) {
  return <>{formatted(gain.low, 'seconds') === formatted(gain.high, 'seconds') ? null : <><Figure of={`${of}/low`} value={gain.low} form="seconds" /> to{' '}</>}<Figure of={`${of}/high`} value={gain.high} form="seconds" /></>;
}

function Sentence({label, text}: {label: string; text: string | undefined}) {
  if (!text) return null;
  return <div class="sentence"><dt>{label}</dt><dd>{text.charAt(0).toUpperCase() + text.slice(1)}{/[.!?]$/.test(text) ? '' : '.'}</dd></div>;
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

export function Answer({report, at, tree, chosen, choose}: {report: Report; at: string; tree: Tree | null; chosen: number; choose: (size: number) => void}) {
  const {answers} = report;
  const isOneSize = report.points.length < 2, said = [answers.limit, answers.lost, answers.first].join(' ');
  const candidates = (report.what_if?.candidates ?? []).slice(0, 3);
  return <section class="answer" aria-labelledby="answer-title">
    <h2 id="answer-title" class="away">Answer</h2>
    <div class="say">
      <dl class="sentences">
        <Sentence label="Speed" text={answers.speed} />
        {isOneSize ? null : <><Sentence label="Limit" text={answers.limit} /><Sentence label="Lost" text={answers.lost} /></>}
      </dl>
      {answers.first ? <div class="first"><h3>Do first</h3><p>{answers.first}</p>
        {candidates.length ? <><h4>What single changes would save of <Figure of={`${at}/what_if/time_s`} value={report.what_if!.time_s} form="seconds" /> at {report.what_if!.ranks} rank{report.what_if!.ranks === 1 ? '' : 's'}</h4>
          <ul class="gains">{candidates.map((candidate, i) => <li key={i}><span class="brief" title={changesText(candidate)}>{changesText(candidate)}</span><strong><Saved of={`${at}/what_if/candidates/${i}/gain_s`} gain={candidate.gain_s} /></strong></li>)}</ul></> : null}
      </div> : null}
      {/\bp x T\b|\bT would\b|\bT shrinks\b/.test(said) ? <p class="note">T: the time of the run. p x T: that of all p ranks together, whatever they did in it.</p> : null}
      {isOneSize && answers.speed ? <p class="note">Of one size: how the program scales, and what stops it, needs runs of several (<code>andes run --ranks 1,2,4</code>).</p> : null}
      {report.warnings.length ? <details class="beware" open={report.warnings.length === 1}><summary>{report.warnings.length === 1 ? 'Beware' : `Beware: ${report.warnings.length} notes`}</summary>
        <ul>{report.warnings.map((warning, i) => <li key={i}>{warning.text}</li>)}</ul></details> : null}
    </div>
    {isOneSize ? <div class="charts">{tree ? <RankParts tree={tree} /> : null}</div>
      : <div class="charts"><Speedup report={report} at={at} chosen={chosen} choose={choose} /><Ledger report={report} at={at} chosen={chosen} /><Sizes report={report} at={at} /></div>}
  </section>;
}
