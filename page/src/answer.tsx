// The first screen, for who decides: three sentences, what to do first, and the curve and the ledger behind them.
import type {Prediction, Report} from './documents';
import {EstimateFigure, Figure} from './figure';
import {Ledger} from './ledger';
import {sizeOf, Speedup} from './speedup';

const changesText = (prediction: Prediction): string =>
  Array.isArray(prediction.changes) ? prediction.changes.join(', ') : String(prediction.changes);

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

export function Answer({report, at, chosen, choose}: {report: Report; at: string; chosen: number; choose: (size: number) => void}) {
  const {answers} = report;
  const candidates = (report.what_if?.candidates ?? []).slice(0, 3);
  return <section class="answer" aria-labelledby="answer-title">
    <h2 id="answer-title" class="away">Answer</h2>
    <div class="say">
      <dl class="sentences">
        <Sentence label="Speed" text={answers.speed} />
        <Sentence label="Limit" text={answers.limit} />
        <Sentence label="Lost" text={answers.lost} />
      </dl>
      {answers.first ? <div class="first"><h3>Do first</h3><p>{answers.first}</p>
        {candidates.length ? <ul class="gains">{candidates.map((candidate, i) => <li key={i}><code>{changesText(candidate)}</code> would save{' '}
          <Figure of={`${at}/what_if/candidates/${i}/gain_s/low`} value={candidate.gain_s.low} form="seconds" /> to{' '}
          <Figure of={`${at}/what_if/candidates/${i}/gain_s/high`} value={candidate.gain_s.high} form="seconds" /> of{' '}
          <Figure of={`${at}/what_if/time_s`} value={report.what_if!.time_s} form="seconds" /></li>)}</ul> : null}
      </div> : null}
      {report.warnings.length ? <details class="beware" open={report.warnings.length === 1}><summary>{report.warnings.length === 1 ? 'Beware' : `Beware: ${report.warnings.length} notes`}</summary>
        <ul>{report.warnings.map((warning, i) => <li key={i}>{warning.text}</li>)}</ul></details> : null}
    </div>
    <div class="charts"><Speedup report={report} at={at} chosen={chosen} choose={choose} /><Ledger report={report} at={at} />
      <Sizes report={report} at={at} /></div>
  </section>;
}
