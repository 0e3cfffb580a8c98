import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** What a machine's own clocks say, which nobody jumps: they only go on. Unix milliseconds. */
export type WallClock = { readonly now: () => number; readonly advance: (ms: number) => void }

/** Runs work in which `performance.now` follows a clock of the run as well: no real time is seen. */
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
    // The prototype's own is seen again.
    Reflect.deleteProperty(performance, 'now')
  }
}

const maxRounds = 50

/**
 * Waits until everybody waits for an effect. A deliverer gathers what ends within two milliseconds, by a real timer: as
 * long as there are more timers than at first, or a turn to come, somebody may still go on by himself.
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
