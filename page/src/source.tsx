// Lines of the program's source, where the page has them (--source).
import type {Sources} from './documents';

/** The end of the file's name: its directories rarely say anything. */
export const placeText = (file: string | undefined, line: number | undefined): string =>
  file ? `${file.split('/').slice(-2).join('/')}${line ? `:${line}` : ''}` : '';

export function Source({sources, file, line}: {sources: Sources | null; file?: string; line?: number}) {
  if (!file) return null;
  const lines = (sources?.[file] ?? []).filter((one) => line && Math.abs(one.line - line) <= 6);
  return <div class="source"><code class="place" title={file}>{placeText(file, line)}</code>
    {lines.length ? <pre tabIndex={0} aria-label={`Source of ${placeText(file, line)}`}>{lines.map((one) =>
      <span key={one.line} class={one.line === line ? 'line here' : 'line'}><span class="line-number">{one.line}</span>{one.text + '\n'}</span>)}</pre> : null}</div>;
}
