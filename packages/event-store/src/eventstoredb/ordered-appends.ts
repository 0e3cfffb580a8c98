import { type AppendToStreamOptions, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client'
import { noEvents } from '../port.ts'
import type { Connection } from './connection.ts'
import { DeadlinePassed, within } from './deadline.ts'
import { storedToSend } from './encoding.ts'
import { isStoreFailure } from './failures.ts'
import type { OrderedAppend, OrderedOutcome } from './ordered-append.ts'
import { portPosition } from './positions.ts'

type Answer = { readonly position: bigint } | { readonly failure: NonNullable<OrderedOutcome['failure']> }

// More would wait in the client for the network, where one may overtake another.
const underWay = 12

/** One that the server may refuse for its size goes alone: those behind it would be written without it. */
const largeUnits = 300_000
const isLarge = ({ events }: OrderedAppend): boolean => {
  let units = 0
  for (const { stored } of events) units += stored.data.length + stored.metadata.length
  return units > largeUnits
}

/**
 * Writes appends of several streams in their order, over the client's one long call. The protocol does not promise that the
 * server keeps the order, so the positions in the answers are checked. After the first failure nothing more is sent, and what was sent is waited for.
 */
export const orderedAppender = (connection: Connection, deadlineMs: number) => {
  let isWarm = false

  const send = async ({ stream, head, events }: OrderedAppend): Promise<Answer> => {
    const client = connection.client()
    const options: AppendToStreamOptions = {
      expectedRevision: head.revision === noEvents.revision ? NO_STREAM : head.revision,
      deadline: deadlineMs,
    }
    try {
      const sent = events.map(({ stored, data }) => storedToSend(stored, data))
      const answer = await within(client.appendToStream(stream, sent, options), deadlineMs)
      const position = portPosition(answer.position)
      const isAsExpected = answer.nextExpectedRevision === head.revision + BigInt(events.length)
      if (position !== null && isAsExpected) return { position }
      return { failure: { _tag: 'unknown', cause: new Error('The event store answered with another revision') } }
    } catch (cause) {
      if (cause instanceof WrongExpectedVersionError) return { failure: { _tag: 'conflict' } }
      if (!isStoreFailure(cause)) throw cause
      if (cause instanceof DeadlinePassed) connection.renew(client)
      return { failure: { _tag: 'unknown', cause } }
    }
  }

  return async (appends: ReadonlyArray<OrderedAppend>): Promise<OrderedOutcome> => {
    let [written, position, failure]: [number, bigint | null, OrderedOutcome['failure']] = [0, null, null]
    const answers: Array<Promise<Answer>> = []
    const takeAnswer = async (): Promise<void> => {
      const answer = await answers.shift()
      if (answer === undefined || failure !== null) return
      if ('failure' in answer) {
        failure = answer.failure
        isWarm = false
      } else if (position !== null && answer.position <= position) {
        failure = { _tag: 'disordered' }
      } else {
        written += 1
        position = answer.position
      }
    }
    const takeAll = async (): Promise<void> => {
      while (answers.length > 0) await takeAnswer()
    }
    for (const append of appends) {
      const isAlone = isLarge(append)
      if (isAlone) await takeAll()
      if (failure !== null) break
      answers.push(send(append))
      // The first one opens the call, which a second one could overtake.
      if (!isWarm || isAlone) await takeAll()
      else if (answers.length === underWay) await takeAnswer()
      isWarm = failure === null
    }
    await takeAll()
    return { written, position, failure }
  }
}
