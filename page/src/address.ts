// The state that the page is in, and the address that says it.
import {useCallback, useEffect, useState} from 'preact/hooks';
import {fromFragment, toFragment, type State, type Update} from './state';

export function useAddress(): [State, Update, (change: (before: State) => State) => void] {
  const [state, setState] = useState(() => fromFragment(location.hash));
  const update = useCallback((change: Partial<State>) => setState((before) => ({...before, ...change})), []);
  useEffect(() => { // browsers refuse to renew the address many times in a second
    const timer = setTimeout(() => history.replaceState(null, '', `#${toFragment(state)}`), 120);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    const changed = () => setState(fromFragment(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return [state, update, setState];
}
