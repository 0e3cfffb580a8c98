import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  type Filter as ServerFilter,
  streamNameFilter,
} from '@eventstore/db-client'
import { DeadlinePassed } from './deadline.ts'
import { isPassing, SubscriptionEnded } from './failures.ts'
import { portPosition, serverPosition } from './positions.ts'

/** How many events the server looks at between two checkpoints, which show that it is still looking. */
const searchWindow = 500

export const filterOf = (
  prefixes: ReadonlyArray<string>,
  checkpointReached?: ServerFilter['checkpointReached'],
): ServerFilter =>
  streamNameFilter({
    prefixes: [...prefixes],
    maxSearchWindow: searchWindow,
    ...(checkpointReached === undefined ? {} : { checkpointReached }),
  })

export type FilteredPage = {
  /** In order, after the start and up to the end. */
  readonly events: ReadonlyArray<AllStreamResolvedEvent>
  /**
   * Whether more may follow up to the end: `nothing`; `nothing, surely` where the server has also shown that it had
   * reached the end itself; `perhaps`; or `unknown`, since the server does not say when a subscription has caught up.
   */
  readonly more: 'nothing' | 'nothing, surely' | 'perhaps' | 'unknown'
}

export type FilteredRead = {
  readonly prefixes: ReadonlyArray<string>
  readonly after: bigint
  /** The last wanted position. */
  readonly end: bigint
  readonly most: number
  /** How long a server may be silent before it confirms the subscription. */
  readonly silenceMs: number
}

/** A server that looks for events sends checkpoints. One that is silent for so long has caught up without a word. */
const longestSilenceMs = 1_000

/**
 * Reads a page of the streams with some prefixes, of which the server sends no others. The client's reads have no filter;
 * its subscriptions have.
 * Errors: throws the subscription's failure, `SubscriptionEnded`, and `DeadlinePassed`, unless it has events to give.
 */
export const readFiltered = (
  client: EventStoreDBClient,
  { prefixes, after, end, most, silenceMs }: FilteredRead,
): Promise<FilteredPage> =>
  new Promise((resolve, reject) => {
    const events: Array<AllStreamResolvedEvent> = []
    let [reached, checkpoint, isOver] = [after, 0n, false]
    const filter = filterOf(prefixes, async (_, position) => {
      checkpoint = portPosition(position) ?? checkpoint
      timer.refresh()
    })
    const subscription = client.subscribeToAll({ fromPosition: serverPosition(after), filter })

    const leave = (): void => {
      isOver = true
      clearTimeout(timer)
      // Fails if no call was ever made.
      subscription.unsubscribe().catch(() => undefined)
      subscription.destroy()
    }
    const finish = (more: FilteredPage['more']): void => {
      if (isOver) return
      leave()
      resolve({ events, more })
    }
    const fail = (cause: unknown): void => {
      // What has come is kept, so that a connection that breaks again and again still gets on.
      if (events.length > 0 && isPassing(cause)) finish('perhaps')
      if (isOver) return
      leave()
      reject(cause)
    }
    let timer = setTimeout(() => fail(new DeadlinePassed(silenceMs)), silenceMs)
    /** Events that came before are still on their way through the client's buffer. */
    const caughtUp = (): void => {
      if (subscription.readableLength > 0) setImmediate(caughtUp)
      else finish(reached >= end || checkpoint >= end ? 'nothing, surely' : 'nothing')
    }
    subscription.on('confirmation', () => {
      clearTimeout(timer)
      timer = setTimeout(() => finish('unknown'), longestSilenceMs)
    })
    subscription.on('caughtUp', () => setImmediate(caughtUp))
    subscription.on('data', (resolved: AllStreamResolvedEvent) => {
      if (isOver) return
      timer.refresh()
      const position = portPosition(resolved.event?.position) ?? reached
      if (position > end) return finish('nothing, surely')
      if (position <= reached) return
      reached = position
      events.push(resolved)
      if (position === end) finish('nothing, surely')
      else if (events.length === most) finish('perhaps')
    })
    subscription.on('error', fail)
    subscription.on('end', () => fail(new SubscriptionEnded()))
  })
