// Names as there is room for them, as andes cuts them in a terminal (postproc/view/name.h): the arguments of templates are left
// out first, then the qualifiers in front, then the types of parameters, at last the front of the name itself: its end says most.

const closes: Record<string, string> = {'<': '>', '(': ')', '[': ']', '{': '}'};

/** Without the arguments of templates; a name whose brackets do not fit, as of an operator, stays as it is. */
function folded(name: string): string {
  let short = '';
  const open: string[] = [];
  for (let i = 0; i < name.length; ++i) {
    const c = name[i]!, wanted = open[open.length - 1];
    if (c === '<' && /operator<?$/.test(name.slice(Math.max(0, i - 9), i))) return name;
    const outside = !open.includes('>');
    if (c in closes) {
      if (c === '<' && outside) short += '<…>';
      else if (outside) short += c;
      open.push(closes[c]!);
    } else if (c === wanted) {
      open.pop();
      if (outside) short += c;
    } else if (outside) short += c;
  }
  return open.length ? name : short;
}

/** Without the types of parameters. */
const withoutTypes = (name: string): string => name.replace(/(\S)\((?!\)).*\)/, '$1(…)');

const longest = 2000; // characters: names come from files, and of more only the end is looked at

/** A name no wider than `room`, by what `widthOf` says. */
export function cutName(name: string, room: number, widthOf: (text: string) => number): string {
  if (name.length <= longest && widthOf(name) <= room) return name;
  let short = name.length > longest ? name.slice(-longest) : folded(name);
  const fits = (from: number) => widthOf(`…${short.slice(from)}`) <= room;
  for (const shorter of name.length > longest ? [] : [short, withoutTypes(short)]) {
    short = shorter;
    if (widthOf(short) <= room) return short;
    const types = short.search(/\S\((?!\))/);
    let from = 0;
    for (let at = short.lastIndexOf('::', types < 0 ? short.length : types); at > 0 && fits(at); at = short.lastIndexOf('::', at - 1)) from = at;
    if (from > 0) return `…${short.slice(from)}`;
  }
  let from = short.length;
  while (from > 0 && fits(from - 1)) --from;
  return short.length - from >= 3 ? `…${short.slice(from).replace(/^:(?!:)/, '')}` : '';
}

let context: CanvasRenderingContext2D | null = null;
/** Pixels of texts of so many pixels' size, in the page's font. */
export function widthAt(size: number): (text: string) => number {
  context ??= document.createElement('canvas').getContext('2d');
  const font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => {
    if (!context) return text.length * size * 0.6;
    context.font = font;
    return context.measureText(text).width;
  };
}
