import { Operation, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import {
  accountKey,
  briefly,
  changedBy,
  createdWith,
  eur,
  type HandMadeTransaction,
  native,
  newestMeta,
  payee,
  payer,
  readHandMade,
  stateOf,
  trader,
  updatedTo,
  usd,
} from '../../testing/hand-made.ts'
import { classicMetas, sorobanMeta } from '../../testing/older-metas.ts'
import { sdkAsset } from '../assets.ts'

const paying = (changes: ReadonlyArray<xdr.LedgerEntryChange>): HandMadeTransaction => ({
  operations: [
    {
      operation: Operation.payment({ destination: payee, asset: sdkAsset(usd), amount: '0.0000010' }),
      result: xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()),
      changes,
    },
  ],
})
const paid = paying([...changedBy(payer, usd, -10n), ...changedBy(payee, usd, 10n)])
const unreadable = E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching(/./) })

describe('a ledger', () => {
  it.each([['v4', newestMeta] as const, ['v3', sorobanMeta] as const, ...classicMetas])(
    'is read from every shape of meta: %s',
    (_, meta) =>
      expect(briefly({ ...paid, meta })).toEqual([
        ['payment', payee, usd, 10n],
        ['payment', payer, usd, -10n],
      ]),
  )

  it.each([
    ['a balance that changed from an unknown state', [updatedTo(payee, usd, 10n)]],
    ["a balance that changed from another account's", [stateOf(trader, usd, 5n), updatedTo(payee, usd, 10n)]],
    ["a balance that changed from another asset's", [stateOf(payee, eur, 5n), updatedTo(payee, usd, 10n)]],
    ['a balance that changed from another entry', [stateOf(payee, native, 5n), updatedTo(payee, usd, 10n)]],
    [
      'an account that was removed from an unknown state',
      [
        createdWith(trader, usd, 5n),
        xdr.LedgerEntryChange.ledgerEntryRemoved(
          xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: accountKey(payee) })),
        ),
      ],
    ],
  ])('with %s cannot be read', (_, changes) => expect(readHandMade(paying(changes))).toEqual(unreadable))

  it.each([
    ['fewer', []],
    ['more', [...paid.operations, ...paid.operations]],
  ])('with %s outcomes than operations cannot be read', (_, outcomes) =>
    expect(readHandMade({ ...paid, meta: () => newestMeta(outcomes) })).toEqual(unreadable),
  )

  it('with the result of another operation cannot be read', () => {
    const operations = paid.operations.map((each) => ({
      ...each,
      result: xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(10n)),
    }))
    expect(readHandMade({ operations })).toEqual(unreadable)
  })

  it("shows a transaction's fee and refund outside of its operations", () => {
    const fee = [stateOf(payer, native, 1000n), updatedTo(payer, native, 900n)]
    const refund = [stateOf(payer, native, 900n), updatedTo(payer, native, 930n)]
    expect(briefly({ operations: [], fee, refund })).toEqual([
      ['fee', payer, native, -100n],
      ['fee_refund', payer, native, 30n],
    ])
  })
})
