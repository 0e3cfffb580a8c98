import type {
  FailureCause,
  LedgerSequence,
  SubscriptionCommand,
  SubscriptionEvent,
  Text,
  UnixMs,
} from '@quittance/domain'
import { secondMs } from '@quittance/domain'
import type { TracedAct } from './traced.ts'

type DelayCause = Exclude<Extract<SubscriptionCommand, { readonly type: 'DelayCharge' }>['cause'], 'cause_stands'>

/** That the customer paid, or could not: `lagMs` after the attempt of that moment. */
type Paid = { readonly _tag: 'paid'; readonly at: UnixMs; readonly lagMs: number }
type Failed = {
  readonly _tag: 'failed'
  readonly at: UnixMs
  readonly lagMs: number
  readonly cause: FailureCause
  readonly isHard: boolean
  readonly code: Text | null
  readonly includedIn: LedgerSequence | null
}
/** That there was a rate to attempt a charge by, or that none could be attempted. */
type Priced = { readonly _tag: 'priced'; readonly at: UnixMs }
type Delayed = { readonly _tag: 'delayed'; readonly at: UnixMs; readonly cause: DelayCause }
/** What a look at a hard cause has found. */
type Looked =
  | { readonly _tag: 'stood'; readonly at: UnixMs; readonly cause: FailureCause }
  | { readonly _tag: 'cured'; readonly at: UnixMs }

/** What a record says about how a charge of some moment would have ended. */
export type Evidence = Paid | Failed | Priced | Delayed | Looked

/** A ledger closes about so long after a charge was attempted. */
export const usualLagMs = 5 * secondMs

/**
 * All that the record of a subscription says of charges, in the order of the moments it speaks of: for an attempt, that of
 * the attempt. Attempts that were never sent say nothing. An invoice that was paid says that there was money.
 */
export const evidenceOf = (acts: ReadonlyArray<TracedAct>): ReadonlyArray<Evidence> => {
  const attempted = new Map(acts.at(-1)?.state.attempts.map(({ paymentId, at }) => [paymentId, at]))
  const found = acts.flatMap((act, index) =>
    act.events.flatMap((event) => evidenceIn(event, attempted, acts[index - 1] ?? act)),
  )
  return found.toSorted((one, other) => one.at - other.at)
}

const evidenceIn = (
  { type, data }: SubscriptionEvent,
  attempted: ReadonlyMap<string, UnixMs>,
  before: TracedAct,
): ReadonlyArray<Evidence> => {
  switch (type) {
    case 'SubscriptionStarted':
      return data.details.firstPaymentId === null
        ? []
        : [
            { _tag: 'priced', at: data.details.startedAt },
            { _tag: 'paid', at: data.details.startedAt, lagMs: usualLagMs },
          ]
    case 'ChargeAttempted':
      return data.agreedRates === undefined
        ? [{ _tag: 'priced', at: data.at }]
        : [{ _tag: 'delayed', at: data.at, cause: 'no_rate' }]
    case 'ChargeConfirmed':
    case 'PaymentSetAside': {
      const at = attempted.get(data.paymentId) ?? data.closedAt
      return [{ _tag: 'paid', at, lagMs: Math.max(0, data.closedAt - at) }]
    }
    case 'InvoiceSettled':
      return [{ _tag: 'paid', at: data.closedAt, lagMs: usualLagMs }]
    case 'ChargeFailed': {
      const { cause, code, includedIn, failedAt } = data
      const isHard = data.outcome === 'hard'
      const at = attempted.get(data.paymentId) ?? failedAt
      return cause === 'not_sent'
        ? []
        : [{ _tag: 'failed', at, lagMs: Math.max(0, failedAt - at), cause, isHard, code, includedIn }]
    }
    case 'ChargeDelayed': {
      const { cause, at } = data
      if (cause !== 'cause_stands') return [{ _tag: 'delayed', at, cause }]
      const { collection } = before.state
      return collection._tag === 'dunning' ? [{ _tag: 'stood', at, cause: collection.cause }] : []
    }
    case 'ResumeFailed': {
      const { cause, at } = data
      return cause === 'no_rate' || cause === 'no_node' || cause === 'no_ledger' ? [{ _tag: 'delayed', at, cause }] : []
    }
    case 'BecameOverdue':
    case 'Paused':
      return data.unsettled === undefined || data.unsettled === 'charge_failed'
        ? []
        : [{ _tag: 'delayed', at: data.at, cause: 'no_rate' }]
    case 'RetryRequested':
      return data.cause === 'cured' ? [{ _tag: 'cured', at: data.at }] : []
    default:
      return []
  }
}

/** The evidence of a kind whose moment is the nearest to another; of two, the earlier; null where there is none. */
export const nearest = <Kind extends Evidence['_tag']>(
  evidence: ReadonlyArray<Evidence>,
  at: UnixMs,
  kinds: ReadonlyArray<Kind>,
): Extract<Evidence, { readonly _tag: Kind }> | null => {
  let best: Extract<Evidence, { readonly _tag: Kind }> | null = null
  const isWanted = (each: Evidence): each is Extract<Evidence, { readonly _tag: Kind }> =>
    kinds.some((kind) => kind === each._tag)
  for (const each of evidence) {
    if (!isWanted(each)) continue
    const isNearer = best === null || Math.abs(each.at - at) < Math.abs(best.at - at)
    // Of two about one moment, such as an attempt that was given up and landed, the later one counts.
    if (isNearer || each.at === best?.at) best = each
  }
  return best
}
