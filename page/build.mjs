// Makes built/page.html, the bundle that `andes` has in it: styles, script, the licences of what is bundled, and marks in
// the places of title and data. The script and the styles are allowed by their hashes alone (Content-Security-Policy).
//   node build.mjs [FILE]
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'built', 'page.html');

const result = await build({
  absWorkingDir: here,
  entryPoints: ['src/main.tsx', 'src/style.css'],
  bundle: true, minify: true, write: false, metafile: true, outdir: 'built',
  format: 'iife', target: 'es2022', charset: 'ascii', jsx: 'automatic', jsxImportSource: 'preact',
  legalComments: 'none',
});
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();

/** Name, version and licence of each package that is in the bundle. */
function licences() {
  const packages = new Set();
  for (const input of Object.keys(result.metafile.inputs)) {
    const found = input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) packages.add(found[1]);
  }
  return [...packages].sort().map((name) => {
    const about = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'license'].find((candidate) => {
      try { return readFileSync(join(here, 'node_modules', name, candidate)); } catch { return false; }
    });
    if (!file) throw new Error(`${name}: it has no licence`);
    const licence = readFileSync(join(here, 'node_modules', name, file), 'utf8').trim();
    return `${name} ${about.version}\n\n${licence}`;
  }).join('\n\n----\n\n').replaceAll('--', '- -');
}

const hash = (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const script = text('.js').replaceAll('</script', '<\\/script'), style = text('.css');
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ` +
  `base-uri 'none'; form-action 'none'`;
writeFileSync(out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="andes">
<link rel="icon" href="data:,">
<title>@ANDES_TITLE@</title>
<!-- Made of these packages:

${licences()}
-->
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript; it loads nothing from anywhere.</noscript></div>
@ANDES_PARTS@
<script>${script}</script>
</body>
</html>
`);
