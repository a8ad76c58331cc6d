import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import { recordOf } from './declared.ts'
import { errorAt, type Finding } from './finding.ts'

/** Pre-releases of amber count as what they lead up to. */
const options = { includePrerelease: true }

/** Checks `version` and `engines.amber` (MAN-6). */
export function checkVersions(manifest: unknown, amberVersion: string): Finding[] {
  const { version, engines } = recordOf(manifest)
  const range = recordOf(engines).amber
  return [
    ...(typeof version === 'string' ? checkVersion(version) : []),
    ...(typeof range === 'string' ? checkRange(range, amberVersion) : []),
  ]
}

function checkVersion(version: string): Finding[] {
  if (valid(version) !== null && /^\d/.test(version)) return []
  const message = `${JSON.stringify(version)} is not a semantic version`
  return [errorAt('AMB2201', ['version'], { message, hint: 'three numbers, as in 0.1.0 or 1.2.3-beta.1' })]
}

function checkRange(range: string, amberVersion: string): Finding[] {
  const path = ['engines', 'amber']
  if (validRange(range) === null) {
    const message = `${JSON.stringify(range)} is not a range of versions`
    return [errorAt('AMB2202', path, { message, hint: 'as in >=0.1.0, ^0.1.0 or >=0.1.0 <2.0.0' })]
  }
  if (satisfies(amberVersion, range, options)) return []
  const message = `the plugin is made for amber ${range}, this is amber ${amberVersion}`
  return [
    errorAt('AMB2203', path, {
      message,
      hint: 'get a release of the plugin for this amber, or update amber',
    }),
  ]
}

/** Whether a range holds a version of amber newer than this one: then unknown keys may well be that one's (MAN-7). */
export function allowsNewer(manifest: unknown, amberVersion: string): boolean {
  const range = recordOf(recordOf(manifest).engines).amber
  if (typeof range !== 'string' || validRange(range) === null || valid(amberVersion) === null) return false
  return !subset(range, `<=${amberVersion}`, options)
}
