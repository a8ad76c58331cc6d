/** One file that is served without a token: it holds nothing that is not public. */
export interface Page {
  readonly type: string
  readonly body: string
}

const INDEX = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>amber dev</title>
<h1>amber dev</h1>
<p>This server has an interface for programs under <code>/api</code>: send the token, which stands after
<code>#token=</code> in the address of this page, as the header <code>x-amber-token</code>.</p>
<ul>
<li><code>GET</code> plugins, ledger, commands, prompt, status?width=80, panels/ID?width=80, events</li>
<li><code>POST</code> tools/NAME, commands, panels/ID/keys, turn</li>
</ul>
</html>
`

/** Every file there is, by path: a fixed map, so that no path leads anywhere else (DEV-1). */
export const PAGES: ReadonlyMap<string, Page> = new Map([
  ['/', { type: 'text/html; charset=utf-8', body: INDEX }],
])
