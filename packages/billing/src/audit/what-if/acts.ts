import { type RecordedEvent, Subscription, type SubscriptionEvent, type UnixMs, unixMs } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'

/** What one command has recorded in the stream of a subscription. `at`: when it happened; `position`: its place in the log. */
export type Act = {
  readonly revision: bigint
  readonly position: bigint
  readonly at: UnixMs
  readonly events: ReadonlyArray<SubscriptionEvent>
}

const decode = decodedBy(Subscription)

/** The acts of a stream, in its order. Throws `UnreadableEvent` for an event that this release cannot read. */
export const actsOf = (recorded: ReadonlyArray<RecordedEvent>): ReadonlyArray<Act> => {
  const acts: Array<Act> = []
  let commandId: string | null = null
  for (const each of recorded) {
    const event = decode(each)
    const last = acts.at(-1)
    if (last !== undefined && each.metadata.commandId === commandId) {
      acts[acts.length - 1] = { ...last, events: [...last.events, event] }
      continue
    }
    commandId = each.metadata.commandId
    const { revision, position, metadata } = each
    acts.push({ revision, position, at: unixMs(metadata.occurredAt), events: [event] })
  }
  return acts
}
