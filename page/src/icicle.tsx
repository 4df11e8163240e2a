// The call tree as an icicle: callers above, what they call below, as wide as the metric. It shows the same selection as the
// table: what is hidden there is hidden here, and what a search does not find is pale.
import {hierarchy, partition} from 'd3-hierarchy';
import {useMemo} from 'preact/hooks';
import {categoryTitles, ofCategory} from './colours';
import {formatted} from './format';
import {sumOf, type Metric} from './metrics';
import {cutName, widthAt} from './names';
import {useWidth} from './size';
import {categoryOf, type Category, type Node, type Tree} from './tree';

const rowHeight = 24, narrowest = 2;
interface Item { node: Node | null; children: Item[] }

export interface Selection { tree: Tree; metric: Metric; shown: (node: Node) => boolean; found: (node: Node) => boolean; searching: boolean }

export function Icicle({selection, chosen, zoom, choose, zoomTo}: {
  selection: Selection; chosen: Node | null; zoom: Node | null; choose: (node: Node) => void; zoomTo: (node: Node | null) => void;
}) {
  const [box, width] = useWidth(900);
  const {tree, metric, shown, found, searching} = selection;
  const laid = useMemo(() => {
    const item = (node: Node): Item => ({node, children: node.children.filter((child) => shown(child) && sumOf(child, metric) > 0).map(item)});
    const top: Item = zoom ? item(zoom) : {node: null, children: tree.roots.filter((root) => sumOf(root, metric) > 0).map(item)};
    const root = hierarchy(top, (d) => d.children);
    root.each((d) => { (d as {value?: number}).value = d.data.node ? sumOf(d.data.node, metric) : d.children?.reduce((sum, child) => sum + sumOf(child.data.node!, metric), 0) ?? 0; });
    root.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    return partition<Item>().size([1, root.height + 1])(root);
  }, [tree, metric, shown, zoom]);
  const widthOf = useMemo(() => widthAt(12), []);
  const skip = zoom ? 0 : 1;
  const all = laid.descendants().filter((d) => d.data.node && (d.x1 - d.x0) * width >= narrowest);
  const depth = Math.max(1, ...all.map((d) => d.depth + 1 - skip)), height = depth * rowHeight;
  const present = new Set<Category>(all.map((d) => categoryOf(d.data.node!.path.kind)));
  const keys = (event: KeyboardEvent) => {
    const node = chosen ?? tree.roots[0]!;
    const siblings = (node.parent?.children ?? tree.roots).filter((other) => shown(other)).sort((a, b) => sumOf(b, metric) - sumOf(a, metric));
    const next = event.key === 'ArrowUp' ? node.parent : event.key === 'ArrowDown' ? [...node.children].filter(shown).sort((a, b) => sumOf(b, metric) - sumOf(a, metric))[0]
      : event.key === 'ArrowRight' ? siblings[siblings.indexOf(node) + 1] : event.key === 'ArrowLeft' ? siblings[siblings.indexOf(node) - 1] : null;
    if (event.key === 'Enter') zoomTo(zoom === node ? null : node);
    else if (event.key === 'Escape') zoomTo(null);
    else if (next) choose(next);
    else return;
    event.preventDefault();
  };
  return <div class="icicle" ref={box}>
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} tabindex={0} role="application" aria-label="Call tree as an icicle; arrows choose, Enter zooms, Escape shows all" onKeyDown={keys}>
      {all.map((d) => {
        const node = d.data.node!, left = d.x0 * width, wide = (d.x1 - d.x0) * width, label = wide > 30 ? cutName(node.name, wide - 9, widthOf) : '';
        return <g key={node.id} transform={`translate(${left},${(d.depth - skip) * rowHeight})`} class={`${node === chosen ? 'chosen' : ''}${searching && !found(node) ? ' pale' : ''}`}
          data-id={node.id} onClick={() => choose(node)} onDblClick={() => zoomTo(zoom === node ? null : node)}>
          <title>{`${node.path.path.join(' > ')}\n${formatted(sumOf(node, metric), metric.form)}`}</title>
          <rect width={Math.max(1, wide - 1)} height={rowHeight - 1} rx="2" fill={ofCategory[categoryOf(node.path.kind)]} />
          {label ? <text x="5" y={rowHeight / 2} dy="0.32em">{label}</text> : null}
        </g>;
      })}
    </svg>
    <ul class="legend">{[...present].map((category) => <li key={category}><span class="swatch" style={{background: ofCategory[category]}} />{categoryTitles[category]}</li>)}
      {zoom ? <li><button type="button" onClick={() => zoomTo(null)}>Show all</button></li> : null}</ul>
  </div>;
}
