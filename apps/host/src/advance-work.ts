import type { Deliverer, Worker } from '@quittance/billing'

/** What one advance of the sandbox's clock does on the way. It moves nothing but the testnet. */
export type AdvanceWork = {
  /**
   * Does all that is due. A step that stops early leaves the rest due. Deliveries that have held up the advance long
   * enough go on in the background.
   */
  readonly settle: () => Promise<void>
  /** When the next thing that the advance waits for falls due (Unix milliseconds). */
  readonly nextDue: () => Promise<number | null>
}

type Stopwatch = {
  /** Milliseconds of the machine, from any origin. */
  readonly now: () => number
  readonly timeout: (ms: number) => AbortSignal
}

const machineStopwatch: Stopwatch = {
  now: () => performance.now(),
  timeout: (ms) => AbortSignal.timeout(Math.ceil(ms)),
}

/** How long deliveries may hold up one advance in all: anybody's endpoints may be many, slow or silent. */
const mostDeliveringMs = 10_000

export const advanceWork = (
  worker: Pick<Worker, 'step' | 'nextDue'> | null,
  deliverer: Pick<Deliverer, 'settle' | 'nextDue'>,
  { now, timeout } = machineStopwatch,
): AdvanceWork => {
  let leftMs = mostDeliveringMs
  /** Since when the advance has moved for the sake of a delivery alone. */
  let movingSince: number | null = null
  return {
    settle: async () => {
      await worker?.step()
      const since = movingSince ?? now()
      const restMs = leftMs - (now() - since)
      if (restMs > 0) await deliverer.settle(timeout(restMs))
      leftMs -= now() - since
      movingSince = null
    },
    nextDue: async () => {
      const workDue = (await worker?.nextDue()) ?? null
      const deliveryDue = leftMs > 0 ? await deliverer.nextDue('testnet') : null
      if (deliveryDue === null || (workDue !== null && workDue <= deliveryDue)) return workDue
      movingSince = now()
      return deliveryDue
    },
  }
}
