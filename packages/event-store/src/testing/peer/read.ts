import { randomUUID } from 'node:crypto'
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'
import { accessDenied, invalidArgument, notLeader, unavailable, unknownFailure } from './errors.ts'
import type { PeerEvent, PeerLog } from './log.ts'
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  fellBehindMessage,
  streamName,
  streamNotFoundMessage,
} from './messages.ts'
import { type Conduct, sleep } from './misbehaviour.ts'
import { checkpointInterval, readOnce, subscriptionCursor, wantedBy } from './read-request.ts'

type ReadCall = ServerWritableStream<ReadReq, ReadResp>

/** Resolves at the next append, or when the call ends. */
export type NextAppend = (call: ReadCall) => Promise<void>

/** Resolves once the call accepts more data, or ends. */
const drained = (call: ReadCall): Promise<void> =>
  new Promise((resolve) => {
    const events = ['drain', 'close', 'cancelled'] as const
    const finish = (): void => {
      for (const event of events) call.off(event, finish)
      resolve()
    }
    for (const event of events) call.on(event, finish)
  })

const send = async (call: ReadCall, message: ReadResp): Promise<void> => {
  if (call.cancelled || call.destroyed) return
  if (!call.write(message)) await drained(call)
}

const eventsPerBatch = 500
/** The lag, in events, at which a live subscription is told that it fell behind. */
const behind = 250

/** Streams a stream or `$all` until the caller leaves. */
const follow = async (
  call: ReadCall,
  options: ReadReq.Options,
  log: PeerLog,
  conduct: Conduct,
  next: NextAppend,
): Promise<void> => {
  const { stream, after: start } = subscriptionCursor(log, options)
  const filter = options.getFilter()
  const isWanted = wantedBy(filter)
  const interval = filter === undefined ? Number.POSITIVE_INFINITY : checkpointInterval(filter)
  let [after, delivered, lookedAt, isLive] = [start, 0, 0, false]
  const batch = (): ReadonlyArray<PeerEvent> =>
    stream === null ? log.allAfter(after, eventsPerBatch) : log.streamForwards(stream, after + 1, eventsPerBatch)

  await send(call, confirmationMessage(randomUUID()))
  while (!call.cancelled && !call.destroyed) {
    const events = batch()
    if (isLive && events.length > behind) {
      isLive = false
      await send(call, fellBehindMessage())
    }
    for (const event of events) {
      const fault = conduct.current()
      const isEnough = 'afterEvents' in fault && delivered >= fault.afterEvents
      if (fault._tag === 'silent') return
      if (fault._tag === 'fails') return void call.emit('error', unknownFailure)
      if (fault._tag === 'slow') await sleep(fault.delayMs)
      if (isEnough && isWanted(event)) {
        if (fault._tag === 'checkpointsAhead') await send(call, checkpointMessage(event.position))
        return void call.end()
      }
      if (isWanted(event)) {
        await send(call, eventMessage(event))
        conduct.sentEvent()
        delivered += 1
      }
      after = stream === null ? event.sequence : event.revision
      lookedAt += 1
      if (lookedAt % interval === 0) await send(call, checkpointMessage(event.position))
    }
    if (events.length > 0) continue
    if (!isLive && conduct.current()._tag !== 'neverCaughtUp') await send(call, caughtUpMessage())
    isLive = true
    await next(call)
  }
}

const readAndEnd = async (call: ReadCall, options: ReadReq.Options, log: PeerLog, conduct: Conduct): Promise<void> => {
  const events = readOnce(log, options)
  const stream = options.getStream()
  const name = streamName(stream?.getStreamIdentifier())
  if (stream !== undefined && events.length === 0 && log.lastRevision(name) < 0) {
    await send(call, streamNotFoundMessage(name))
  }
  for (const event of events) {
    await send(call, eventMessage(event))
    conduct.sentEvent()
  }
  call.end()
}

/** Streams.Read: reads and subscriptions, of a stream or of `$all`. */
export const readHandler =
  (log: PeerLog, conduct: Conduct, next: NextAppend) =>
  (call: ReadCall): void => {
    const serve = async (): Promise<void> => {
      const options = call.request.getOptions()
      const fault = conduct.current()
      if (options === undefined) return void call.emit('error', invalidArgument('A read without options'))
      if (fault._tag === 'silent') return
      if (!conduct.allows(call.metadata)) return void call.emit('error', accessDenied)
      if (fault._tag === 'unavailable') return void call.emit('error', unavailable)
      if (fault._tag === 'notLeader' && call.metadata.get('requires-leader').includes('true')) {
        return void call.emit('error', notLeader(fault.host, fault.port))
      }
      if (fault._tag === 'slow') await sleep(fault.delayMs)
      await (options.hasSubscription()
        ? follow(call, options, log, conduct, next)
        : readAndEnd(call, options, log, conduct))
    }
    call.on('error', () => undefined)
    void serve()
  }
