// Two builds side by side: did it help, and where.
import {Bounds} from './bounds';
import {Change} from './change';
import type {Comparison} from './documents';
import {EstimateFigure, Figure} from './figure';
import type {Links} from './pathlink';

const kept = {as_promised: 'as promised', more: 'more', less: 'less', not_realised: 'not realised', cannot_be_told: 'cannot be told'};

/** What the older build's what-if promised: what was asked for, and what was made; without any, what the runs do not tell. */
function Promises({comparison, at, links}: {comparison: Comparison; at: string; links: Links}) {
  const predictions = comparison.predictions;
  if (!predictions) return null;
  const most = 5, all = predictions.changes.map((change, i) => ({change, i}));
  const others = all.filter(({change}) => !change.asked);
  const untold = others.filter(({change}) => change.verdict === 'cannot_be_told');
  const rest = others.filter(({change}) => change.verdict === 'not_realised').length;
  const made = others.filter(({change}) => change.verdict !== 'not_realised' && change.verdict !== 'cannot_be_told').slice(0, most);
  const told = [...all.filter(({change}) => change.asked), ...made];
  const shown = told.length > 0 ? told : untold.slice(0, most);
  if (shown.length === 0) return null;
  const open = untold.filter((one) => !shown.includes(one)).length;
  const of = `${at}/predictions/changes`;
  return <>
    <h3>Promised and realised <small>gain of T, at {predictions.ranks} rank{predictions.ranks === 1 ? '' : 's'}{predictions.threads ? ` × ${predictions.threads} thread${predictions.threads === 1 ? '' : 's'}` : ''}</small></h3>
    <div class="scroll" tabIndex={0} role="region" aria-label="Promises of the earlier build"><table class="changes promises"><thead><tr><th scope="col">Change</th><th scope="col">Promised</th><th scope="col">Realised</th><th scope="col">Verdict</th></tr></thead>
      <tbody>{shown.map(({change, i}) => <tr key={i}><th scope="row">{change.changes.map((one, n) => <span key={n}>{n ? ' and ' : ''}<Change change={one} base="the smallest size" links={links} /></span>)}</th>
        <td><Bounds of={`${of}/${i}/predicted_gain_s`} gain={change.predicted_gain_s} /></td>
        <td><EstimateFigure of={`${of}/${i}/realised_gain_s`} value={change.realised_gain_s} form="seconds" /></td><td>{kept[change.verdict]}</td></tr>)}</tbody></table></div>
    {rest + open > 0 ? <p class="note">{[rest && `not realised: ${rest}`, open && `cannot be told with these runs: ${open}`].filter(Boolean).join('; ')
      .replace(/^./, (first) => first.toUpperCase())} more of its what-if; <code>andes diff --json</code> has them.</p> : null}
  </>;
}

/** A difference of which few runs do not tell whether it is chance is not "no difference". */
function wordsOf({verdict, change_percent: {kind, low = -Infinity, high = Infinity}}: Comparison['points'][number]): string {
  if (verdict !== 'undecided') return verdict;
  if (!kind) return 'undecided, as single runs do not tell';
  return low > 0 || high < 0 ? 'undecided, as so few runs do not tell' : 'no difference beyond noise';
}

export function Diff({comparison, at, links}: {comparison: Comparison; at: string; links: Links}) {
  const last = comparison.points.length - 1, point = comparison.points[last];
  const most = Math.max(...comparison.callpaths.map((path) => Math.abs(path.change_s.median)), 1e-12);
  const shown = comparison.callpaths.map((path, i) => ({path, i})).slice(0, 20).filter(({path}) => Math.abs(path.change_s.median) >= 0.005 * most);
  return <section class="diff" aria-labelledby="diff-title">
    <h2 id="diff-title">Did it help? <small>before: {comparison.before.build ?? comparison.before.files[0]}, after: {comparison.after.build ?? comparison.after.files[0]}</small></h2>
    {point ? <p class={`verdict ${point.verdict}`}>At {point.ranks} rank{point.ranks === 1 ? '' : 's'}: <strong>{wordsOf(point)}</strong>, <EstimateFigure of={`${at}/points/${last}/time_before_s`} value={point.time_before_s} form="seconds" brief /> before,{' '}
      <EstimateFigure of={`${at}/points/${last}/time_after_s`} value={point.time_after_s} form="seconds" brief /> after (<EstimateFigure of={`${at}/points/${last}/change_percent`} value={point.change_percent} form="percent" />)</p> : null}
    {comparison.notes?.map((note) => <p class="note" key={note}>Beware: {note}.</p>)}
    <div class="scroll" tabIndex={0} role="region" aria-label="Sizes of both builds"><table class="sizes"><thead><tr><th scope="col">Ranks</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Change</th><th scope="col">Verdict</th></tr></thead>
      <tbody>{comparison.points.map((one, i) => <tr key={i} class={one.oversubscribed ? 'oversubscribed' : undefined}><th scope="row"><Figure of={`${at}/points/${i}/ranks`} value={one.ranks} form="count" />{one.oversubscribed ? <abbr title="oversubscribed: more ranks than cores">*</abbr> : null}</th>
        <td><EstimateFigure of={`${at}/points/${i}/time_before_s`} value={one.time_before_s} form="seconds" brief /></td><td><EstimateFigure of={`${at}/points/${i}/time_after_s`} value={one.time_after_s} form="seconds" brief /></td>
        <td><EstimateFigure of={`${at}/points/${i}/change_percent`} value={one.change_percent} form="percent" /></td><td>{wordsOf(one)}</td></tr>)}</tbody></table></div>
    <h3>Call paths that changed most <small>own time, mean over ranks</small></h3>
    <div class="scroll" tabIndex={0} role="region" aria-label="Changes of call paths"><table class="changes"><thead><tr><th scope="col">Call path</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Change</th></tr></thead>
      <tbody>{shown.map(({path, i}) => <tr key={i}><th scope="row">{links.tree ? <button type="button" class="link brief" title={path.path.join(' > ')} onClick={() => links.choose(path.path)}>{path.path.join(' > ')}</button> : path.path.join(' > ')}</th>
        <td><Figure of={`${at}/callpaths/${i}/exclusive_before_s/median`} value={path.exclusive_before_s.median} form="seconds" estimated={path.estimated} reliable={path.reliable} /></td>
        <td><Figure of={`${at}/callpaths/${i}/exclusive_after_s/median`} value={path.exclusive_after_s.median} form="seconds" estimated={path.estimated} reliable={path.reliable} /></td>
        <td class={`change ${path.change_s.median > 0 ? 'grew' : 'shrank'}`}><span class="bar" style={{width: `${50 * Math.abs(path.change_s.median) / most}%`}} />{path.change_s.median > 0 ? '+' : ''}<Figure of={`${at}/callpaths/${i}/change_s/median`} value={path.change_s.median} form="seconds" /></td></tr>)}</tbody></table></div>
    {comparison.callpaths.length > shown.length ? <p class="note">{comparison.callpaths.length - shown.length} more changed by less; <code>andes diff --json</code> has them.</p> : null}
    <Promises comparison={comparison} at={at} links={{...links, ranks: comparison.predictions?.ranks}} />
  </section>;
}
