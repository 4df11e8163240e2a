// What is known of the chosen call path: how it scales, its ranks, its source, and who waits there.
import type {Cells} from './cells';
import {Cells as CellsOf} from './cells';
import {Curve, type Sized} from './curve';
import type {Finding} from './documents';
import {Figure} from './figure';
import {counted} from './format';
import {certaintyOf, time, valueOf, type Metric} from './metrics';
import {Ranks} from './ranks';
import {lineage, type Node, type Tree} from './tree';

export function Detail({tree, node, whyChosen, present, metric, cells, place, choosePlace, sizes, findings, findingsRanks, openFinding, isDark, choose}: {
  tree: Tree; node: Node; whyChosen: string | null; present: Metric[]; metric: Metric; cells: Cells | null; place: number; choosePlace: (place: number) => void; sizes: Sized[];
  findings: Finding[]; findingsRanks?: number; openFinding: (finding: number) => void; isDark: boolean; choose: (node: Node) => void;
}) {
  const here = findings.map((finding, i) => ({finding, i})).filter(({finding}) => finding.path.join('\0') === node.path.path.join('\0'));
  const byRank = CellsOf.has(metric) ? metric : time;
  return <aside class="detail" aria-labelledby="chosen-title">
    <h3 id="chosen-title">Chosen call path {whyChosen ? <small>{whyChosen}</small> : null}</h3>
    <nav class="trail" aria-label="Callers">{lineage(node).map((one, i) => <span key={one.id}>{i ? ' › ' : ''}<button type="button" class="link" aria-current={one === node} onClick={() => choose(one)}>{one.name}</button></span>)}</nav>
    <dl class="facts">{present.filter((one) => (valueOf(node, one) ?? 0) !== 0).map((one) => <div key={one.id} title={one.means}><dt>{one.title}</dt>
      <dd><Figure of={`${tree.name}#/callpaths/${node.at}/${one.key}`} value={valueOf(node, one)} form={one.form} {...certaintyOf(node, one)} /></dd></div>)}
      {node.path.instructions_per_cycle !== undefined ? <div title="callees included"><dt>Instructions per cycle</dt><dd><Figure of={`${tree.name}#/callpaths/${node.at}/instructions_per_cycle`} value={node.path.instructions_per_cycle} form="ratio" /></dd></div> : null}
      <div title="of the inclusive time over ranks"><dt>Longest rank</dt><dd><Figure of={`${tree.name}#/callpaths/${node.at}/max_s`} value={node.path.max_s} form="seconds" {...certaintyOf(node, time)} /></dd></div>
      {node.path.load_balance !== undefined ? <div title="mean / maximum over ranks of the time outside MPI"><dt>Balance</dt><dd><Figure of={`${tree.name}#/callpaths/${node.at}/load_balance`} value={node.path.load_balance} form="ratio" {...certaintyOf(node, time)} /></dd></div> : null}
    </dl>
    {node.path.estimated && node.path.inclusive_s_low !== undefined ? <p class="note estimated">Estimated: not every visit was timed. 95 % interval <Figure of={`${tree.name}#/callpaths/${node.at}/inclusive_s_low`} value={node.path.inclusive_s_low} form="seconds" /> to{' '}
      <Figure of={`${tree.name}#/callpaths/${node.at}/inclusive_s_high`} value={node.path.inclusive_s_high} form="seconds" />{node.path.reliable === false ? '; too uncertain to rely on' : ''}.</p> : null}
    {node.path.visits_low !== undefined && node.path.visits_high !== undefined ? <p class="note estimated">Not every visit was counted. 95 % interval <Figure of={`${tree.name}#/callpaths/${node.at}/visits_low`} value={node.path.visits_low} form="count" /> to{' '}
      <Figure of={`${tree.name}#/callpaths/${node.at}/visits_high`} value={node.path.visits_high} form="count" /> visits.</p> : null}
    <Curve sizes={sizes} chosen={tree} />
    {cells ? <Ranks cells={cells} node={node} metric={byRank} place={place} choose={choosePlace} isDark={isDark} /> : null}
    {here.length ? <ul class="here" aria-label="Waiting here">{here.map(({finding, i}) => <li key={i}><button type="button" class="link" onClick={() => openFinding(i)}>{findingsRanks === undefined ? 'Ranks wait here' : `At ${counted(findingsRanks, 'rank')}, ranks wait here`}: {finding.title || finding.cause}</button></li>)}</ul> : null}
  </aside>;
}
