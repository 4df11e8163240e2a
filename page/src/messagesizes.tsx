// How many messages of which size were sent, where the run says so.
import type {Shown} from './documents';
import {Figure} from './figure';
import {bytesText} from './format';

export function MessageSizes({shown, name}: {shown: Shown; name: string}) {
  const sizes = shown.message_sizes!, most = Math.max(...sizes.map((size) => size.messages));
  return <section class="message-sizes" aria-labelledby="message-sizes-title"><h2 id="message-sizes-title">Sizes of messages</h2>
    <table><thead><tr><th scope="col">Size</th><th scope="col">Messages</th></tr></thead><tbody>{sizes.map((size, i) => <tr key={i}>
      <th scope="row">{bytesText(size.low)}{size.high === undefined ? ' and more' : ` to ${bytesText(size.high)}`}</th>
      <td class="share"><span class="bar" style={{width: `${100 * size.messages / most}%`}} /><Figure of={`${name}#/message_sizes/${i}/messages`} value={size.messages} form="count" /></td></tr>)}</tbody></table></section>;
}
