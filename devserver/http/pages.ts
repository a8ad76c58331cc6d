import type { InspectorFiles } from '../inspector/files.ts'

/** One file that is served without a token: it holds nothing that is not public. */
export interface Page {
  readonly type: string
  readonly body: string
}

/** Every file there is, by path: a fixed map, so that no path leads anywhere else (DEV-1). */
export type Pages = ReadonlyMap<string, () => Promise<Page>>

const INDEX = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>amber dev</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inspector.css">
<script type="module" src="/inspector.js"></script>
<div id="inspector"></div>
<noscript><p>The inspector needs JavaScript. Programs ask under <code>/api</code>, with the token in the header
<code>x-amber-token</code>.</p></noscript>
</html>
`

/** Makes the map: one page, its one script and its one style. */
export function createPages(files: () => Promise<InspectorFiles>): Pages {
  return new Map([
    ['/', async () => ({ type: 'text/html; charset=utf-8', body: INDEX })],
    ['/inspector.js', async () => ({ type: 'text/javascript; charset=utf-8', body: (await files()).script })],
    ['/inspector.css', async () => ({ type: 'text/css; charset=utf-8', body: (await files()).style })],
  ])
}
