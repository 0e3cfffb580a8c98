import * as t from 'io-ts'
import { fact, facts } from '../shared/fact.ts'
import { CreditTransactionId, PaymentId } from '../shared/ids.ts'
import { MetadataText } from '../shared/metadata.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { Units } from './units.ts'

/** What one payment has granted, and what of it is left. */
export const CreditGrant = strict({ paymentId: PaymentId, units: Units, left: Units }, 'CreditGrant')
export type CreditGrant = t.TypeOf<typeof CreditGrant>

/**
 * What a customer has of a product. Sums over all times; `grants` are those of which something is left, the oldest
 * first: granted - consumed - reversed is what is left of them all. `takenOver` are the accounts of merged customers whose
 * balances are in these sums.
 */
export const CreditBalance = t.intersection(
  [
    strict({ granted: Units, consumed: Units, reversed: Units, grants: t.readonlyArray(CreditGrant) }),
    partial({ takenOver: t.readonlyArray(Text) }),
  ],
  'CreditBalance',
)
export type CreditBalance = t.TypeOf<typeof CreditBalance>

// A stream is one period of the books of a customer and a product. All but the first begin with what the one before
// has closed with, so that no stream grows without bound and none is needed to read another.
/** What happens to a customer's credits, as its stream holds it. */
export const CreditsEvent = facts([
  fact('BooksOpened', strict({ carried: CreditBalance })),
  fact('CreditsGranted', strict({ transactionId: CreditTransactionId, paymentId: PaymentId, units: Units })),
  fact('CreditsConsumed', strict({ transactionId: CreditTransactionId, units: Units, metadata: MetadataText })),
  fact('CreditsReversed', strict({ transactionId: CreditTransactionId, paymentId: PaymentId, units: Units })),
  fact('BooksClosed', strict({ balance: CreditBalance })),
  // The customer was merged into the one of the account `to`: nothing is entered here any more.
  fact('BooksHandedOver', strict({ to: Text, balance: CreditBalance })),
  fact('BooksTakenOver', strict({ from: Text, balance: CreditBalance })),
])
export type CreditsEvent = t.TypeOf<typeof CreditsEvent>
