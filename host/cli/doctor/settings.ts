import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfigFile } from '../../../manifests/read-config-file.ts'
import { readMcpServers } from '../../app/mcp-part.ts'
import { messageOf, systemCode } from '../../base/errors.ts'
import { readProviderFiles } from '../../llm/provider-files.ts'
import { type DoctorFinding, fine, fromDiagnostic } from './finding.ts'

/** Whether the user's files are valid: settings, MCP servers, providers (interfaces 3). Absent ones are fine. */
export async function checkSettings(
  config: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<readonly DoctorFinding[]> {
  const [settings, servers, unset, { diagnostics, files }] = await Promise.all([
    checkFile('config', join(config, 'config.json')),
    checkFile('mcp', join(config, 'mcp.json')),
    checkServers(join(config, 'mcp.json'), variables),
    readProviderFiles(config),
  ])
  const providers =
    diagnostics.length === 0 && files.size > 0
      ? [fine('providers', `${files.size} of your own in ${join(config, 'providers')}`)]
      : diagnostics.map((one) => fromDiagnostic('providers', one))
  return [...settings, ...servers, ...unset, ...providers]
}

/** Servers that cannot be started as the file and the environment stand, such as for a variable that is not set. */
async function checkServers(
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<readonly DoctorFinding[]> {
  const { servers } = await readMcpServers(file, variables)
  return servers.flatMap(({ name, problem, disabled }) =>
    problem === undefined || disabled
      ? []
      : [
          {
            severity: 'warning',
            check: `mcp ${name}`,
            message: problem,
            remedy: `Mend it in ${file}, or set it.`,
          },
        ],
  )
}

async function checkFile(kind: 'config' | 'mcp', file: string): Promise<readonly DoctorFinding[]> {
  try {
    const { diagnostics } = await readConfigFile(kind, await readFile(file, 'utf8'), file)
    return diagnostics.length === 0 ? [fine(kind, file)] : diagnostics.map((one) => fromDiagnostic(kind, one))
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return []
    const message = `${file} cannot be read: ${messageOf(thrown)}`
    return [{ severity: 'error', check: kind, message, remedy: 'Check its permissions.' }]
  }
}
