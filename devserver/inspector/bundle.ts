import { fileURLToPath } from 'node:url'
import type { InspectorFiles } from './files.ts'

/** Bundles the page from source into one script and one style, for browsers of the last few years. */
export async function bundleInspector(): Promise<InspectorFiles> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./page/main.tsx', import.meta.url))],
    outdir: 'out',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const textOf = (end: string) => outputFiles.find((one) => one.path.endsWith(end))?.text ?? ''
  return { script: textOf('.js'), style: textOf('.css') }
}
