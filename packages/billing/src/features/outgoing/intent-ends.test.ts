import { asText, type IntentClass, LedgerSequence, stroops } from '@quittance/domain'
import { decoded, hashOf, indexOf, merchantAccount, start } from '@quittance/domain/testing'
import { commandFor } from './intent-ends.ts'

const ours = { merchantId: 'mer_1', environment: 'testnet' as const, hash: hashOf(1) }
const place = { transactionHash: hashOf(1), ledger: decoded(LedgerSequence, 1001), closedAt: start }

/** The commands to the intents of a transaction that failed with these codes. */
const endsOf = (of: IntentClass, intents: number, ...codes: ReadonlyArray<string>) => {
  const operationCodes = codes.map((code) => asText(code))
  const fee = { feeSource: merchantAccount, feeCharged: stroops(100n) }
  const end = { _tag: 'failed' as const, ...place, ...fee, code: asText('txFailed'), operationCodes }
  return Array.from({ length: intents }, (_, index) => commandFor(of, intents)(ours, end, index))
}
const detached = (reason: string) => ({ type: 'DetachIntent', transactionHash: ours.hash, reason })
const refused = (index: number, code: string) => ({
  type: 'RefuseIntent',
  attachedTo: ours.hash,
  ...place,
  operationIndex: indexOf(index),
  code,
})

describe('the intents of a transaction that failed in a ledger', () => {
  it('are refused by their own codes, and wait again for those of others', () =>
    expect(endsOf('refund', 2, 'paymentSuccess', 'paymentNoTrust')).toEqual([
      detached('another_failed'),
      refused(1, 'paymentNoTrust'),
    ]))

  it('are signed again if the signers of their account changed first', () =>
    expect(endsOf('refund', 2, 'opBadAuth', 'paymentSuccess')).toEqual([
      detached('transaction_failed'),
      detached('another_failed'),
    ]))

  it.each([
    [['setOptionsSuccess', 'setOptionsLowReserve'], refused(0, 'setOptionsLowReserve')],
    [
      ['beginSponsoringFutureReservesSuccess', 'opBadAuth', 'endSponsoringFutureReservesSuccess'],
      detached('transaction_failed'),
    ],
    [[], detached('transaction_failed')],
  ])('a rotation ends by the code of whichever operation failed: %j', (codes, command) =>
    expect(endsOf('rotation', 1, ...codes)).toEqual([command]),
  )
})
