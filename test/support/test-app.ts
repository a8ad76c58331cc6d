import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { App } from '../../host/app/app.ts'
import { type AppOptions, createApp } from '../../host/app/create-app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { findInstallation } from '../../host/base/installation.ts'
import { atEnd } from './at-end.ts'

/** A whole amber in a home of its own, without plugins unless they are `bundled`; shut down when the test ends. */
export async function testApp(
  t: TestContext,
  options: {
    readonly home: string
    /** The home unless said. */
    readonly workspace?: string
    readonly bundled?: boolean
    readonly flags?: readonly string[]
  } & Partial<Pick<AppOptions, 'env' | 'onNotice' | 'activate'>>,
): Promise<App> {
  const {
    home,
    workspace = home,
    bundled = false,
    flags = [],
    env = {},
    onNotice = () => {},
    activate = true,
  } = options
  const app = await createApp({
    paths: {
      config: join(home, 'config'),
      state: join(home, 'state'),
      cache: join(home, 'cache'),
      workspace,
      installation: findInstallation(import.meta.url).folder,
    },
    env,
    pluginFlags: flags,
    without: [],
    noPlugins: !bundled,
    clock: systemClock,
    onNotice,
    activate,
  })
  atEnd(t, () => app.shutdown())
  return app
}
