import { randomUUID } from 'node:crypto'
import type { Aggregate, Environment, RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { type EventStore, type InlineProjection, noEvents, type StreamSlice } from '@quittance/event-store'
import { type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'

export type Writing = {
  readonly merchantId?: string
  readonly environment?: Environment
  readonly occurredAt?: number
}

/** A log in memory (or a file), with what its streams hold written into these projections. */
export const openLog = (projections: ReadonlyArray<InlineProjection>, path = ':memory:') => {
  const durability = 'relaxedLosesCommitsOnPowerLoss'
  const store: SqliteEventStore = sqliteEventStore({ path, clock: () => 0, projections, durability })
  return { store, ...writingTo(store) }
}

/** What tests do with any log. */
export const writingTo = (store: EventStore) => {
  const read = async (stream: string): Promise<StreamSlice> => right(await store.readStream(stream)())

  /** Appends encoded events at the end of a stream. */
  const append = async (
    stream: string,
    events: ReadonlyArray<Pick<RecordedEvent, 'type' | 'schemaVersion' | 'data'>>,
    { merchantId = 'mer_1', environment = 'testnet', occurredAt = 0 }: Writing = {},
  ): Promise<void> => {
    if (events.length === 0) return
    const { head } = await read(stream)
    const commandId = randomUUID()
    const context = {
      merchantId,
      environment,
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'test',
      occurredAt,
    }
    const fresh = events.map((event) => ({ id: randomUUID(), ...event, context }))
    right(await store.append(stream, head.revision < 0n ? noEvents : head, fresh)())
  }

  /** Decides a command on what the stream holds; a rejection writes nothing. */
  const give = async <Command, Event, State, Rejection>(
    { category, decider, events }: Aggregate<Command, Event, State, Rejection>,
    id: string,
    command: Command,
    writing: Writing = {},
  ): Promise<void> => {
    const stream = `${category}-${id}`
    const history = (await read(stream)).events.map((recorded) => right(events.decodeEvent(recorded)))
    const decision = decider.decide(command)(history.reduce(decider.evolve, decider.initial))
    if (E.isRight(decision)) await append(stream, decision.right.map(events.encodeEvent), writing)
  }
  /** Appends an event where it can follow what the stream holds. */
  const occur = async <Command, Event, State, Rejection>(
    { category, decider, events }: Aggregate<Command, Event, State, Rejection>,
    id: string,
    event: Event,
    writing: Writing = {},
  ): Promise<void> => {
    const stream = `${category}-${id}`
    const history = (await read(stream)).events.map((recorded) => right(events.decodeEvent(recorded)))
    const canFollow = E.tryCatch(() => [...history, event].reduce(decider.evolve, decider.initial), E.toError)
    if (E.isRight(canFollow)) await append(stream, [events.encodeEvent(event)], writing)
    else if (canFollow.left.name !== 'CorruptStream') throw canFollow.left
  }
  return { read, append, give, occur }
}
