import {
  AccessDeniedError,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  type SubscribeToAllOptions,
} from '@eventstore/db-client'
import type { RecordedEvent } from '@quittance/domain'
import { backoffMs, DeadlinePassed, pause } from './deadline.ts'
import { recordedEvent } from './encoding.ts'
import { isStoreFailure } from './failures.ts'
import { filterOf } from './filtered-read.ts'
import type { EventStoreDbMetrics, SubscriptionFigures } from './metrics.ts'
import { portPosition, serverPosition } from './positions.ts'
import { isWanted } from './read.ts'

type Dependencies = {
  readonly client: () => EventStoreDBClient
  readonly metrics: EventStoreDbMetrics
  /** Unix milliseconds. */
  readonly clock: () => number
  /** How long a server may take to confirm a subscription. Later silence means that nothing happens. */
  readonly deadlineMs: number
}

/**
 * The events of one connection, until it ends by itself or by the signal. Errors: throws any other cause of its end.
 */
async function* connected(
  { client, deadlineMs }: Dependencies,
  options: SubscribeToAllOptions,
  signal: AbortSignal,
  figures: SubscriptionFigures,
): AsyncGenerator<AllStreamResolvedEvent, void> {
  const subscription = client().subscribeToAll(options)
  const end = (cause?: Error): void => {
    // Fails if no call was ever made.
    subscription.unsubscribe().catch(() => undefined)
    subscription.destroy(cause)
  }
  const abort = (): void => end()
  const timer = setTimeout(() => end(new DeadlinePassed(deadlineMs)), deadlineMs)
  subscription.once('confirmation', () => {
    clearTimeout(timer)
    figures.isConnected = true
  })
  // The iteration throws it; without a listener, an error after its end would end the process.
  subscription.on('error', () => undefined)
  signal.addEventListener('abort', abort)
  try {
    if (!signal.aborted) yield* subscription
  } finally {
    clearTimeout(timer)
    figures.isConnected = false
    signal.removeEventListener('abort', abort)
    end()
  }
}

/**
 * Every event of `$all` after a position whose stream has one of the prefixes (null: any), then later appends, until the signal aborts. Any other end, clean or
 * not, is a drop: the subscription resumes after the last event seen. It ignores the server's checkpoints, which may
 * lie at an undelivered event.
 * Errors: throws `AccessDeniedError`, and `AlteredLog` where the server gives no positions.
 */
export async function* follow(
  dependencies: Dependencies,
  after: bigint,
  signal: AbortSignal,
  prefixes: ReadonlyArray<string> | null,
): AsyncGenerator<RecordedEvent, void> {
  const { metrics } = dependencies
  const figures: SubscriptionFigures = {
    streamPrefixes: prefixes,
    isConnected: false,
    lagMs: null,
  }
  metrics.subscriptions.add(figures)
  try {
    yield* resumed(dependencies, after, signal, prefixes, figures)
  } finally {
    metrics.subscriptions.delete(figures)
  }
}

/** Subscribes and keeps the figures. */
async function* resumed(
  dependencies: Dependencies,
  after: bigint,
  signal: AbortSignal,
  prefixes: ReadonlyArray<string> | null,
  figures: SubscriptionFigures,
): AsyncGenerator<RecordedEvent, void> {
  const { metrics, clock } = dependencies
  if (prefixes?.length === 0) await pause(2 ** 31 - 1, signal)
  let last = after
  for (let attempts = 0; !signal.aborted; attempts += 1) {
    const options: SubscribeToAllOptions = { fromPosition: serverPosition(last) }
    if (prefixes !== null) options.filter = filterOf(prefixes)
    try {
      for await (const resolved of connected(dependencies, options, signal, figures)) {
        const position = portPosition(resolved.event?.position) ?? last
        if (position <= last) continue
        last = position
        attempts = 0
        const event = recordedEvent(resolved)
        if (event === null || !isWanted(event, prefixes)) continue
        figures.lagMs = Math.max(0, clock() - event.recordedAt)
        yield event
        if (signal.aborted) return
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof AccessDeniedError || !isStoreFailure(error)) throw error
    }
    if (signal.aborted) return
    metrics.subscriptionDrops += 1
    await pause(backoffMs(attempts), signal)
  }
}
