// Lines of the program's source, where the page has them (--source): a short function as a whole, else what is around the line.
import type {Sources} from './documents';

const around = 6, least = 5, above = 6; // lines

/** The end of the file's name: its directories rarely say anything. */
export const placeText = (file: string | undefined, line: number | undefined): string =>
  file ? `${file.split('/').slice(-2).join('/')}${line ? `:${line}` : ''}` : '';

type Lines = Sources[string];

/** From the comment, or the type, that stands directly above the line. */
function beginOf(lines: Map<number, Lines[number]>, line: number): number {
  let begin = line;
  while (line - begin < above) {
    const text = lines.get(begin - 1)?.text.trim();
    if (!text || /[;{}]$/.test(text) || text.startsWith('#')) break;
    --begin;
  }
  return begin;
}

function excerpt(all: Lines, line: number): Lines {
  const lines = new Map(all.map((one) => [one.line, one])), end = lines.get(line)?.end;
  let [from, to] = end === undefined ? [line - around, line + around] : [beginOf(lines, line), end];
  if (to - from + 1 < least) { from -= 2; to += 2; }
  return all.filter((one) => one.line >= from && one.line <= to);
}

export function Source({sources, file, line}: {sources: Sources | null; file?: string; line?: number}) {
  if (!file) return null;
  const lines = line ? excerpt(sources?.[file] ?? [], line) : [];
  return <div class="source"><code class="place" title={file}>{placeText(file, line)}</code>
    {lines.length ? <pre tabIndex={0} aria-label={`Source of ${placeText(file, line)}`}>{lines.map((one) =>
      <span key={one.line} class={one.line === line ? 'line here' : 'line'}><span class="line-number">{one.line}</span><span class="line-text">{one.text + '\n'}</span></span>)}</pre> : null}</div>;
}
