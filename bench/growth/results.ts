import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as t from 'io-ts'
import { Machine } from '../comparing/results.ts'

/** How much a round did a second, and a second of the process's own processor time. */
const Round = t.strict({ perSecond: t.number, perProcessorSecond: t.number })
export type Round = t.TypeOf<typeof Round>

/** Each round of the log of this size, and the one beside it of the log of 10,000 events. */
const Rounds = t.strict({ large: t.array(Round), small: t.array(Round) })
export type Rounds = t.TypeOf<typeof Rounds>

/** The rate of each round divided by that of the small log beside it. */
export const ratiosOf = ({ large, small }: Rounds, by: keyof Round = 'perSecond'): ReadonlyArray<number> =>
  large.map((round, n) => round[by] / (small[n]?.[by] ?? Number.NaN))

/** What a process holds that has opened a file and answered from it. */
const Held = t.strict({ openMs: t.number, rssBytes: t.number, heapBytes: t.number })

export const Size = t.strict({
  /** As many as were wanted; the file has some more. */
  events: t.number,
  subscriptions: t.number,
  payments: t.number,
  fileBytes: t.number,
  rates: t.record(t.string, Rounds),
  held: Held,
})
export type Size = t.TypeOf<typeof Size>

const taken = { takenOn: t.string, machine: Machine }
const Growth = t.strict({ ...taken, sizes: t.array(Size) })
export type Growth = t.TypeOf<typeof Growth>

/** A service that has started on a file with so many subscriptions, and has looked at all that is due. */
const Started = t.strict({ subscriptions: t.number, rssBytes: t.number, heapBytes: t.number })
export type Started = t.TypeOf<typeof Started>
const Memory = t.strict({ ...taken, services: t.array(Started) })
export type Memory = t.TypeOf<typeof Memory>

const folder = new URL('../results/growth/', import.meta.url)

const kept = <A>(name: string, codec: t.Type<A, unknown>) => {
  const file = new URL(`${name}.json`, folder)
  return {
    write: (result: A): void => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
    },
    read: (): A => {
      const decoded = codec.decode(JSON.parse(readFileSync(file, 'utf8')))
      if (decoded._tag === 'Left') throw new Error(`${file.pathname} is no result`)
      return decoded.right
    },
  }
}

export const growthResult = kept('events', Growth)
export const memoryResult = kept('subscriptions', Memory)
