import type { App } from '../../app/app.ts'
import { AmberError, messageOf } from '../../base/errors.ts'
import { type DoctorFinding, fine } from './finding.ts'

/** Whether a run would find a provider, and a key where one is needed. Nothing is sent to anybody. */
export async function checkProvider(
  app: App,
  choice: () => Promise<{ readonly provider?: string }>,
): Promise<readonly DoctorFinding[]> {
  const check = 'provider'
  try {
    const named = await choice()
    const rows = await app.providers(named)
    const active = rows.find((one) => one.active)
    if (active === undefined) {
      const known =
        named.provider === undefined ? 'no provider is chosen' : `there is no provider ${named.provider}`
      const remedy =
        'See amber provider list, and name one: --provider NAME, or amber config set provider NAME'
      return [{ severity: named.provider === undefined ? 'warning' : 'error', check, message: known, remedy }]
    }
    if (!active.requiresKey || active.hasKey)
      return [fine(check, `${active.name}, model ${active.defaultModel}`)]
    const { keyEnv = [] } = app.snapshot().providers.presets.get(active.name) ?? {}
    const where = keyEnv.length > 0 ? `Set ${keyEnv.join(' or ')}` : 'Set AMBER_API_KEY'
    return [
      {
        severity: 'error',
        check,
        message: `${active.name} needs a key, and there is none`,
        remedy: `${where}, or store one: amber provider add ${active.name}`,
      },
    ]
  } catch (thrown) {
    return [
      {
        severity: 'error',
        check,
        message: messageOf(thrown),
        remedy: thrown instanceof AmberError ? thrown.hint : 'See amber provider list.',
      },
    ]
  }
}
