import type { AllStreamPosition, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { PeerEvent, Position } from './log.ts'

const ticksPerMs = 10_000n
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const streamName = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')

export const streamIdentifier = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(new Uint8Array(Buffer.from(stream, 'utf8')))
  return identifier
}

/** An id in normal form; null where it is not a UUID, which a server refuses. */
export const uuidText = (uuid: UUID | undefined): string | null => {
  if (uuid === undefined) return null
  const structured = uuid.getStructured()
  const text =
    structured === undefined
      ? uuid.getString().toLowerCase()
      : [structured.getMostSignificantBits(), structured.getLeastSignificantBits()]
          .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
          .join('')
          .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return uuidForm.test(text) ? text : null
}

const uuid = (text: string): UUID => {
  const message = new shared.UUID()
  message.setString(text)
  return message
}

export const allStreamPosition = ({ commit, prepare }: Position): AllStreamPosition => {
  const message = new shared.AllStreamPosition()
  message.setCommitPosition(String(commit))
  message.setPreparePosition(String(prepare))
  return message
}

export const eventMessage = (event: PeerEvent): ReadResp => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(uuid(event.id))
  recorded.setStreamIdentifier(streamIdentifier(event.stream))
  recorded.setStreamRevision(String(event.revision))
  recorded.setCommitPosition(String(event.position.commit))
  recorded.setPreparePosition(String(event.position.prepare))
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.created) * ticksPerMs))
  recorded.setCustomMetadata(event.metadata)
  recorded.setData(event.data)
  const read = new streams.ReadResp.ReadEvent()
  read.setEvent(recorded)
  read.setCommitPosition(String(event.position.commit))
  const message = new streams.ReadResp()
  message.setEvent(read)
  return message
}

export const confirmationMessage = (subscriptionId: string): ReadResp => {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation()
  confirmation.setSubscriptionId(subscriptionId)
  const message = new streams.ReadResp()
  message.setConfirmation(confirmation)
  return message
}

export const checkpointMessage = ({ commit, prepare }: Position): ReadResp => {
  const checkpoint = new streams.ReadResp.Checkpoint()
  checkpoint.setCommitPosition(String(commit))
  checkpoint.setPreparePosition(String(prepare))
  const message = new streams.ReadResp()
  message.setCheckpoint(checkpoint)
  return message
}

export const caughtUpMessage = (): ReadResp => {
  const message = new streams.ReadResp()
  message.setCaughtUp(new streams.ReadResp.CaughtUp())
  return message
}

export const fellBehindMessage = (): ReadResp => {
  const message = new streams.ReadResp()
  message.setFellBehind(new streams.ReadResp.FellBehind())
  return message
}

export const streamNotFoundMessage = (stream: string): ReadResp => {
  const notFound = new streams.ReadResp.StreamNotFound()
  notFound.setStreamIdentifier(streamIdentifier(stream))
  const message = new streams.ReadResp()
  message.setStreamNotFound(notFound)
  return message
}
