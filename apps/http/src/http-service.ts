import { setTimeout as pause } from 'node:timers/promises'
import {
  type BackgroundWork,
  type Closers,
  type Config,
  type ConfigProblem,
  closeAll,
  type Health,
  type PublicAddress,
  type RunMailing,
  type SandboxNode,
} from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type { MakeApp } from './app.ts'
import type { Addresses, Listeners } from './listeners.ts'
import type { Welcome } from './welcome.ts'

export type Served = Addresses & {
  /** The text for a newcomer to the sandbox; null without a sandbox. */
  readonly greeting: string | null
  readonly close: () => Promise<void>
}

/** Serves over HTTP and runs the background work, until closed. */
export type HttpService = { readonly start: () => Promise<E.Either<ReadonlyArray<ConfigProblem>, Served>> }

export const httpService = (
  makeApp: MakeApp,
  listeners: Listeners,
  publicAddress: PublicAddress,
  work: BackgroundWork,
  runMailing: RunMailing,
  sandbox: SandboxNode | null,
  welcome: Welcome,
  closers: Closers,
  health: Pick<Health, 'leave'>,
  { stopDelayMs }: Pick<Config, 'stopDelayMs'>,
): HttpService => ({
  start: async () => {
    await makeApp()
    const addresses = await listeners.listen()
    if (E.isLeft(addresses)) {
      await listeners.close()
      await closeAll(closers)
      return E.left([addresses.left])
    }
    publicAddress.listensAt(addresses.right.url)
    const stop = new AbortController()
    const working = Promise.all([work.run(stop.signal), runMailing(stop.signal), sandbox?.run(stop.signal)])
    return E.right({
      ...addresses.right,
      greeting: await welcome(addresses.right),
      close: async () => {
        health.leave()
        if (stopDelayMs > 0) await pause(stopDelayMs)
        stop.abort()
        await Promise.all([listeners.close(), working])
        await closeAll(closers)
      },
    })
  },
})
