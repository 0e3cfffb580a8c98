import { decimalFromCents, formatAmount, unixMs } from '@quittance/domain'
import { timestamp } from '../../resources/fields.ts'
import type { Reads } from '../../resources/scopes.ts'
import { actorOf } from './actor.ts'
import { voiceOf } from './tellers/index.ts'
import type { Told, ToldEvent } from './told.ts'

/**
 * Why an entry is there: another entry of the same history (`event`), a request of whoever the actor is, what a closed ledger
 * holds, a time that had come, or a step of the service's own.
 */
export type Cause = {
  readonly type: 'event' | 'request' | 'ledger' | 'clock' | 'service'
  readonly entry_id: string | null
}

/** One entry of a history, with all that the event itself tells. Times are ISO; no personal data. */
export type TimelineEntry = ReturnType<typeof entryOf>

/**
 * The entries of a story, in the order of the log, each with its cause. A reader who may not read a family of resources gets
 * none of its entries; what moves on the ledger is shown with what wanted it.
 */
export const timelineOf = (story: ReadonlyArray<ToldEvent>, reads: Reads): ReadonlyArray<TimelineEntry> => {
  const latest = new Map<string, { readonly id: string; readonly place: number }>()
  const isRead = (each: ToldEvent): boolean => {
    const { family } = voiceOf(each.recorded.stream)
    if (each.told.needs !== undefined && !reads(each.told.needs)) return false
    return family === null ? isOwnersRead(each.told, reads) : reads(family)
  }
  return story.filter(isRead).map((each, place) => {
    const cause = causeOf(each, latest)
    const { id, type, stream } = each.recorded
    for (const name of [stream, each.told.alsoIn ?? stream]) latest.set(`${name}\n${type}`, { id, place })
    return entryOf(each, cause)
  })
}

const ownerFamilies = { pay_: 'payments', rf_: 'refunds', ret_: 'exceptions', po_: 'payouts' } as const

/** Whether whoever wanted the movement may be read. */
const isOwnersRead = ({ names = [] }: Told, reads: Reads): boolean =>
  Object.entries(ownerFamilies).every(([prefix, family]) => !names.some((id) => id.startsWith(prefix)) || reads(family))

type Latest = ReadonlyMap<string, { readonly id: string; readonly place: number }>

/** The newest entry of those that it may follow; else who asked for it; else the ledger, or the time. */
const causeOf = ({ recorded, told }: ToldEvent, latest: Latest): Cause => {
  const found = (told.follows ?? [])
    .flatMap(({ stream, types }) => types.map((type) => latest.get(`${stream}\n${type}`)))
    .reduce((newest, each) => (each === undefined || (newest?.place ?? -1) > each.place ? newest : each), undefined)
  if (found !== undefined) return { type: 'event', entry_id: found.id }
  const byService = actorOf(recorded.metadata.actor).type === 'service'
  return { type: byService ? (told.root ?? 'service') : 'request', entry_id: null }
}

const entryOf = ({ recorded, resourceId, told, status }: ToldEvent, cause: Cause) => {
  const { id, type, revision, recordedAt, metadata, stream } = recorded
  const { price = null, amount = null } = told
  return {
    id,
    object: 'history_entry' as const,
    resource: { object: voiceOf(stream).resource, id: resourceId },
    type,
    revision: Number(revision),
    occurred_at: timestamp(unixMs(metadata.occurredAt)),
    recorded_at: timestamp(unixMs(recordedAt)),
    actor: metadata.actor,
    actor_type: actorOf(metadata.actor).type,
    what: told.what,
    why: told.why ?? null,
    cause,
    status,
    price: price === null ? null : { amount: decimalFromCents(price.cents), currency: price.currency },
    rates: (told.rates ?? []).map(({ pair, rate, source, observedAt }) => ({
      pair,
      rate,
      source,
      observed_at: timestamp(unixMs(observedAt)),
    })),
    amount: amount === null ? null : formatAmount(amount.stroops, amount.assetId),
    amount_stroops: amount?.stroops.toString() ?? null,
    asset_id: amount?.assetId ?? null,
    transaction_hash: told.transactionHash ?? null,
    ledger: told.ledger ?? null,
    command_id: metadata.commandId,
    correlation_id: metadata.correlationId,
    causation_id: metadata.causationId,
    hash: metadata.hash,
  }
}
