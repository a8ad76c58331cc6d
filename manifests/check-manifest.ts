import { checkCode } from './check-code.ts'
import { checkCommands } from './check-commands.ts'
import { checkNames } from './check-names.ts'
import { checkPaths } from './check-paths.ts'
import { checkVersions } from './check-versions.ts'
import type { Finding } from './finding.ts'

/**
 * What a manifest must also keep to, beyond its schema (interfaces 4). Takes data that failed the schema too, so that
 * all mistakes are told at once. The schemas of tools are not looked into here.
 */
export function checkManifest(manifest: unknown, amberVersion: string): Finding[] {
  return [
    ...checkVersions(manifest, amberVersion),
    ...checkPaths(manifest),
    ...checkCode(manifest),
    ...checkNames(manifest),
    ...checkCommands(manifest),
  ]
}
