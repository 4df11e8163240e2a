// Dark or light: what the reader chose, else what the system has.
import {useEffect, useMemo, useState} from 'preact/hooks';
import type {State} from './state';

export function useDark(theme: State['theme']): boolean {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const [system, setSystem] = useState(query.matches);
  useEffect(() => {
    const changed = () => setSystem(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  const dark = theme ? theme === 'dark' : system;
  useEffect(() => { document.documentElement.dataset.theme = dark ? 'dark' : 'light'; }, [dark]);
  return dark;
}
