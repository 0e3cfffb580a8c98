import { Exception, Intent } from '@quittance/domain'
import type { Work } from './scheduler.ts'
import type { Watcher } from './watch.ts'

/** The course of a run, as far as rules need it and the log cannot tell. */
export type Course = {
  /** The transactions to which intents were attached, in that order. A recovery attaches none: it finds them on the ledger. */
  readonly attachedTo: ReadonlySet<string>
  /** By exception, how long the log was when each name was looked up last by the work that opened it. */
  readonly lookUps: ReadonlyMap<string, ReadonlyMap<string, bigint>>
}

/** Follows the course of a run. `lastPosition` is that of the log now. */
export const courseOf = (lastPosition: () => bigint): { readonly course: Course; readonly watcher: Watcher } => {
  const attachedTo = new Set<string>()
  const lookUps = new Map<string, ReadonlyMap<string, bigint>>()
  const byWork = new WeakMap<Work, Map<string, bigint>>()
  const watcher: Watcher = {
    appended: (stream, events, work) => {
      const [category = '', id = ''] = stream.split('-')
      const types = new Set(events.map(({ type }) => type))
      if (category === Intent.category && types.has('IntentAttached') && !types.has('IntentSettled'))
        for (const { type, data } of events)
          if (type === 'IntentAttached' && typeof data.transactionHash === 'string')
            attachedTo.add(data.transactionHash)
      if (category === Exception.category && types.has('ExceptionOpened') && work !== null)
        lookUps.set(id, new Map(byWork.get(work)))
    },
    lookedUp: (name, work) => {
      if (work === null) return
      const known = byWork.get(work) ?? new Map<string, bigint>()
      byWork.set(work, known.set(name, lastPosition()))
    },
    putBack: () => lookUps.clear(),
  }
  return { course: { attachedTo, lookUps }, watcher }
}
