import type { CreditTransactionId, PaymentId } from '../shared/ids.ts'
import type { MetadataText } from '../shared/metadata.ts'
import type { Text } from '../shared/text.ts'
import type { PositiveCount } from '../shared/units.ts'
import type { CreditBalance } from './events.ts'
import type { Units } from './units.ts'

/** Begins a later period with what the one before has closed with. */
type OpenBooks = { readonly type: 'OpenBooks'; readonly carried: CreditBalance }
/** Once for each payment. */
type GrantCredits = {
  readonly type: 'GrantCredits'
  readonly transactionId: CreditTransactionId
  readonly paymentId: PaymentId
  readonly units: Units
}
type ConsumeCredits = {
  readonly type: 'ConsumeCredits'
  readonly transactionId: CreditTransactionId
  readonly units: Units
  readonly metadata: MetadataText
}
/** Takes back what a payment has granted, when nothing of it is spent. */
type ReverseCredits = {
  readonly type: 'ReverseCredits'
  readonly transactionId: CreditTransactionId
  readonly paymentId: PaymentId
}
/** Gives again what was taken back from a payment whose refund has failed; it is then the last to be consumed. */
type RestoreCredits = {
  readonly type: 'RestoreCredits'
  readonly transactionId: CreditTransactionId
  readonly paymentId: PaymentId
  readonly units: Units
}
/** Ends the period once it has so many events. */
type CloseBooks = { readonly type: 'CloseBooks'; readonly atEvents: PositiveCount }

/** Ends the books of a merged customer for ever: those of the account `to` go on with the balance. */
type HandOverBooks = { readonly type: 'HandOverBooks'; readonly to: Text }
/** Adds what the books of the account `from` were handed over with; once. */
type TakeOverBooks = { readonly type: 'TakeOverBooks'; readonly from: Text; readonly balance: CreditBalance }

/** What may be asked of a customer's credits. */
export type CreditsCommand =
  | OpenBooks
  | GrantCredits
  | ConsumeCredits
  | ReverseCredits
  | RestoreCredits
  | CloseBooks
  | HandOverBooks
  | TakeOverBooks
