import { ContractId, MandateId, unixMs } from '@quittance/domain'
import { StrKey } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { MandateCreated, MandateRecord } from '../../mandate.ts'
import { named } from '../../named.ts'
import { handMadeNetwork, issuer } from '../../testing/hand-made.ts'
import { creditIn, hashOf } from '../../testing/ledgers.ts'
import { terms } from '../../testing/mandate-terms.ts'
import { mandateIdOf, tokenContractOf } from './names.ts'
import { type EnrolmentMismatch, verifyEnrolment } from './verify-enrolment.ts'

const other = named(ContractId, StrKey.encodeContract(new Uint8Array(32).fill(8)))
const { transactionHash, ledger, closedAt } = creditIn(20)

const created: MandateCreated = {
  _tag: 'MandateCreated',
  contract: terms.contract,
  transactionHash,
  innerHash: null,
  ledger,
  closedAt,
  mandate: mandateIdOf(terms),
  customer: terms.customer,
  payee: terms.payee,
  allowance: terms.allowance,
  allowanceExpiryLedger: terms.allowanceExpiryLedger,
  firstAmount: terms.firstAmount,
  record: {
    customer: terms.customer,
    payee: terms.payee,
    operator: terms.operator,
    token: tokenContractOf(terms.assetId, handMadeNetwork),
    cap: terms.cap,
    intervalUnit: terms.intervalUnit,
    intervalCount: terms.intervalCount,
    firstChargeAt: terms.firstChargeAt,
    endsAt: terms.endsAt,
    reference: terms.reference,
    lastPeriodStart: null,
    lastReference: '',
    isCancelled: false,
  },
}
const recorded = (changed: Partial<MandateRecord>): Partial<MandateCreated> => ({
  record: { ...created.record, ...changed },
})
const verified = (changed: Partial<MandateCreated>) =>
  verifyEnrolment(terms, { ...created, ...changed }, handMadeNetwork)

describe('a mandate on the ledger', () => {
  it('is the one that was offered, also where more is approved, and for longer', () => {
    expect(verified({})).toEqual(E.right(undefined))
    expect(verified({ allowance: terms.allowance + 1n, allowanceExpiryLedger: 4_110_400 })).toEqual(E.right(undefined))
  })
  it.each<[EnrolmentMismatch['field'], Partial<MandateCreated>]>([
    ['contract', { contract: other }],
    ['token', recorded({ token: other })],
    ['payee', recorded({ payee: issuer })],
    ['operator', recorded({ operator: issuer })],
    ['customer', recorded({ customer: issuer })],
    ['reference', recorded({ reference: 'chk_2' })],
    ['cap', recorded({ cap: terms.cap + 1n })],
    ['cap', recorded({ cap: terms.cap - 1n })],
    ['interval', recorded({ intervalUnit: 'year' })],
    ['interval', recorded({ intervalCount: 2 })],
    ['first_charge_at', recorded({ firstChargeAt: unixMs(terms.firstChargeAt + 1000) })],
    ['ends_at', recorded({ endsAt: unixMs(terms.firstChargeAt + 1000) })],
    ['first_amount', { firstAmount: 0n }],
    ['first_amount', { firstAmount: terms.firstAmount + 1n }],
    ['allowance', { allowance: terms.allowance - 1n }],
    ['allowance_expiry', { allowanceExpiryLedger: terms.allowanceExpiryLedger - 1 }],
    ['mandate', { mandate: named(MandateId, hashOf(1)) }],
  ])('is another one by its %s', (field, changed) =>
    expect(verified(changed)).toEqual(E.left({ _tag: 'EnrolmentMismatch', field })),
  )
})
