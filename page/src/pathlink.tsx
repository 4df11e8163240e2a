// Call paths that the first screen names: links that choose them in the call tree.
import type {ComponentChildren} from 'preact';
import {useMemo} from 'preact/hooks';
import {keyOf, type Node, type Tree} from './tree';

/** `ranks`: the size that is spoken of. */
export type ChoosePath = (path: readonly string[], ranks?: number) => void;
export interface Links { tree: Tree | null; ranks?: number; choose: ChoosePath }

export function PathLink({path, links, children}: {path: readonly string[]; links: Links; children?: ComponentChildren}) {
  return <a class="path-link" href={`#path=${encodeURIComponent(keyOf(path))}`} title={`${path.join(' > ')}: show in the call tree`}
    onClick={(event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); links.choose(path, links.ranks); }}>
    {children ?? path.join(' > ')}</a>;
}

interface Place { at: number; text: string; path: string[] }

/** Call paths of two names or more that a text names, in its order. */
function placesIn(text: string, tree: Tree | null): Place[] {
  if (!tree || !text.includes(' > ')) return [];
  const found: Place[] = [];
  for (const {path: {path}} of tree.nodes) {
    if (path.length < 2) continue;
    const name = path.join(' > ');
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
      if (/^$|[\s(]$/.test(text.slice(0, at)) && /^(?! > )([\s,.:;)]|$)/.test(text.slice(at + name.length))) found.push({at, text: name, path});
  }
  return found.sort((a, b) => a.at - b.at || b.text.length - a.text.length)
    .filter((one, i, all) => !all.slice(0, i).some((before) => one.at < before.at + before.text.length));
}

/** A sentence in which call paths are links. */
export function Linked({text, links}: {text: string; links: Links}) {
  const places = useMemo(() => placesIn(text, links.tree), [text, links.tree]);
  let from = 0;
  return <>{places.map(({at, text: name, path}) => {
    const before = text.slice(from, at);
    from = at + name.length;
    return <>{before}<PathLink path={path} links={links} /></>;
  })}{text.slice(from)}</>;
}

/** The call path that a change of routines names by its end, as `andes report --if` does; of several the one with the most time. */
export function pathOfPlace(place: string, tree: Tree | null): {node: Node; names: string[]} | null {
  let most: {node: Node; names: string[]} | null = null;
  for (const node of tree?.nodes ?? []) {
    if (!place.endsWith(node.name) || (most && node.path.inclusive_s <= most.node.path.inclusive_s)) continue;
    const {path} = node.path;
    for (let k = 1; k <= path.length; ++k) {
      const names = path.slice(-k), length = names.join('>').length;
      if (length > place.length) break;
      if (length === place.length && names.join('>') === place) most = {node, names};
    }
  }
  return most;
}
