import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'
import type { Fleet } from './fleet.ts'

const kinds = [
  'process killed',
  'process killed',
  'process stopped',
  'process stopped',
  'connections dropped',
  'connections halved',
  'connections silenced',
  'connections delayed',
  'sessions terminated',
  'PostgreSQL killed',
] as const
type Kind = (typeof kinds)[number]

/** A fault, with all that it needs of chance. */
export type Fault = { readonly kind: Kind; readonly afterMs: number; readonly who: number; readonly howMuch: number }

const betweenMs = { least: 500, most: 5_000 }
const stopMs = { least: 1_000, most: 15_000 }
const delayMs = { least: 20, most: 1_500 }
const troubleMs = { least: 500, most: 10_000 }
const downMs = { least: 0, most: 3_000 }
const mostSessions = 6
const mostStarts = 5

const between = ({ least, most }: { readonly least: number; readonly most: number }, share: number): number =>
  least + share * (most - least)

/** The faults of a run: in each round, every kind comes as often as it is listed. */
export function* drawFaults(random: () => number): Generator<Fault, never> {
  for (;;) {
    const round = kinds.map((kind) => ({ kind, at: random() })).toSorted((one, other) => one.at - other.at)
    for (const { kind } of round)
      yield { kind, afterMs: between(betweenMs, random()), who: random(), howMuch: random() }
  }
}

export type FaultCounts = Record<string, number>

const betweenLooksMs = 100

const isMostlyReady = ({ members }: Fleet): boolean =>
  members.filter((member) => member.isReady()).length * 2 > members.length

/** On a busy machine a start may take longer than it waits, and then goes on by itself. */
const startAgain = async (cluster: Cluster): Promise<void> => {
  for (let starts = 1; ; starts++)
    try {
      await cluster.start()
      return
    } catch (cause) {
      const answers = await cluster.sql('SELECT 1').catch(() => null)
      if (answers !== null) return
      if (starts === mostStarts) throw cause
    }
}

/**
 * Injects faults until told to stop; then all processes run and PostgreSQL is up. Between rounds, clients get at least one
 * thing done (`done` counts them), however slow the machine is.
 */
export const injectFaults = async (
  fleet: Fleet,
  cluster: Cluster,
  random: () => number,
  done: () => number,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<FaultCounts> => {
  const counts: FaultCounts = {}
  const waking = new Set<Promise<void>>()
  const inject = async ({ kind, who, howMuch }: Fault): Promise<string> => {
    const member = fleet.members[Math.floor(who * fleet.members.length)]
    if (member === undefined) throw new Error('there are no processes')
    const { name, proxy } = member
    switch (kind) {
      case 'process killed':
        member.signal('SIGKILL')
        return name
      case 'process stopped': {
        const ms = between(stopMs, howMuch)
        member.signal('SIGSTOP')
        // It is woken even where the run is over meanwhile.
        const woken: Promise<void> = pause(ms, undefined, { signal })
          .catch(() => undefined)
          .then(() => {
            member.signal('SIGCONT')
            waking.delete(woken)
          })
        waking.add(woken)
        return `${name} for ${Math.round(ms)} ms`
      }
      case 'connections dropped':
        proxy.drop()
        return name
      case 'connections halved':
        proxy.halve()
        return name
      case 'connections silenced': {
        const side = howMuch < 0.5 ? 'process' : 'server'
        proxy.silence(side, between(troubleMs, (howMuch * 2) % 1))
        return `${name}, of the ${side}`
      }
      case 'connections delayed':
        proxy.delay(between(delayMs, howMuch), between(troubleMs, (howMuch * 7) % 1))
        return name
      case 'sessions terminated': {
        const sessions = await cluster.sql(
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'quittance' ORDER BY pid",
        )
        const many = 1 + Math.floor(howMuch * mostSessions)
        const chosen = Array.from(
          { length: many },
          (_, n) => sessions[Math.floor(((who * 31 * (n + 1)) % 1) * sessions.length)],
        )
        for (const session of chosen)
          if (session !== undefined) await cluster.sql('SELECT pg_terminate_backend($1)', [session.pid])
        return `${many}`
      }
      case 'PostgreSQL killed':
        await cluster.crash()
        await pause(between(downMs, howMuch))
        await startAgain(cluster)
        return ''
    }
  }
  let [number, before] = [0, done()]
  for (const fault of drawFaults(random)) {
    await pause(fault.afterMs, undefined, { signal }).catch(() => undefined)
    if (number++ % kinds.length === 0) {
      while (done() === before && !signal.aborted) await pause(betweenLooksMs)
      before = done()
    }
    // On a busy machine a start takes long, and a fleet that never comes up proves nothing.
    while (fault.kind === 'process killed' && !isMostlyReady(fleet) && !signal.aborted) await pause(betweenLooksMs)
    if (signal.aborted) break
    const startedAt = performance.now()
    print(`${fault.kind}: ${await inject(fault)} (${Math.round(performance.now() - startedAt)} ms)`)
    counts[fault.kind] = (counts[fault.kind] ?? 0) + 1
  }
  await Promise.all(waking)
  return counts
}
