import codes from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statusMessages from '@eventstore/db-client/generated/status_pb.js'
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js'
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js'
import { proposedFrom, type Write } from './append.ts'
import { accessDenied, notLeader, unavailable, unknownFailure } from './errors.ts'
import type { Expected, Outcome } from './judge-append.ts'
import type { Proposed } from './log.ts'
import { allStreamPosition, streamName, uuidText } from './messages.ts'
import { type Conduct, faultyOutcome, sleep } from './misbehaviour.ts'

const expectedOf = (options: BatchAppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'noStream'
  if (options.hasStreamExists()) return 'streamExists'
  return options.hasStreamPosition() ? { revision: Number(options.getStreamPosition()) } : 'any'
}

const empty = () => new emptyMessages.Empty()

/** google.rpc.Status with EventStoreDB's own error in its details. */
const wrongExpectedVersion = (current: number, expected: Expected) => {
  const wrong = new shared.WrongExpectedVersion()
  if (current < 0) wrong.setCurrentNoStream(empty())
  else wrong.setCurrentStreamRevision(String(current))
  if (expected === 'any') wrong.setExpectedAny(empty())
  else if (expected === 'noStream') wrong.setExpectedNoStream(empty())
  else if (expected === 'streamExists') wrong.setExpectedStreamExists(empty())
  else wrong.setExpectedStreamPosition(String(expected.revision))
  const details = new anyMessages.Any()
  details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion')
  const error = new statusMessages.Status()
  error.setCode(codes.Code.FAILED_PRECONDITION)
  error.setMessage('Wrong expected version')
  error.setDetails(details)
  return error
}

type Pending = { readonly options: BatchAppendReq.Options; readonly events: Proposed[] }

const answer = (request: BatchAppendReq, options: BatchAppendReq.Options, outcome: Outcome): BatchAppendResp => {
  const response = new streams.BatchAppendResp()
  response.setCorrelationId(request.getCorrelationId())
  response.setStreamIdentifier(options.getStreamIdentifier())
  if (outcome._tag === 'wrongExpectedVersion') {
    response.setError(wrongExpectedVersion(outcome.current, expectedOf(options)))
    return response
  }
  const success = new streams.BatchAppendResp.Success()
  if (outcome.revision < 0) success.setNoStream(empty())
  else success.setCurrentRevision(String(outcome.revision))
  if (outcome.position === null) success.setNoPosition(empty())
  else success.setPosition(allStreamPosition(outcome.position))
  response.setSuccess(success)
  return response
}

/** A refusal of a stream that the caller may not write. */
const refusal = (request: BatchAppendReq, options: BatchAppendReq.Options): BatchAppendResp => {
  const error = new statusMessages.Status()
  const details = new anyMessages.Any()
  details.pack(new shared.AccessDenied().serializeBinary(), 'event_store.client.AccessDenied')
  error.setCode(codes.Code.PERMISSION_DENIED)
  error.setMessage('Access Denied')
  error.setDetails(details)
  const response = new streams.BatchAppendResp()
  response.setCorrelationId(request.getCorrelationId())
  response.setStreamIdentifier(options.getStreamIdentifier())
  response.setError(error)
  return response
}

/**
 * Streams.BatchAppend: appends of many callers on one stream, each in one or more messages, identified by correlation
 * ids.
 */
export const batchAppendHandler =
  (write: Write, conduct: Conduct) =>
  (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
    const pending = new Map<string, Pending>()
    let acted = 0

    const act = async (request: BatchAppendReq, { options, events }: Pending): Promise<void> => {
      const fault = conduct.current()
      conduct.sawAppend()
      if (fault._tag === 'silent') return
      if (!conduct.allows(call.metadata)) return void call.emit('error', accessDenied)
      if (fault._tag === 'unavailable') return void call.emit('error', unavailable)
      if (fault._tag === 'notLeader') return void call.emit('error', notLeader(fault.host, fault.port))
      if (fault._tag === 'fails') return void call.emit('error', unknownFailure)
      if (fault._tag === 'endsCleanly') return void call.end()
      if (fault._tag === 'slow') await sleep(fault.delayMs)
      const stream = streamName(options.getStreamIdentifier())
      acted += 1
      if (fault._tag === 'overtakes' && acted % 10 === 7) await sleep(20)
      if (fault._tag === 'refusesStream' && fault.stream === stream) return void call.write(refusal(request, options))
      const outcome = faultyOutcome(fault, () => write(stream, expectedOf(options), events))
      if (fault._tag === 'holdsReplies') return
      if (fault._tag === 'losesReplies') return void call.emit('error', unavailable)
      call.write(answer(request, options, outcome))
    }

    call.on('data', (request: BatchAppendReq) => {
      const correlation = uuidText(request.getCorrelationId()) ?? ''
      const options = pending.get(correlation)?.options ?? request.getOptions()
      if (options === undefined) return void call.emit('error', unknownFailure)
      const events = request.getProposedMessagesList().map(proposedFrom)
      const known = pending.get(correlation) ?? { options, events: [] }
      known.events.push(...events.filter((event) => event !== null))
      pending.set(correlation, known)
      if (!request.getIsFinal()) return
      pending.delete(correlation)
      void act(request, known)
    })
    call.on('end', () => call.end())
    call.on('error', () => undefined)
  }
