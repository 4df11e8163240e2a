// Changes of routines that what-if speaks of.
import type {ComponentChildren} from 'preact';
import {useMemo} from 'preact/hooks';
import {PathLink, pathOfPlace, type Links} from './pathlink';

/** A change as `andes report --if` takes it, in words. `base`: the smallest size. */
export function Change({change, base, links}: {change: string; base: string; links: Links}) {
  const faster = change.match(/^(.*) x([\d.]+)$/), other = change.match(/^(balance|parallel|no-wait) (.*)$/), place = faster?.[1] ?? other?.[2];
  const found = useMemo(() => place === undefined ? null : pathOfPlace(place, links.tree), [place, links.tree]);
  const name: ComponentChildren = found ? <PathLink path={found.node.path.path} links={links}>{found.names.join(' > ')}</PathLink> : place;
  if (faster) return <>{name} {faster[2]} times as fast</>;
  switch (other?.[1]) {
    case 'balance': return <>{name} with even work on all ranks</>;
    case 'parallel': return <>{name} divided among the ranks, in sum no more than at {base}</>;
    case 'no-wait': return <>no waiting in {name}</>;
    default: return <>{change}</>;
  }
}
