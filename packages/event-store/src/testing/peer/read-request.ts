import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { PeerEvent, PeerLog } from './log.ts'
import { streamName } from './messages.ts'

/** A reader's position: the last revision of its stream, or the last sequence number, that it has read. */
export type ReadCursor = {
  /** Null for `$all`. */
  readonly stream: string | null
  readonly after: number
}

export type Wanted = (event: PeerEvent) => boolean

const startOfStream = (log: PeerLog, stream: string, options: ReadReq.Options.StreamOptions): number => {
  if (options.hasRevision()) return Number(options.getRevision())
  return options.hasEnd() ? log.lastRevision(stream) : 0
}

/** The revision or sequence number after which a subscription starts, from the client's position. */
export const subscriptionCursor = (log: PeerLog, options: ReadReq.Options): ReadCursor => {
  const ofStream = options.getStream()
  if (ofStream !== undefined) {
    const stream = streamName(ofStream.getStreamIdentifier())
    return { stream, after: ofStream.hasStart() ? -1 : startOfStream(log, stream, ofStream) }
  }
  const ofAll = options.getAll()
  const position = ofAll?.getPosition()
  if (position !== undefined) {
    const place = { commit: Number(position.getCommitPosition()), prepare: Number(position.getPreparePosition()) }
    return { stream: null, after: log.sequenceBefore(place, true) }
  }
  return { stream: null, after: ofAll?.hasEnd() === true ? log.end() : 0 }
}

/** The events of one read. Forwards it includes the client's position; backwards in `$all` it starts before it. */
export const readOnce = (log: PeerLog, options: ReadReq.Options): ReadonlyArray<PeerEvent> => {
  const limit = Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER)
  const isBackwards = Number(options.getReadDirection()) === 1
  const ofStream = options.getStream()
  if (ofStream !== undefined) {
    const stream = streamName(ofStream.getStreamIdentifier())
    const from = startOfStream(log, stream, ofStream)
    if (isBackwards) return log.streamBackwards(stream, from, limit)
    return ofStream.hasEnd() ? [] : log.streamForwards(stream, from, limit)
  }
  const ofAll = options.getAll()
  const position = ofAll?.getPosition()
  if (position !== undefined) {
    const place = { commit: Number(position.getCommitPosition()), prepare: Number(position.getPreparePosition()) }
    const before = log.sequenceBefore(place, false)
    return isBackwards ? log.allBackwards(before, limit) : log.allAfter(before, limit)
  }
  const isAtEnd = ofAll?.hasEnd() === true
  if (isBackwards) return isAtEnd ? log.allBackwards(log.end(), limit) : []
  return isAtEnd ? [] : log.allAfter(0, limit)
}

const expressionOf = (expression: ReadReq.Options.FilterOptions.Expression): ((text: string) => boolean) => {
  const prefixes = expression.getPrefixList()
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix))
  const regex = new RegExp(expression.getRegex())
  return (text) => regex.test(text)
}

/** The events that a filter includes, by stream name or event type. */
export const wantedBy = (filter: ReadReq.Options.FilterOptions | undefined): Wanted => {
  const byStream = filter?.getStreamIdentifier()
  const byType = filter?.getEventType()
  if (byStream !== undefined) {
    const matches = expressionOf(byStream)
    return ({ stream }) => matches(stream)
  }
  if (byType === undefined) return () => true
  const matches = expressionOf(byType)
  return ({ type }) => matches(type)
}

const searchWindow = 32

/** The number of scanned events between checkpoints of a filtered subscription. */
export const checkpointInterval = (filter: ReadReq.Options.FilterOptions): number => {
  const window = filter.hasMax() ? filter.getMax() : searchWindow
  return Math.max(1, window * Math.max(1, filter.getCheckpointintervalmultiplier()))
}
