// What the keys do, and what the marks mean.
import type {ComponentChildren, RefObject} from 'preact';

type Keys = [string, string][];
const keys: Keys = [
  ['Tab', 'to the next part of the page'], ['↑ ↓', 'call path above, below'], ['→ ←', 'unfold, fold; to the callee, to the caller'], ['Enter', 'fold or unfold; in the icicle: zoom'],
  ['Shift + → ←', 'next rank, rank before'], ['Home End', 'first, last'], ['/', 'search'], ['?', 'these keys'], ['Esc', 'close; in the icicle: show all'],
];
const historyKeys: Keys = [
  ['Tab', 'to the next part of the page'], ['→ ←', 'in the curve: next commit, commit before'], ['Home End', 'first, last'], ['Enter', 'a change: open and close it'], ['Esc', 'close; in the curve: show all commits'],
];

function Dialog({dialog, list, children}: {dialog: RefObject<HTMLDialogElement>; list: Keys; children?: ComponentChildren}) {
  return <dialog ref={dialog} aria-labelledby="help-title"><h2 id="help-title">Keys</h2>
    <dl class="keys">{list.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
    <p>The address of the page holds what you look at: copy it to share it.</p>
    {children}
    <button type="button" onClick={() => dialog.current?.close()}>Close</button></dialog>;
}

export function HistoryHelp({dialog}: {dialog: RefObject<HTMLDialogElement>}) { return <Dialog dialog={dialog} list={historyKeys} />; }

export function Help({dialog}: {dialog: RefObject<HTMLDialogElement>}) {
  return <Dialog dialog={dialog} list={keys}>
    <p><span class="figure estimated"><span class="mark">~</span></span> estimated, as not every visit was timed, or counted; <span class="figure unreliable"><span class="mark">?</span></span> an estimate too uncertain to rely on; <abbr title="oversubscribed">*</abbr> more ranks than cores; – not measured.</p>
  </Dialog>;
}
