import * as E from 'fp-ts/lib/Either.js'
import type { MandateCreated, MandateTerms } from '../../mandate.ts'
import { mandateIdOf, tokenContractOf } from './names.ts'

/** The first thing in which a mandate on the ledger is not the one that was offered. */
export type EnrolmentMismatch = {
  readonly _tag: 'EnrolmentMismatch'
  readonly field:
    | 'contract'
    | 'customer'
    | 'payee'
    | 'operator'
    | 'token'
    | 'cap'
    | 'interval'
    | 'first_charge_at'
    | 'ends_at'
    | 'first_amount'
    | 'allowance'
    | 'allowance_expiry'
    | 'reference'
    | 'mandate'
}

/**
 * Whether a mandate that was created is the one that was offered: equal in all, but that more may be approved, and for
 * longer. Errors: `EnrolmentMismatch` names the first field that differs.
 */
export const verifyEnrolment = (
  terms: MandateTerms,
  created: MandateCreated,
  networkPassphrase: string,
): E.Either<EnrolmentMismatch, void> => {
  const { record } = created
  const checks: ReadonlyArray<readonly [EnrolmentMismatch['field'], boolean]> = [
    ['contract', created.contract === terms.contract],
    ['token', record.token === tokenContractOf(terms.assetId, networkPassphrase)],
    ['payee', record.payee === terms.payee],
    ['operator', record.operator === terms.operator],
    ['customer', record.customer === terms.customer],
    ['reference', record.reference === terms.reference],
    ['cap', record.cap === terms.cap],
    ['interval', record.intervalUnit === terms.intervalUnit && record.intervalCount === terms.intervalCount],
    ['first_charge_at', record.firstChargeAt === terms.firstChargeAt],
    ['ends_at', record.endsAt === terms.endsAt],
    ['first_amount', created.firstAmount === terms.firstAmount],
    ['allowance', created.allowance >= terms.allowance],
    ['allowance_expiry', created.allowanceExpiryLedger >= terms.allowanceExpiryLedger],
    ['mandate', created.mandate === mandateIdOf(terms)],
  ]
  const differing = checks.find(([, isEqual]) => !isEqual)
  return differing === undefined ? E.right(undefined) : E.left({ _tag: 'EnrolmentMismatch', field: differing[0] })
}
