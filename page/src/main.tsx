import {render} from 'preact';
import {App, load} from './app';
import {json, manifest, type Histories} from './documents';
import {follow} from './follow';
import {HistoryPage} from './history';

const page = document.getElementById('page')!;
const parts = manifest();
follow();
const shown = async () => parts.kind === 'history' ? <HistoryPage document={await json<Histories>('history')} /> : <App manifest={parts} loaded={await load(parts)} />;
shown().then((all) => {
  page.textContent = '';
  render(all, page);
}).catch((error: unknown) => { page.textContent = `andes: this page cannot be shown: ${String(error)}`; });
