import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '@quittance/domain'
import { usualLimits } from './pace.ts'
import { createPump, type DelivererOptions } from './pump.ts'
import type { DeliveryServices } from './services.ts'

const usual: Omit<DelivererOptions, 'sender' | 'onArrival'> = {
  wallNow: Date.now,
  random: Math.random,
  limits: usualLimits,
  leaseMs: 60_000,
  pollMs: 250,
  roles: null,
}

/**
 * Delivers public events to endpoints. Several processes may deliver from one file: no two send the same attempt at
 * once.
 */
export interface Deliverer {
  /**
   * Delivers until the signal aborts, then ends open attempts. Passes defects to `raise` and retries; calls `continues`
   * after each turn without one.
   */
  readonly run: (signal: AbortSignal, raise: (defect: unknown) => void, continues?: () => void) => Promise<void>
  /** Attempts all due deliveries until none is due. Once the signal aborts, the rest is left to `run`. */
  readonly settle: (signal?: AbortSignal) => Promise<void>
  /** When the next attempt in an environment falls due after now (Unix milliseconds). */
  readonly nextDue: (environment: Environment) => Promise<number | null>
}

/** How long open attempts may still be answered at the end. The next process retries the others. */
const graceMs = 1_000
/** Attempts that end within so long are recorded together. */
const gatherMs = 2

/** Makes a deliverer over the services. `sender` posts the attempts; limits, lease and poll have defaults. */
export const createDeliverer = (
  services: DeliveryServices,
  given: Pick<DelivererOptions, 'sender'> & Partial<DelivererOptions>,
): Deliverer => {
  const options = { ...usual, ...given }
  let rouse = (): void => undefined
  const pump = createPump(services, options, () => rouse())
  const roused = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, options.pollMs)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    run: async (signal, raise, continues = () => undefined) => {
      signal.addEventListener('abort', () => rouse(), { once: true })
      const failed = (defect: unknown): true => {
        raise(defect)
        return true
      }
      const worked = (): false => {
        continues()
        return false
      }
      while (!signal.aborted) {
        const resting = roused()
        const hasFailed = await pump.turn(false).then(worked, failed)
        await (hasFailed || (pump.isIdle() && !pump.isNotified()) ? resting : nextTurn())
        if (pump.hasEnded()) await pause(gatherMs)
      }
      pump.close()
      await Promise.race([Promise.all(pump.underWay), pause(graceMs, undefined, { ref: false })])
      await options.sender.close()
      await Promise.all(pump.underWay)
      await pump.turn(false).catch(raise)
      // A role that cannot be given away ends by itself.
      await pump.standDown().catch(() => undefined)
    },
    settle: async (signal = new AbortController().signal) => {
      const over = once(signal, 'abort')
      while (!signal.aborted) {
        await pump.turn(true)
        if (pump.isDone()) return
        await (pump.isIdle() && pump.underWay.size > 0 ? Promise.race([...pump.underWay, over]) : nextTurn())
        if (pump.hasEnded()) await pause(gatherMs)
      }
    },
    nextDue: pump.nextDue,
  }
}
