import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** The machine's own clock in Unix milliseconds, which only moves forward. */
export type WallClock = { readonly now: () => number; readonly advance: (ms: number) => void }

/** Runs work in which `performance.now` also follows the run's clock, so that no real time is visible. */
export const onWallClock = async <A>(startMs: number, work: (clock: WallClock) => Promise<A>): Promise<A> => {
  let now = startMs
  Object.defineProperty(performance, 'now', { value: () => now - startMs, configurable: true })
  try {
    return await work({
      now: () => now,
      advance: (ms) => {
        now += ms
      },
    })
  } finally {
    // Restores the prototype's method.
    Reflect.deleteProperty(performance, 'now')
  }
}

const maxRounds = 50

/**
 * Waits until every process waits for an effect. A deliverer batches results with a real timer of two milliseconds, so
 * this waits while there are more timers than at first, or immediates.
 */
export const quiescence = (): (() => Promise<void>) => {
  const waited = (what: string): number => process.getActiveResourcesInfo().filter((each) => each === what).length
  let usual = waited('Timeout')
  return async () => {
    await nextTurn()
    await nextTurn()
    for (let round = 0; round < maxRounds && (waited('Timeout') > usual || waited('Immediate') > 0); round++)
      await pause(1)
    usual = Math.min(usual, waited('Timeout'))
  }
}
