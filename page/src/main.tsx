import {render} from 'preact';
import {App, load} from './app';
import {manifest} from './documents';
import {follow} from './follow';

const page = document.getElementById('page')!;
const parts = manifest();
follow();
load(parts).then((loaded) => {
  page.textContent = '';
  render(<App manifest={parts} loaded={loaded} />, page);
}).catch((error: unknown) => { page.textContent = `andes: this page cannot be shown: ${String(error)}`; });
