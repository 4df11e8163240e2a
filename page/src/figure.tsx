// A number of the page. It says of which document it is, and where it stands there, so that a test can look it up.
import type {Estimate} from './documents';
import {formatted, type Form} from './format';

interface Props {
  of: string;      // document#/pointer
  value: number | undefined | null;
  form: Form;
  whole?: string;  // the figure is a part of this one, in per cent
  estimated?: boolean; reliable?: boolean; title?: string;
}

/** A missing value is a dash: what was not measured is never zero. */
export function Figure({of, value, form, whole, estimated, reliable, title}: Props) {
  if (value === undefined || value === null) return <span class="absent" title="not measured">–</span>;
  const text = formatted(value, form);
  const doubt = reliable === false;
  return <span class={`figure${estimated ? ' estimated' : ''}${doubt ? ' unreliable' : ''}`} data-figure={of}
    data-whole={whole} data-form={form}
    title={title ?? (doubt ? 'an estimate, too uncertain to rely on' : estimated ? 'an estimate: not every visit was measured' : undefined)}>
    {estimated ? <span class="mark" aria-label={doubt ? 'unreliable estimate: ' : 'estimated: '}>{doubt ? '?' : '~'}</span> : null}{text}</span>;
}

export function spread(estimate: Estimate, form: Form): string {
  const {low, high, kind} = estimate;
  if (!kind) return '';
  const [from, to] = [low, high].map((end) => end === undefined ? '–' : formatted(end, form));
  return kind === 'interval' ? `95 % interval ${from} to ${to}` : `range ${from} to ${to}`;
}

/** Median, and its spread behind it. */
export function EstimateFigure({of, value, form, brief}: {of: string; value: Estimate | undefined; form: Form; brief?: boolean}) {
  if (!value) return <span class="absent">–</span>;
  const {low, high, kind} = value;
  return <span class="estimate" title={spread(value, form)}>
    <Figure of={`${of}/median`} value={value.median} form={form} title={spread(value, form) || undefined} />
    {kind && !brief && low !== undefined && high !== undefined
      ? <small> [<Figure of={`${of}/low`} value={low} form={form} />, <Figure of={`${of}/high`} value={high} form={form} />]</small> : null}
  </span>;
}
