import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The inspector, ready to serve. */
export interface InspectorFiles {
  readonly script: string
  readonly style: string
}

/** Gives the inspector's files, read at the first request: built ahead beside the program, or from source. */
export function inspectorFiles(): () => Promise<InspectorFiles> {
  let files: Promise<InspectorFiles> | undefined
  return () => {
    files ??= load()
    files.catch(() => {
      files = undefined
    })
    return files
  }
}

async function load(): Promise<InspectorFiles> {
  const source = fileURLToPath(new URL('./page/main.tsx', import.meta.url))
  if (existsSync(source)) {
    const { bundleInspector } = await import('./bundle.ts')
    return bundleInspector()
  }
  const built = (name: string) =>
    readFile(fileURLToPath(new URL(`./inspector/${name}`, import.meta.url)), 'utf8')
  const [script, style] = await Promise.all([built('inspector.js'), built('inspector.css')])
  return { script, style }
}
