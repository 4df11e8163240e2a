import {useCallback, useRef, useState} from 'preact/hooks';

/** The width of an element, as it changes; the first part belongs into its `ref`. */
export function useWidth(first: number): [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(first);
  const observer = useRef<ResizeObserver | null>(null);
  const observe = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) return;
    const measure = () => setWidth(Math.max(160, Math.round(element.clientWidth)));
    measure();
    observer.current = new ResizeObserver(measure);
    observer.current.observe(element);
  }, []);
  return [observe, width];
}
