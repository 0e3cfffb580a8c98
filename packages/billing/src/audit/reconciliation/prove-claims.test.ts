import { type AccountId, AssetId, type IncomingPayment, IncomingPaymentSum, stroops } from '@quittance/domain'
import { decoded, exampleCredit } from '@quittance/domain/testing'
import type { Movement } from '@quittance/ledger'
import { incomingPaymentKey } from '@quittance/projections'
import type { Claim } from './claims.ts'
import { proveClaims } from './prove-claims.ts'

const own = exampleCredit.from
const other = decoded(AssetId, 'OTHER:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN')

const claimed = (changed: Partial<Claim> = {}): Claim => ({
  key: incomingPaymentKey(exampleCredit),
  subject: 'pay_1',
  stream: 'payment-pay_1',
  revision: 1n,
  merchantId: 'mer_1',
  account: null,
  sum: null,
  ...exampleCredit,
  ...changed,
})

const held = (changed: Partial<Movement> = {}): Movement => ({
  _tag: 'payment',
  innerHash: null,
  ordinal: 0,
  source: own,
  account: own,
  muxedId: null,
  counterparty: null,
  memo: { _tag: 'none' },
  ...placeOf(exampleCredit),
  delta: exampleCredit.amount,
  ...changed,
})
const placeOf = ({ transactionHash, operationIndex, ledger, closedAt, assetId }: IncomingPayment) => ({
  transactionHash,
  operationIndex,
  ledger,
  closedAt,
  assetId,
})

const reasons = (claims: ReadonlyArray<Claim>, movements: ReadonlyArray<Movement>, owner = 'mer_1') =>
  proveClaims(claims, movements, new Map<AccountId, string>([[own, owner]])).map(({ reason }) => reason)

describe('an incoming payment of the log', () => {
  it('is believed if the ledger holds it, at an account of the merchant, in this asset and amount', () =>
    expect(reasons([claimed()], [held()])).toEqual([]))

  it.each<[string, Partial<Movement>]>([
    ['not_on_ledger', { operationIndex: null }],
    ['not_on_ledger', { delta: -exampleCredit.amount }],
    ['differs', { delta: exampleCredit.amount + 1n }],
    ['differs', { delta: exampleCredit.amount - 1n }],
    ['differs', { assetId: other }],
  ])('is %s if the ledger holds %j in its place', (reason, changed) =>
    expect(reasons([claimed()], [held(changed)])).toEqual([reason]),
  )

  it("is of another account if the ledger holds it at another merchant's", () =>
    expect(reasons([claimed()], [held()], 'mer_2')).toEqual(['of_another_account']))

  it('is recorded twice if an event before it has it', () =>
    expect(reasons([claimed(), claimed({ subject: 'pay_2' })], [held()])).toEqual(['recorded_twice']))

  it('may be a sum, whose first payment is a part of it', () => {
    const sum = decoded(IncomingPaymentSum, { count: 2, largest: `${exampleCredit.amount}`, senders: 'one' })
    const summed = { ...exampleCredit, amount: stroops(exampleCredit.amount * 2n) }
    expect(reasons([claimed({ amount: summed.amount, sum: sum })], [held()])).toEqual([])
    expect(reasons([claimed({ amount: summed.amount, sum: sum })], [held({ delta: summed.amount + 1n })])).toEqual([
      'differs',
    ])
  })
})
