import type { AccountId } from '@quittance/domain'
import { Account, Claimant, Memo, MuxedAccount, Operation, xdr } from '@stellar/stellar-sdk'
import {
  accountKey,
  briefly,
  changedBy,
  createdWith,
  creditsIn,
  eur,
  type HandMadeOperation,
  issuer,
  movementsIn,
  native,
  only,
  payee,
  payer,
  sponsoredBy,
  stateOf,
  trader,
  updatedTo,
  usd,
} from '../../testing/hand-made.ts'
import { sdkAsset } from '../assets.ts'

const muxed = (account: string, id: string): string => new MuxedAccount(new Account(account, '0'), id).accountId()
const account = (id: AccountId, muxedId: string | null = null) => ({ _tag: 'account', account: id, muxedId })
const result = xdr.OperationResultTr

/** Pays ten stroops of USD from payer to payee. */
const payment = (destination: string = payee, changes = moved()): HandMadeOperation => ({
  operation: Operation.payment({ destination, asset: sdkAsset(usd), amount: '0.0000010' }),
  result: result.payment(xdr.PaymentResult.paymentSuccess()),
  changes,
})
const moved = () => [...changedBy(payer, usd, -10n), ...changedBy(payee, usd, 10n)]

describe('a payment', () => {
  it('has a movement on both sides, with the ids of muxed addresses and a memo of 32 bytes', () => {
    const operation = Operation.payment({
      source: muxed(payer, '5'),
      destination: muxed(payee, '18446744073709551615'),
      asset: sdkAsset(usd),
      amount: '0.0000010',
    })
    const memo = Memo.hash('ab'.repeat(32))
    const movements = movementsIn({ operations: [{ ...payment(), operation }], memo })
    expect(movements).toMatchObject([
      {
        _tag: 'payment',
        account: payee,
        muxedId: '18446744073709551615',
        delta: 10n,
        counterparty: account(payer, '5'),
      },
      {
        _tag: 'payment',
        account: payer,
        muxedId: '5',
        delta: -10n,
        counterparty: account(payee, '18446744073709551615'),
      },
    ])
    expect(creditsIn({ operations: [{ ...payment(), operation }], memo })).toMatchObject([
      {
        kind: 'payment',
        from: payer,
        fromMuxedId: '5',
        destination: payee,
        muxedId: '18446744073709551615',
        amount: 10n,
        memo: { _tag: 'hash', value: 'ab'.repeat(32) },
      },
    ])
  })

  it('is named by transaction and operation, without an ordinal', () => {
    const [credit] = creditsIn({ operations: [payment()] })
    expect(credit).not.toHaveProperty('ordinal')
    expect(credit).toMatchObject({ operationIndex: 0 })
  })

  it('brings what the balance gained, whatever the operation requested', () => {
    const changes = [...changedBy(payer, usd, -7n), ...changedBy(payee, usd, 7n)]
    expect(creditsIn({ operations: [payment(payee, changes)] })).toMatchObject([{ amount: 7n }])
  })

  it.each([
    ['to the issuer', issuer, changedBy(payer, usd, -10n), [['payment', payer, usd, -10n]]],
    ['to oneself', payer, changedBy(payer, usd, 0n), []],
  ])('%s leaves no balance there', (_, destination, changes, expected) =>
    expect(briefly({ operations: [payment(destination, [...changes])] })).toEqual(expected),
  )

  it.each([
    ['paymentNoTrust', xdr.PaymentResult.paymentNoTrust()],
    ['paymentLineFull', xdr.PaymentResult.paymentLineFull()],
    ['paymentNotAuthorized', xdr.PaymentResult.paymentNotAuthorized()],
  ])('that failed with %s moves only the fee, and so do the operations before it', (_, failure) => {
    const failed = { ...payment(), result: result.payment(failure) }
    const fee = [stateOf(payer, native, 1000n), updatedTo(payer, native, 900n)]
    const transaction = { operations: [payment(), failed], hasFailed: true, fee }
    expect(briefly(transaction)).toEqual([['fee', payer, native, -100n]])
    expect(creditsIn(transaction)).toEqual([])
  })

  it('and its spending in one transaction are two movements', () => {
    const spent = {
      ...payment(issuer, [...changedBy(payee, usd, -10n)]),
      operation: Operation.payment({ source: payee, destination: issuer, asset: sdkAsset(usd), amount: '0.0000010' }),
    }
    const transaction = { operations: [payment(), spent] }
    expect(movementsIn(transaction, only(payee)).map(({ operationIndex, delta }) => [operationIndex, delta])).toEqual([
      [0, 10n],
      [1, -10n],
    ])
    expect(creditsIn(transaction, only(payee))).toMatchObject([{ operationIndex: 0, amount: 10n }])
  })

  it('looks up once whether an account is watched, however often it occurs', () => {
    const asked: Array<string> = []
    const has = (account: string): boolean => asked.push(account) > 0
    movementsIn({ operations: [payment(), payment()], fee: changedBy(payer, native, -100n) }, { has })
    expect(asked.toSorted()).toEqual([payer, payee].toSorted())
  })

  it('is left out for accounts that are not watched', () => {
    expect(movementsIn({ operations: [payment()] }, only(trader))).toEqual([])
    expect(movementsIn({ operations: [payment()] }, only(payer))).toMatchObject([{ account: payer, delta: -10n }])
  })
})

describe('an account', () => {
  const sponsored = {
    operation: Operation.createAccount({ destination: payee, startingBalance: '0' }),
    result: result.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
    changes: [createdWith(payee, native, 0n, trader), ...changedBy(trader, native, 0n)],
  }
  it('that is created brings its starting balance', () => {
    const changes = [...changedBy(payer, native, -10n), createdWith(payee, native, 10n)]
    expect(briefly({ operations: [{ ...sponsored, changes }] })).toEqual([
      ['account_created', payee, native, 10n],
      ['account_created', payer, native, -10n],
    ])
  })
  it('that is created with a sponsored reserve brings nothing', () =>
    expect(briefly({ operations: [sponsored] })).toEqual([]))
  it('that is merged brings its whole balance', () => {
    const removed = xdr.LedgerEntryChange.ledgerEntryRemoved(
      xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: accountKey(payer) })),
    )
    const merged = {
      operation: Operation.accountMerge({ destination: muxed(payee, '9') }),
      result: result.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(1000n)),
      changes: [...changedBy(payee, native, 1000n), stateOf(payer, native, 1000n), removed],
    }
    expect(creditsIn({ operations: [merged] })).toMatchObject([
      { kind: 'account_merged', destination: payee, muxedId: '9', from: payer, amount: 1000n },
    ])
    expect(briefly({ operations: [merged] })).toEqual([
      ['account_merged', payee, native, 1000n],
      ['account_merged', payer, native, -1000n],
    ])
  })
})

describe('a path payment', () => {
  const sold = (seller: AccountId) =>
    xdr.ClaimAtom.claimAtomTypeOrderBook(
      new xdr.ClaimOfferAtom({
        sellerId: accountKey(seller),
        offerId: 1n,
        assetSold: sdkAsset(usd).toXdrObject(),
        amountSold: 20n,
        assetBought: sdkAsset(eur).toXdrObject(),
        amountBought: 10n,
      }),
    )
  const strictSend = (seller: AccountId, changes: ReadonlyArray<xdr.LedgerEntryChange>): HandMadeOperation => ({
    operation: Operation.pathPaymentStrictSend({
      sendAsset: sdkAsset(eur),
      sendAmount: '0.0000010',
      destination: payee,
      destAsset: sdkAsset(usd),
      destMin: '0.0000001',
      path: [],
    }),
    result: result.pathPaymentStrictSend(
      xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(
        new xdr.PathPaymentStrictSendResultSuccess({
          offers: [sold(seller)],
          last: new xdr.SimplePaymentResult({
            destination: accountKey(payee),
            asset: sdkAsset(usd).toXdrObject(),
            amount: 20n,
          }),
        }),
      ),
    ),
    changes,
  })

  it('is a payment to its destination and a trade to the owner of the offer', () => {
    const changes = [
      ...changedBy(payer, eur, -10n),
      ...changedBy(trader, eur, 10n),
      ...changedBy(trader, usd, -20n),
      ...changedBy(payee, usd, 20n),
    ]
    const transaction = { operations: [strictSend(trader, changes)] }
    expect(briefly(transaction)).toEqual([
      ['path_payment', payee, usd, 20n],
      ['trade', trader, eur, 10n],
      ['trade', trader, usd, -20n],
      ['path_payment', payer, eur, -10n],
    ])
    expect(creditsIn(transaction)).toMatchObject([{ kind: 'path_payment', destination: payee, amount: 20n }])
    expect(movementsIn(transaction, only(trader))).toMatchObject([
      { counterparty: account(payer), delta: 10n },
      { counterparty: account(payer), delta: -20n },
    ])
  })

  it('through an offer of the payee itself is both: paid, and sold for what was sent', () => {
    const changes = [...changedBy(payer, eur, -10n), ...changedBy(payee, eur, 10n), ...changedBy(payee, usd, 0n)]
    const transaction = { operations: [strictSend(payee, changes)] }
    expect(briefly(transaction)).toEqual([
      ['path_payment', payee, usd, 20n],
      ['trade', payee, eur, 10n],
      ['trade', payee, usd, -20n],
      ['path_payment', payer, eur, -10n],
    ])
    expect(creditsIn(transaction)).toMatchObject([{ assetId: usd, amount: 20n }])
  })
})

describe('an offer', () => {
  it('that is taken from a pool is a trade with it', () => {
    const pool = xdr.ClaimAtom.claimAtomTypeLiquidityPool(
      new xdr.ClaimLiquidityAtom({
        liquidityPoolId: new xdr.PoolId('07'.repeat(32)),
        assetSold: sdkAsset(usd).toXdrObject(),
        amountSold: 20n,
        assetBought: xdr.Asset.assetTypeNative(),
        amountBought: 10n,
      }),
    )
    const success = new xdr.ManageOfferSuccessResult({
      offersClaimed: [pool],
      offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
    })
    const taken = {
      operation: Operation.manageSellOffer({
        selling: sdkAsset(native),
        buying: sdkAsset(usd),
        amount: '0.0000010',
        price: '2',
      }),
      result: result.manageSellOffer(xdr.ManageSellOfferResult.manageSellOfferSuccess(success)),
      changes: [...changedBy(payer, native, -10n), ...changedBy(payer, usd, 20n)],
    }
    const counterparty = { _tag: 'liquidity_pool', id: '07'.repeat(32) }
    expect(movementsIn({ operations: [taken] })).toMatchObject([
      { _tag: 'trade', account: payer, assetId: usd, delta: 20n, counterparty },
      { _tag: 'trade', account: payer, assetId: native, delta: -10n, counterparty },
    ])
    expect(creditsIn({ operations: [taken] })).toEqual([])
  })
})

describe('a claimable balance', () => {
  const id = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0('0a'.repeat(32))
  const state = xdr.LedgerEntryChange.ledgerEntryState(
    new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 1,
      data: xdr.LedgerEntryData.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          balanceId: id,
          claimants: [],
          asset: sdkAsset(usd).toXdrObject(),
          amount: 10n,
          ext: xdr.ClaimableBalanceEntryExt.v0(),
        }),
      ),
      ext: sponsoredBy(trader),
    }),
  )
  const claimed = {
    operation: Operation.claimClaimableBalance({ source: payee, balanceId: id.toXdr('hex') }),
    result: result.claimClaimableBalance(xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess()),
    changes: [
      state,
      xdr.LedgerEntryChange.ledgerEntryRemoved(
        xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId: id })),
      ),
      ...changedBy(payee, usd, 10n),
    ],
  }

  it('that is claimed is an incoming payment from its sponsor', () =>
    expect(creditsIn({ operations: [claimed] })).toMatchObject([
      { kind: 'claimable_balance_claimed', from: trader, destination: payee, amount: 10n },
    ]))

  it('that is created is named by its id', () => {
    const created = {
      operation: Operation.createClaimableBalance({
        asset: sdkAsset(usd),
        amount: '0.0000010',
        claimants: [new Claimant(payee)],
      }),
      result: result.createClaimableBalance(xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(id)),
      changes: changedBy(payer, usd, -10n),
    }
    expect(movementsIn({ operations: [created] })).toMatchObject([
      {
        _tag: 'claimable_balance_created',
        account: payer,
        delta: -10n,
        counterparty: { _tag: 'claimable_balance', id: '0a'.repeat(32) },
      },
    ])
  })
})

describe('a clawback', () => {
  it("takes without the owner's signature", () => {
    const clawback = {
      operation: Operation.clawback({
        source: issuer,
        asset: sdkAsset(usd),
        from: muxed(payee, '3'),
        amount: '0.0000010',
      }),
      result: result.clawback(xdr.ClawbackResult.clawbackSuccess()),
      changes: changedBy(payee, usd, -10n),
    }
    expect(movementsIn({ operations: [clawback] })).toMatchObject([
      { _tag: 'clawback', account: payee, muxedId: '3', delta: -10n, counterparty: account(issuer), source: issuer },
    ])
  })
})

describe('an unknown change', () => {
  it('is a movement of kind other, so that every balance adds up', () => {
    const bumped = {
      operation: Operation.bumpSequence({ bumpTo: '9' }),
      result: result.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess()),
      changes: changedBy(payee, usd, 10n),
    }
    expect(briefly({ operations: [bumped] })).toEqual([['other', payee, usd, 10n]])
    expect(creditsIn({ operations: [bumped] })).toEqual([])
  })
})
