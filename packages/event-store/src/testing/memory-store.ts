import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import { type EventStore, type Filter, type Head, noEvents } from '../port.ts'
import { recordedFromStored } from '../recorded-from-stored.ts'
import { sealAppend } from '../seal-append.ts'

const headOf = (event: RecordedEvent | undefined): Head =>
  event === undefined ? noEvents : { revision: event.revision, hash: event.metadata.hash }

const isWanted = ({ stream }: RecordedEvent, filter: Filter | undefined): boolean =>
  filter === undefined || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix))

/**
 * An event store for tests, which keeps its log in the memory of the process and needs no native module. It keeps every
 * rule of the port, hashes included. It has no SQL, so an append with an alongside write is a defect, and no inline
 * projections: `openRemoteLog` puts read models beside it. `clock` gives Unix milliseconds.
 */
export const memoryEventStore = ({ clock }: { readonly clock: () => number }): EventStore => {
  const log: Array<RecordedEvent> = []
  const streams = new Map<string, Array<RecordedEvent>>()
  let appended = Promise.withResolvers<void>()

  /** The events after a position, up to another. Positions are those in the log, from 1 on. */
  async function* between(after: bigint, end: number, filter: Filter | undefined) {
    for (const event of log.slice(Number(after), end)) {
      if (!isWanted(event, filter)) continue
      yield event
      await nextTurn()
    }
  }

  async function* follow(after: bigint, signal: AbortSignal, filter: Filter | undefined) {
    const { promise: aborted, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    for (let position = after; !signal.aborted; ) {
      const [more, end] = [appended.promise, log.length]
      for await (const event of between(position, end, filter)) {
        yield event
        if (signal.aborted) return
      }
      position = BigInt(Math.max(end, Number(position)))
      await Promise.race([more, aborted])
    }
  }

  return {
    readStream:
      (stream, from, direction = 'forwards') =>
      async () => {
        const stored = streams.get(stream) ?? []
        const events =
          direction === 'forwards'
            ? stored.filter(({ revision }) => revision >= (from ?? 0n))
            : stored.filter(({ revision }) => from === undefined || revision <= from).reverse()
        return E.right({ events, head: headOf(stored.at(-1)) })
      },
    append: (stream, head, events, alongside) => async () => {
      if (alongside !== undefined) throw new TypeError('the store in memory has no SQL transactions')
      const sealed = sealAppend(stream, head, events, undefined)
      const stored = streams.get(stream) ?? []
      const current = headOf(stored.at(-1))
      const altered = () =>
        E.left({
          _tag: 'StoreUnavailable' as const,
          cause: new AlteredLog(`Event ${head.revision} of ${stream} has another hash than the head of the append`),
        })
      if (head.revision === current.revision) {
        if (head.hash !== current.hash) return altered()
        const written = sealed.events.map((event, index) =>
          recordedFromStored(event.stored, log.length + index + 1, clock()),
        )
        log.push(...written)
        streams.set(stream, [...stored, ...written])
        appended.resolve()
        appended = Promise.withResolvers()
        const last = written.at(-1) ?? stored.at(-1)
        return E.right({ head: headOf(last), position: last?.position ?? 0n, events: written })
      }
      const first = Number(head.revision) + 1
      const repeated = stored.slice(first, first + events.length)
      const last = repeated.at(-1)
      const isRepeat =
        last !== undefined &&
        repeated.length === events.length &&
        repeated.every(({ id }, index) => id === events[index]?.id)
      if (!isRepeat) return E.left({ _tag: 'WrongExpectedRevision', expected: head.revision, actual: current.revision })
      if (repeated[0]?.metadata.previousHash !== head.hash) return altered()
      return E.right({ head: headOf(last), position: last.position, events: repeated })
    },
    readAll: (after, filter) => between(after, log.length, filter),
    subscribe: follow,
  }
}
