// The call tree as a table: sorted, searched, folded, and without what is small. Beside each call path the values of all
// ranks, as a row of a heat map. Rows that are not on the screen are not made.
import {createTable, getCoreRowModel, getExpandedRowModel, getFilteredRowModel, getSortedRowModel, type ColumnDef, type FilterFn, type Row, type TableState} from '@tanstack/table-core';
import {elementScroll, observeElementOffset, observeElementRect, Virtualizer} from '@tanstack/virtual-core';
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Cells} from './cells';
import {paint} from './colours';
import {Figure} from './figure';
import {percent} from './format';
import type {Selection} from './icicle';
import {certaintyOf, time, valueOf, wholeOf, sumOf, type Metric} from './metrics';
import {cutName, widthAt} from './names';
import {useWidth} from './size';
import {categoryOf, type Node} from './tree';
import {ofCategory} from './colours';

const rowHeight = 28;

export interface Strips { cells: Cells; metric: Metric; sameScale: boolean; isDark: boolean; place: number; choosePlace: (node: Node, place: number) => void }

/** The values of all ranks in one call path. */
function Strip({node, strips, max}: {node: Node; strips: Strips; max: number}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const row = strips.cells.of(node, strips.metric);
  const top = strips.sameScale ? max : row ? row.reduce((a, b) => Math.max(a, b), 0) : 0;
  useLayoutEffect(() => {
    if (row && canvas.current) paint(canvas.current, row.length, 1, row, top, strips.isDark);
  }, [row, top, strips.isDark]);
  if (!row) return null;
  const at = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return Math.min(row.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * row.length)));
  };
  return <span class="strip"><canvas ref={canvas} onClick={(event) => { event.stopPropagation(); strips.choosePlace(node, at(event)); }}
    onMouseMove={(event) => { const i = at(event); canvas.current!.title = `${strips.cells.name(i)}: about ${row[i]!.toPrecision(2)} s`; }} />
    {strips.place >= 0 && strips.place < row.length ? <span class="cursor" style={{left: `${(strips.place + 0.5) / row.length * 100}%`}} /> : null}</span>;
}

/** A name with what is searched for in it; cut to the room that there is, unless that is what would be cut off. */
function Marked({name, room, widthOf, find}: {name: string; room: number; widthOf: (text: string) => number; find: string}) {
  const cut = cutName(name, room, widthOf), text = find && name.toLowerCase().includes(find) && !cut.toLowerCase().includes(find) ? name : cut;
  const at = find ? text.toLowerCase().indexOf(find) : -1;
  if (at < 0) return <>{text}</>;
  return <>{text.slice(0, at)}<mark>{text.slice(at, at + find.length)}</mark>{text.slice(at + find.length)}</>;
}

const headOf = (title: string): string => title.replace('Communication', 'Comm.').replace('Input/output', 'I/O').replace('Bytes sent', 'Bytes');
interface Column { id: string; title: string; metric?: Metric; means: string }
const columnsFor = (present: Metric[], metric: Metric): Column[] => {
  const wanted = ['time', 'own', 'communication', 'waiting', 'io', 'visits'];
  const shown = present.filter((one) => wanted.includes(one.id) || one === metric);
  return [...shown.map((one) => ({id: one.id, title: one.title, metric: one, means: one.means})),
    {id: 'balance', title: 'Balance', means: 'mean / maximum over ranks of the time outside MPI; 1 is even'}];
};

export function CallTree({selection, present, strips, chosen, follow, choose, sort, setSort, folded, fold, find}: {
  selection: Selection; present: Metric[]; strips: Strips | null; chosen: Node | null; follow: boolean; choose: (node: Node) => void;
  sort: string; setSort: (sort: string) => void; folded: Set<number>; fold: (nodes: Node[], closed: boolean) => void; find: string;
}) {
  const {tree, metric, shown, found, searching} = selection;
  const columns = useMemo(() => columnsFor(present, metric), [present, metric]);
  const table = useMemo(() => {
    const keep: FilterFn<Node> = (row) => shown(row.original) && (!searching || found(row.original));
    const defs: ColumnDef<Node>[] = [
      {id: 'path', accessorFn: (node) => node.name, filterFn: keep, sortingFn: 'text'},
      ...columns.map((column): ColumnDef<Node> => ({id: column.id, sortUndefined: 'last',
        accessorFn: (node) => column.metric ? valueOf(node, column.metric) : node.path.load_balance})),
    ];
    return createTable<Node>({data: tree.roots, columns: defs, getSubRows: (node) => node.children, getRowId: (node) => String(node.id),
      getCoreRowModel: getCoreRowModel(), getFilteredRowModel: getFilteredRowModel(), getSortedRowModel: getSortedRowModel(),
      getExpandedRowModel: getExpandedRowModel(), filterFromLeafRows: true, maxLeafRowFilterDepth: 1e6, autoResetAll: false,
      state: {}, onStateChange: () => undefined, renderFallbackValue: null});
  }, [tree, columns, shown, found, searching]);
  const [key, down] = sort ? [sort.replace(/^-/, ''), sort.startsWith('-')] : [metric.id, true];
  const rows = useMemo(() => {
    const expanded: Record<string, boolean> = {};
    for (const node of tree.nodes) if (!folded.has(node.id)) expanded[node.id] = true;
    const state: TableState = {...table.initialState, expanded, columnFilters: [{id: 'path', value: true}], sorting: [{id: key, desc: down}]};
    table.setOptions((before) => ({...before, state}));
    return table.getRowModel().rows;
  }, [table, tree, folded, key, down]);

  const [pathHead, pathWidth] = useWidth(230), widthOf = useMemo(() => widthAt(parseFloat(getComputedStyle(document.body).fontSize)), [pathWidth]);
  const scroller = useRef<HTMLDivElement>(null);
  const [hasMore, setHasMore] = useState(false); // columns at the right that are not in view
  const look = () => { const box = scroller.current; if (box) setHasMore(box.scrollLeft + box.clientWidth < box.scrollWidth - 2); };
  const [, redraw] = useState(0);
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>({count: 0, getScrollElement: () => scroller.current, estimateSize: () => rowHeight,
    observeElementRect, observeElementOffset, scrollToFn: elementScroll}));
  virtualizer.setOptions({count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 8, observeElementRect,
    observeElementOffset, scrollToFn: elementScroll, onChange: () => redraw((n) => n + 1)});
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(look, [pathWidth, columns]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => virtualizer._willUpdate());
  const place = chosen ? rows.findIndex((row) => row.original === chosen) : -1;
  useEffect(() => { if (follow && place >= 0) virtualizer.scrollToIndex(place, {align: 'auto'}); }, [place, follow]);

  const max = useMemo(() => {
    if (!strips?.sameScale) return 0;
    let largest = 0;
    for (const root of tree.roots) for (const value of strips.cells.of(root, strips.metric) ?? []) largest = Math.max(largest, value);
    return largest;
  }, [strips, tree]);
  const whole = wholeOf(tree, metric);
  const wholeName = metric.form === 'seconds' ? `${tree.name}#/run/thread_time_s` : undefined;
  const keys = (event: KeyboardEvent) => {
    const at = place < 0 ? 0 : place, row = rows[at];
    if (!row) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 2);
    const to = {ArrowDown: place < 0 ? 0 : at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + page, PageUp: at - page}[event.key];
    if (strips && event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const last = strips.cells.locations.length - 1;
      strips.choosePlace(row.original, Math.min(last, Math.max(0, strips.place + (event.key === 'ArrowRight' ? 1 : -1))));
    } else if (event.key === 'ArrowRight') {
      if (folded.has(row.original.id)) fold([row.original], false);
      else if (row.subRows.length) choose(rows[at + 1]!.original);
    } else if (event.key === 'ArrowLeft') {
      if (row.subRows.length && !folded.has(row.original.id)) fold([row.original], true);
      else if (row.original.parent) choose(row.original.parent);
    } else if (event.key === 'Enter' || event.key === ' ') fold([row.original], !folded.has(row.original.id));
    else if (to !== undefined) choose(rows[Math.min(rows.length - 1, Math.max(0, to))]!.original);
    else return;
    event.preventDefault();
  };
  const header = (id: string, title: string, means: string) => {
    const sorted = key === id;
    return <div key={id} role="columnheader" class={`cell ${id}`} ref={id === 'path' ? pathHead : undefined} aria-sort={sorted ? (down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" title={means} onClick={() => setSort(sorted ? `${down ? '' : '-'}${id}` : id === 'path' ? 'path' : `-${id}`)}>{title}
        <span class="arrow" aria-hidden="true">{sorted ? (down ? '▾' : '▴') : ''}</span></button></div>;
  };
  const uneven = (node: Node): boolean => (node.path.load_balance ?? 1) < 0.8 && node.path.exclusive_s > 0.02 * tree.shown.run.thread_time_s;
  const cell = (node: Node, column: Column) => {
    if (!column.metric) return <Figure title={uneven(node) ? 'mean / maximum over ranks: the ranks have uneven work here' : undefined} of={`${tree.name}#/callpaths/${node.at}/load_balance`} value={node.path.load_balance} form="ratio" {...certaintyOf(node, time)} />;
    const value = valueOf(node, column.metric);
    if (value === 0) return <span class="zero">0</span>;
    return <Figure of={`${tree.name}#/callpaths/${node.at}/${column.metric.key}`} value={value} form={column.metric.form} {...certaintyOf(node, column.metric)} />;
  };
  const line = (row: Row<Node>, index: number, start: number) => {
    const node = row.original, depth = row.depth, indent = Math.min(depth, 40) * (pathWidth < 260 ? 8 : 14) + 4, share = whole > 0 ? sumOf(node, metric) / whole : 0, folds = row.subRows.length > 0;
    return <div key={node.id} id={`path-${node.id}`} role="row" class={`row${node === chosen ? ' chosen' : ''}`} style={{transform: `translateY(${start}px)`}}
      aria-level={depth + 1} aria-rowindex={index + 2} aria-selected={node === chosen} aria-expanded={folds ? !folded.has(node.id) : undefined} onClick={() => choose(node)}>
      <div role="gridcell" class="cell path" style={{paddingLeft: `${indent}px`}} title={node.path.path.join(' > ')}>
        <span class="twisty" onClick={(event) => { if (folds) { event.stopPropagation(); fold([node], !folded.has(node.id)); } }}>{folds ? (folded.has(node.id) ? '▸' : '▾') : ''}</span>
        <span class="swatch" style={{background: ofCategory[categoryOf(node.path.kind)]}} />
        <span class="name"><Marked name={node.name} room={pathWidth - indent - 42} widthOf={widthOf} find={find} /></span></div>
      <div role="gridcell" class="cell share"><span class="bar" style={{width: `${Math.min(100, 100 * share)}%`}} />
        {wholeName && !metric.own ? <Figure of={`${tree.name}#/callpaths/${node.at}/${metric.key}`} whole={wholeName} value={100 * share} form="percent" /> : <span>{percent(100 * share)}</span>}</div>
      <div role="gridcell" class="cell ranks">{strips ? <Strip node={node} strips={strips} max={max} /> : null}</div>
      {columns.map((column) => <div key={column.id} role="gridcell" class={`cell number ${column.id}${column.metric === undefined && uneven(node) ? ' uneven' : ''}`}>{cell(node, column)}</div>)}
    </div>;
  };
  const items = virtualizer.getVirtualItems();
  const rendered = chosen && items.some((item) => item.index === place);
  return <div class={`calltree-box${hasMore ? ' has-more' : ''}`}><div class="calltree" ref={scroller} onScroll={look} role="treegrid" aria-label="Call tree" aria-rowcount={rows.length + 1} tabIndex={0} onKeyDown={keys} style={{'--columns': columns.length, ...(strips ? {} : {'--ranks': '0px', '--ranks-most': '0px'})}}
    aria-activedescendant={rendered ? `path-${chosen.id}` : undefined}>
    <div role="row" class="row head" aria-rowindex={1}>
      {header('path', 'Call path', 'by name')}
      <div role="columnheader" class="cell share">Share</div>
      <div role="columnheader" class="cell ranks" title="the time of each rank, from the first at the left to the last at the right">{strips ? (strips.cells.locations.length === 1 ? 'One rank' : `${strips.cells.locations.length} ${strips.cells.locations.some((one) => one.thread > 0) ? 'threads' : 'ranks'}`) : ''}</div>
      {columns.map((column) => header(column.id, headOf(column.title), column.means))}
    </div>
    <div class="rows" role="rowgroup" style={{height: `${virtualizer.getTotalSize()}px`}}>
      {items.map((item) => line(rows[item.index]!, item.index, item.start))}
    </div>
    {rows.length === 0 ? <p class="empty">No call path is shown: search for less, or hide less.</p> : null}
  </div>{hasMore ? <p class="note hint">More columns at the right: scroll the table.</p> : null}</div>;
}
