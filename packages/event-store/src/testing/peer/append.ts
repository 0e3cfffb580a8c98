import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerReadableStream, sendUnaryData } from '@grpc/grpc-js'
import { accessDenied, invalidArgument, notLeader, unavailable } from './errors.ts'
import type { Expected, Outcome } from './judge-append.ts'
import type { Proposed } from './log.ts'
import { streamName, uuidText } from './messages.ts'
import { type Conduct, faultyOutcome, sleep } from './misbehaviour.ts'

/** Judges and writes one append; durable against the process's death. */
export type Write = (stream: string, expected: Expected, events: ReadonlyArray<Proposed>) => Outcome

const expectedOf = (options: AppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'noStream'
  if (options.hasStreamExists()) return 'streamExists'
  return options.hasRevision() ? { revision: Number(options.getRevision()) } : 'any'
}

/** Answers null for an id that is not a UUID. */
export const proposedFrom = (
  message: Pick<AppendReq.ProposedMessage, 'getId' | 'getMetadataMap' | 'getData_asU8' | 'getCustomMetadata_asU8'>,
): Proposed | null => {
  const id = uuidText(message.getId())
  const map = message.getMetadataMap()
  return id === null
    ? null
    : {
        id,
        type: map.get('type') ?? '',
        contentType: map.get('content-type') ?? 'application/octet-stream',
        data: message.getData_asU8(),
        metadata: message.getCustomMetadata_asU8(),
      }
}

const answer = (outcome: Outcome, expected: Expected): AppendResp => {
  const response = new streams.AppendResp()
  if (outcome._tag === 'success') {
    const success = new streams.AppendResp.Success()
    if (outcome.revision < 0) success.setNoStream(new shared.Empty())
    else success.setCurrentRevision(String(outcome.revision))
    if (outcome.position === null) success.setNoPosition(new shared.Empty())
    else {
      const position = new streams.AppendResp.Position()
      position.setCommitPosition(String(outcome.position.commit))
      position.setPreparePosition(String(outcome.position.prepare))
      success.setPosition(position)
    }
    response.setSuccess(success)
    return response
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (outcome.current < 0) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(outcome.current))
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'noStream') wrong.setExpectedNoStream(new shared.Empty())
  else if (expected === 'streamExists') wrong.setExpectedStreamExists(new shared.Empty())
  else wrong.setExpectedRevision(String(expected.revision))
  response.setWrongExpectedVersion(wrong)
  return response
}

/** Streams.Append: a header, then one message per event. */
export const appendHandler =
  (write: Write, conduct: Conduct) =>
  (call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp>): void => {
    let options: AppendReq.Options | undefined
    const events: (Proposed | null)[] = []
    const act = async (): Promise<void> => {
      const fault = conduct.current()
      conduct.sawAppend()
      if (fault._tag === 'silent') return
      if (!conduct.allows(call.metadata)) return callback(accessDenied)
      if (fault._tag === 'unavailable') return callback(unavailable)
      if (fault._tag === 'notLeader') return callback(notLeader(fault.host, fault.port))
      if (fault._tag === 'slow') await sleep(fault.delayMs)
      const proposed = events.filter((event) => event !== null)
      if (options === undefined || proposed.length < events.length) return callback(invalidArgument('Malformed append'))
      const expected = expectedOf(options)
      const stream = streamName(options.getStreamIdentifier())
      const outcome = faultyOutcome(fault, () => write(stream, expected, proposed))
      if (fault._tag === 'holdsReplies') return
      if (fault._tag === 'losesReplies') return callback(unavailable)
      callback(null, answer(outcome, expected))
    }
    call.on('data', (request: AppendReq) => {
      options ??= request.getOptions()
      const message = request.getProposedMessage()
      if (message !== undefined) events.push(proposedFrom(message))
    })
    // A broken connection also ends the stream, just before the call reports its cancellation.
    call.on('end', () => setImmediate(() => (call.cancelled ? undefined : act())))
    // A caller that has gone away is not a failure of the peer.
    call.on('error', () => undefined)
  }
