import {
  AccountId,
  AssetId,
  ContractId,
  MandateId,
  type RecordedEvent,
  Stroops,
  Subscription,
  UnixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * The amount to charge again as soon as the wallet can pay, and by which mandate. `owed` is null while nothing is owed or a
 * charge is under way. `amount` is that of the last attempt; `fundedAt` is when the last retry for a funded wallet was made.
 */
export const SubscriptionDebtRow = t.strict({
  contract: ContractId,
  mandateId: MandateId,
  customer: AccountId,
  assetId: AssetId,
  amount: t.union([t.null, Stroops]),
  fundedAt: t.union([t.null, UnixMs]),
  owed: t.union([t.null, t.strict({ amount: Stroops, since: UnixMs })]),
})
export type SubscriptionDebtRow = t.TypeOf<typeof SubscriptionDebtRow>

const decode = decodedBy(Subscription)

const fold = (row: O.Option<SubscriptionDebtRow>, recorded: RecordedEvent): O.Option<SubscriptionDebtRow> => {
  const event = decode(recorded)
  const patch = (change: (row: SubscriptionDebtRow) => Partial<SubscriptionDebtRow>) =>
    O.map((known: SubscriptionDebtRow) => ({ ...known, ...change(known) }))(row)
  switch (event.type) {
    case 'SubscriptionStarted': {
      const { assetId, mandate } = event.data.details
      const { contract, mandateId, customer } = mandate
      return O.some({ contract, mandateId, customer, assetId, amount: null, fundedAt: null, owed: null })
    }
    case 'MandateReplaced': {
      const { contract, mandateId, customer } = event.data.mandate
      const { assetId } = event.data
      return patch((known) => ({ contract, mandateId, customer, assetId: assetId ?? known.assetId }))
    }
    case 'ChargeAttempted':
      return patch(() => ({ amount: event.data.amount, owed: null }))
    case 'ChargeFailed': {
      const { counts, failedAt, retryAt } = event.data
      const isTriedAgain = counts && retryAt !== null
      return patch(({ amount }) => ({ owed: isTriedAgain && amount !== null ? { amount, since: failedAt } : null }))
    }
    case 'RetryRequested': {
      const { cause, at } = event.data
      return patch(({ fundedAt }) => ({ owed: null, fundedAt: cause === 'funded' ? at : fundedAt }))
    }
    case 'ChargeConfirmed':
    case 'InvoiceSettled':
      return patch(() => ({ owed: null, fundedAt: null }))
    case 'BecameOverdue':
    case 'Paused':
    case 'SubscriptionCanceled':
    case 'AttemptsStopped':
      return patch(() => ({ owed: null }))
    case 'TrialEndAnnounced':
    case 'RenewalAnnounced':
    case 'PeriodsForgiven':
    case 'ChargeHandedOver':
    case 'ChargeDelayed':
    case 'PaymentSetAside':
    case 'AttemptsAllowed':
    case 'OperatorAlarmed':
    case 'FinalNoticeGiven':
    case 'AccessEnded':
    case 'ResumeRequested':
    case 'Resumed':
    case 'ResumeFailed':
    case 'CancellationScheduled':
    case 'CancellationUndone':
    case 'MandateCancellationSent':
    case 'MandateEnded':
    case 'MandateGone':
    case 'AuthorizationRevoked':
    case 'AuthorizationRequested':
    case 'AuthorizationOffered':
    case 'AuthorizationWithdrawn':
    case 'AllowanceSeen':
    case 'ExpiryAnnounced':
    case 'ProductSwapped':
    case 'SwapPending':
    case 'SwapDropped':
    case 'PriceChangeAnnounced':
    case 'PriceChangeAccepted':
    case 'PriceChanged':
    case 'PriceChangeRefused':
    case 'PriceChangeDropped':
    case 'MetadataChanged':
      return row
  }
}

/** Due as long as something is owed: the wallet is looked at with every ledger, and the longest owed comes first. */
export const subscriptionDebts: ReadModel<SubscriptionDebtRow> = {
  name: 'subscription_debts',
  version: 2,
  category: Subscription.category,
  row: SubscriptionDebtRow,
  fold,
  columns: ({ owed }) => ({ dueAt: owed?.since ?? null }),
}
