import type { App } from '../app/app.ts'
import { messageOf } from '../base/errors.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import { fromSystem } from '../base/system-error.ts'
import { EXIT } from '../headless/exit-code.ts'
import { paint, wantsColour } from './colour.ts'
import type { CliContext } from './context.ts'
import type { DoctorFinding } from './doctor/finding.ts'
import { checkFolders, checkNode, checkPrograms, checkWatches } from './doctor/installation.ts'
import { checkPlugins } from './doctor/plugins.ts'
import { checkProvider } from './doctor/provider.ts'
import { checkSettings } from './doctor/settings.ts'
import { agentOptions, openApp, pathsOf } from './open-app.ts'

/** `amber doctor`: installation, settings, plugins and provider; each finding with its remedy. Exit code 1 on errors. */
export async function run(options: { readonly json?: boolean }, context: CliContext): Promise<number> {
  const { io, installation } = context
  const paths = pathsOf(context)
  const findings = [
    checkNode(process.versions.node),
    ...(await checkFolders(paths)),
    ...(await checkPrograms(installation.folder)),
    ...(await checkWatches(process.platform)),
    ...(await checkSettings(paths.config, io.env)),
    ...(await checkRunning(context)),
  ]
  if (options.json) io.out.write(`${JSON.stringify(findings, null, 2)}\n`)
  else print(findings, context)
  return findings.some((one) => one.severity === 'error') ? EXIT.failed : EXIT.done
}

/** What only a running amber knows; one that does not start is itself a finding. */
async function checkRunning(context: CliContext): Promise<readonly DoctorFinding[]> {
  let app: App | undefined
  try {
    app = await openApp(context, () => {}, { activate: false })
    return [...(await checkPlugins(app)), ...(await checkProvider(app, () => namedProvider(context)))]
  } catch (thrown) {
    const known = fromSystem(thrown)
    const remedy = known?.hint ?? 'AMBER_DEBUG=1 shows where.'
    return [{ severity: 'error', check: 'start', message: messageOf(known ?? thrown), remedy }]
  } finally {
    await app?.shutdown()
  }
}

async function namedProvider(context: CliContext): Promise<{ readonly provider?: string }> {
  const { provider } = await agentOptions(context)
  return provider === undefined ? {} : { provider }
}

const TONES = { ok: 'dim', warning: 'yellow', error: 'red' } as const

function print(findings: readonly DoctorFinding[], { io }: CliContext): void {
  const colour = wantsColour(io.out, io.env)
  for (const { severity, check, message, remedy } of findings) {
    const mark = paint(severity.padEnd(7), TONES[severity], colour)
    io.out.write(`${mark}  ${sanitiseLine(`${check}: ${message}`)}\n`)
    if (remedy !== undefined) io.out.write(`         ${sanitiseLine(remedy)}\n`)
  }
  const count = (severity: DoctorFinding['severity'], noun: string) => {
    const number = findings.filter((one) => one.severity === severity).length
    return `${number} ${noun}${number === 1 ? '' : 's'}`
  }
  io.out.write(`\n${count('error', 'error')}, ${count('warning', 'warning')}\n`)
}
