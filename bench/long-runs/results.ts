import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as t from 'io-ts'
import { Machine } from '../comparing/results.ts'

const Sample = {
  residentMb: t.number,
  anonymousMb: t.number,
  heapMb: t.number,
  externalMb: t.number,
  events: t.number,
  descriptors: t.number,
  /** Since the process started. */
  processorMs: t.number,
  /** In MB. */
  files: t.record(t.string, t.number),
}

const Minute = t.strict({
  minute: t.number,
  /** Completed so far. */
  sales: t.number,
  ...Sample,
  /** Of the minute that has ended, in milliseconds. */
  answers: t.record(t.string, t.strict({ count: t.number, p50: t.number, p99: t.number })),
})
export type Minute = t.TypeOf<typeof Minute>

const Soak = t.strict({
  /** The day, as YYYY-MM-DD. */
  takenOn: t.string,
  machine: Machine,
  wanted: t.strict({
    minutes: t.number,
    salesPerSecond: t.number,
    readsPerSecond: t.number,
    joinSeconds: t.number,
    skipMinutes: t.number,
    seed: t.number,
  }),
  minutes: t.array(Minute),
  /** Figures and counts of what was wrong; null of a run that was ended before it compared anything. */
  report: t.union([t.record(t.string, t.union([t.number, t.string])), t.null]),
})
export type Soak = t.TypeOf<typeof Soak>

const Hour = t.strict({
  hour: t.number,
  /** Subscriptions that paid, and that failed to for the first time. */
  paid: t.number,
  failed: t.number,
  /** All charges that failed. */
  failures: t.number,
  /** Those with charges. */
  ledgers: t.number,
  /** For each due subscription. */
  processorMsEach: t.number,
  networkMsEach: t.number,
  seconds: t.number,
  /** Of the service and its network, in one process. */
  residentMb: t.number,
  heapMb: t.number,
  events: t.number,
  logMb: t.number,
  walMb: t.number,
})
export type Hour = t.TypeOf<typeof Hour>

const Day = t.strict({
  takenOn: t.string,
  machine: Machine,
  plan: t.strict({
    subscriptions: t.number,
    hours: t.number,
    due: t.number,
    failing: t.number,
    channels: t.number,
    limitMinutes: t.number,
  }),
  hours: t.array(Hour),
  enrolledEvents: t.number,
  enrolSeconds: t.number,
  /** As that of a soak. */
  report: t.union([t.record(t.string, t.number), t.null]),
})
export type Day = t.TypeOf<typeof Day>

const folder = new URL('../results/long-runs/', import.meta.url)

const write = (name: string, result: object): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`)
}

const read = <A>(name: string, codec: t.Decoder<unknown, A>): A => {
  const decoded = codec.decode(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')))
  if (decoded._tag === 'Left') throw new Error(`${name}.json is no result of a long run`)
  return decoded.right
}

export const writeSoak = (result: Omit<Soak, 'minutes'> & { readonly minutes: ReadonlyArray<Minute> }): void =>
  write('soak', result)
export const readSoak = (): Soak => read('soak', Soak)

export const writeDay = (result: Day): void => write(`large-day-${result.plan.subscriptions}`, result)
/** Those of the most subscriptions first. */
export const readDays = (): ReadonlyArray<Day> =>
  readdirSync(folder)
    .flatMap((file) => /^(large-day-\d+)\.json$/.exec(file)?.[1] ?? [])
    .map((name) => read(name, Day))
    .toSorted((one, other) => other.plan.subscriptions - one.plan.subscriptions)
