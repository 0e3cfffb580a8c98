import { type RecordedEvent, unixMs } from '@quittance/domain'
import { judgeOf, type StreamJudge } from '@quittance/domain/replay'
import { type Finding, findingAt, type LogCheck } from '../log-check.ts'

/** A stream so far. `append`: its newest events, which one command has recorded together. */
type Stream = { readonly judge: StreamJudge | null; append: Array<RecordedEvent> }

/**
 * Replays every stream through its decider, and names each event that no command could have recorded where it is: an amount, a
 * status or an order that the rules forbid. Holds the state of each stream until it has ended.
 */
export const decisionsCheck = (): LogCheck => {
  const streams = new Map<string, Stream>()
  const found: Array<Finding> = []
  const judge = ({ judge: streamJudge, append }: Stream): void => {
    const [first] = append
    if (streamJudge === null || first === undefined) return
    for (const { place, problem } of streamJudge.append(append, unixMs(first.metadata.occurredAt))) {
      const event = append[place]
      if (event !== undefined) found.push(findingAt(event, `${event.type}: ${problem}`))
    }
  }
  return {
    see: (event) => {
      const stream = streams.get(event.stream) ?? { judge: judgeOf(event.stream), append: [] }
      streams.set(event.stream, stream)
      if (stream.append[0]?.metadata.commandId !== event.metadata.commandId) {
        judge(stream)
        stream.append = []
      }
      stream.append.push(event)
    },
    endStream: (name) => {
      const stream = streams.get(name)
      if (stream !== undefined) judge(stream)
      streams.delete(name)
    },
    end: async () => {
      for (const stream of streams.values()) judge(stream)
      return found
    },
  }
}
