import { type AccountId, endOf, LedgerSequence, type Stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn, survived } from '../../testing/refunds.ts'
import { command, openShop } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let exceptions: ReturnType<typeof exceptionsIn>
let own: Wallet
let usdc: StoreFront['network']['usdc']['assetId']
let xlm: StoreFront['network']['xlm']['assetId']
beforeEach(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  exceptions = exceptionsIn(front)
  usdc = front.network.usdc.assetId
  xlm = front.network.xlm.assetId
  own = await front.wallets.wallet(90)
})
afterEach(() => front.close())

const prove = async (wallet: Wallet = own, merchantId: string = front.merchantId) => {
  const { billing, platform } = front
  const { transaction } = await done(billing.ownAccount.ask(command(platform, merchantId), wallet.account))
  return billing.ownAccount.verify(command(platform, merchantId), wallet.sign(transaction))
}
const named = async (): Promise<void> => {
  expect(await done(await prove())).toBe(own.account)
}
/** A sale that was paid to the merchant’s own account. */
const paid = async () => {
  const { id } = await front.sell()
  await front.pay(id, [units(10)], { to: own.account })
  return front.payment(id)
}
const pass = async (): Promise<void> => {
  front.network.wait(1000)
  await front.step()
}
const signatures = () => done(front.billing.ownAccount.signatures(front.scope))
const submit = (envelopeXdr: string): void => {
  right(front.network.sandbox.submit(own.sign(envelopeXdr)))
  front.network.sandbox.close()
}
const reconciled = () =>
  done(reconcile(front.services, 'testnet', { from: decoded(LedgerSequence, 1), to: null, merchantId: null }))
const kinds = async () => (await front.exceptions()).map(({ kind }) => kind)
const byHand = (memo: string, to: AccountId, amount: Stroops = units(10), asset = usdc) =>
  own.pay({ to, asset, parts: [amount], memo })

describe('an account of the merchant', () => {
  it('receives the merchant’s payments once its owner has signed', async () => {
    await named()
    expect(await done(front.services.settlementOf(front.merchantId, 'testnet'))).toMatchObject({
      account: own.account,
      custody: 'merchant',
    })
    expect((await paid()).status).toBe('confirmed')
    expect(await reconciled()).toMatchObject({ named: { payment: 1, unexplained: 0 }, isHeld: true, isOk: true })
  })

  it('leaves open checkouts payable at the earlier account, which stays watched', async () => {
    const { id } = await front.sell()
    await named()
    await front.pay(id, [units(10)])
    expect((await front.checkout(id)).status).toBe('completed')
    expect(await reconciled()).toMatchObject({ named: { payment: 1 }, isOk: true })
  })

  it('is rejected without its owner’s signature, and with a challenge of another merchant', async () => {
    const { billing, platform } = front
    const { transaction } = await done(billing.ownAccount.ask(command(platform, front.merchantId), own.account))
    const verify = (signed: string, merchantId: string = front.merchantId) =>
      refused(billing.ownAccount.verify(command(platform, merchantId), signed))
    expect(await verify(transaction)).toMatchObject({ _tag: 'SignaturesInsufficient' })
    expect(await verify(front.other.sign(transaction))).toMatchObject({ _tag: 'SignaturesInsufficient' })
    const second = await openShop(platform)
    expect(await verify(own.sign(transaction), second)).toMatchObject({ _tag: 'ChallengeInvalid' })
  })

  it('is rejected if another merchant or the service uses it, also if both prove it at once', async () => {
    const { billing, platform } = front
    const second = await openShop(platform)
    // Both are asked before either is proven.
    const proofs = [await prove(), await prove(own, second)]
    const outcomes = await Promise.all(proofs.map((proof) => proof()))
    expect(outcomes.map(({ _tag }) => _tag).sort()).toEqual(['Left', 'Right'])
    expect(outcomes.find(({ _tag }) => _tag === 'Left')).toMatchObject({
      left: { _tag: 'OwnAccountTaken', by: 'merchant' },
    })
    const operator = await done(billing.operator.create('testnet'))
    const ask = (account: AccountId) => billing.ownAccount.ask(command(platform, front.merchantId), account)
    expect(await refused(ask(operator.account))).toMatchObject({ _tag: 'OwnAccountTaken', by: 'service' })
    const { account } = await done(front.services.settlementOf(second, 'testnet'))
    expect(await refused(ask(account))).toMatchObject({ _tag: 'OwnAccountTaken', by: 'merchant' })
  })

  it('is recorded once if the process crashes after any append and the request is repeated', async () => {
    const asked = await done(front.billing.ownAccount.ask(command(front.platform, front.merchantId), own.account))
    const context = command(front.platform, front.merchantId)
    const verify = (on: typeof front.platform) =>
      done(on.billing.ownAccount.verify(context, own.sign(asked.transaction)))
    for (let deaths = 0; deaths < 10; deaths++) {
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(verify(dying))
      await dying.close()
      if (lived) break
    }
    expect(await verify(front.platform)).toBe(own.account)
    const { events } = await done(front.platform.log.readStream(`merchant-${front.merchantId}`))
    expect(
      events.filter(({ type, data }) => type === 'SettlementAccountSet' && data.custody === 'merchant'),
    ).toHaveLength(1)
    expect((await paid()).status).toBe('confirmed')
  })

  it('misses no ledger that is ingested while it is being recorded', async () => {
    let isFirst = true
    const interrupted = await openPlatform(front.network, front.folder.path, (store) => ({
      ...store,
      append:
        (stream, ...rest) =>
        async () => {
          if (isFirst && stream === `merchant-${front.merchantId}`) {
            isFirst = false
            own.pay({ to: front.other.account, asset: usdc, parts: [units(3)], memo: null })
            await front.step()
          }
          return store.append(stream, ...rest)()
        },
    }))
    const { transaction } = await done(
      interrupted.billing.ownAccount.ask(command(interrupted, front.merchantId), own.account),
    )
    await done(interrupted.billing.ownAccount.verify(command(interrupted, front.merchantId), own.sign(transaction)))
    await interrupted.close()
    expect(isFirst).toBe(false)
    await pass()
    expect(await reconciled()).toMatchObject({ named: { own: 2 }, unexplained: [], isHeld: true, isOk: true })
  })

  it('is rejected while it is not on the ledger', async () => {
    const missing = front.wallets.again(91)
    expect(await refused(await prove(missing))).toEqual({ _tag: 'OwnAccountMissing', account: missing.account })
  })
})

describe('a refund from an account of the merchant', () => {
  it('waits for a signature without trouble, and is settled by the signed transaction', async () => {
    await named()
    const payment = await paid()
    const refund = await done(refunds.request(payment))
    expect(refund).toMatchObject({ status: 'pending', signature_needed: true })
    await pass()
    await pass()
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending', signature_needed: true })
    expect(front.worker.troubles()).toEqual([])
    const [request, ...others] = await signatures()
    expect(others).toEqual([])
    expect(request).toMatchObject({
      for: refund.id,
      kind: 'refund',
      account: own.account,
      destination_address: front.payer.account,
      asset_id: usdc,
      memo: refund.id,
      sep7_uri: expect.stringMatching(/^web\+stellar:tx\?xdr=/),
    })
    submit(present(request).transaction_xdr)
    await front.step()
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded', signature_needed: false })
    expect(await signatures()).toEqual([])
    expect(await reconciled()).toMatchObject({ named: { payment: 1, refund: 1, own: 1 }, unexplained: [], isOk: true })
    expect(await kinds()).toEqual([])
  })

  it('is settled once by a manual payment with its id as memo, however often it is ingested', async () => {
    await named()
    const refund = await done(refunds.request(await paid()))
    const before = present(await done(front.services.cursors.of('testnet').load()))
    const transactionHash = byHand(refund.id, front.payer.account)
    await front.step()
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded', transaction_hash: transactionHash })
    const end = await front.platform.logEnd()
    await front.services.cursors.move('testnet', before)
    await front.step()
    expect(await front.platform.logEnd()).toEqual(end)
    expect(await reconciled()).toMatchObject({ named: { refund: 1, own: 1 }, isOk: true })
  })

  it('is settled once if it is paid twice, and the second payment is an exception', async () => {
    await named()
    const refund = await done(refunds.request(await paid()))
    byHand(refund.id, front.payer.account)
    const second = byHand(refund.id, front.payer.account)
    await front.step()
    expect(
      (await refunds.intentsOf(refund.id)).map((intent) => {
        const end = endOf(intent)
        return end?._tag === 'settled' ? end.transactionHash : null
      }),
    ).not.toContain(second)
    expect(await front.exceptions()).toMatchObject([
      { kind: 'unexplained', transactionHash: second, amount: units(10) },
    ])
    expect(await reconciled()).toMatchObject({ isOk: true })
  })

  it.each<[string, () => Promise<unknown> | unknown, (id: string) => unknown]>([
    [
      'by somebody else',
      () => undefined,
      (id) => front.other.pay({ to: front.payer.account, asset: usdc, parts: [units(10)], memo: id }),
    ],
    ['of another amount', () => undefined, (id) => byHand(id, front.payer.account, units(9))],
    ['of another asset', () => undefined, (id) => byHand(id, front.payer.account, units(10), xlm)],
    ['to somebody else', () => undefined, (id) => byHand(id, front.other.account)],
    ['with another memo', () => undefined, (id) => byHand(`${id.slice(0, -1)}_`, front.payer.account)],
  ])('is not settled by a payment %s', async (_, __, pay) => {
    await named()
    const refund = await done(refunds.request(await paid()))
    pay(refund.id)
    await pass()
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending', signature_needed: true })
    expect(await kinds()).toEqual([])
    expect(await reconciled()).toMatchObject({ named: { refund: 0 }, isOk: true })
  })

  it('shares its sequence number with the other requests: of two signed ones, one is paid', async () => {
    await named()
    const wanted = [await done(refunds.request(await paid())), await done(refunds.request(await paid()))]
    const requests = await signatures()
    expect(requests.map((each) => each.for)).toEqual(wanted.map(({ id }) => id))
    for (const { transaction_xdr } of requests) front.network.sandbox.submit(own.sign(transaction_xdr))
    await pass()
    await pass()
    const ended = await Promise.all(wanted.map(refunds.refundNow))
    expect(ended.map(({ status }) => status).sort()).toEqual(['pending', 'succeeded'])
    submit(present((await signatures())[0]).transaction_xdr)
    await front.step()
    expect((await Promise.all(wanted.map(refunds.refundNow))).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ])
    expect(await reconciled()).toMatchObject({ named: { refund: 2 }, isOk: true })
  })
})

describe('a return from an account of the merchant', () => {
  it('waits for a signature, and is settled by a manual payment with its exception’s id as memo', async () => {
    await named()
    const { id } = await front.sell()
    await front.pay(id, [units(10)], { to: own.account })
    const again = await front.pay(id, [units(10)], { to: own.account })
    await pass()
    const exception = await exceptions.of(again)
    expect(exception).toMatchObject({ kind: 'paid_twice', return_status: 'pending' })
    expect((await signatures()).map(({ kind, memo }) => [kind, memo])).toEqual([['return', exception.id]])
    byHand(exception.id, front.payer.account)
    await front.step()
    expect(await exceptions.known(exception)).toMatchObject({ status: 'resolved', return_status: 'succeeded' })
    expect(await reconciled()).toMatchObject({ named: { return: 1 }, isOk: true })
  })
})

describe('a payout from an account of the merchant', () => {
  it('is rejected, since the merchant holds the money already', async () => {
    await named()
    const wanted = {
      assetId: usdc,
      amount: units(1),
      destination: front.payer.account,
      memo: null,
      mayChangeMemo: true,
      metadata: null,
    }
    expect(await refused(front.billing.payouts.request(command(front.platform, front.merchantId), wanted))).toEqual({
      _tag: 'SettlementAccountIsOwn',
    })
  })

  it('leaves a payout that was claimed before it was named at the account of the claim', async () => {
    const payouts = payoutsIn(front)
    const destination = await payouts.destination()
    await payouts.earn()
    const context = payouts.now()
    const dying = await openPlatform(front.network, front.folder.path, dyingAfter(1))
    await survived(done(dying.billing.payouts.request(context, payouts.wanted(destination))))
    await dying.close()
    await named()
    await front.step()
    const payout = await done(payouts.request(destination, {}, context))
    expect(await payouts.intentsOf(payout.id)).toMatchObject([{ details: { source: front.account } }])
  })
})

describe('any other movement of the merchant’s account', () => {
  it('is booked as the merchant’s own, and is no exception', async () => {
    await named()
    byHand('rent', front.other.account, units(3))
    own.pay({ to: front.other.account, asset: xlm, parts: [units(1)], memo: null })
    front.wallets.exchange(own.secret, xlm, usdc, units(2), 'a trade')
    await front.pay(null, [units(4)], { to: own.account })
    await pass()
    expect(await kinds()).toEqual([])
    const found = await reconciled()
    expect(found).toMatchObject({ unexplained: [], isHeld: true, isOk: true })
    expect(found.named.own).toBeGreaterThan(4)
    expect(found.accounts.map(({ difference }) => difference)).not.toContain(1n)
  })

  it('adds up for an asset without an opening balance', async () => {
    const issuer = await front.wallets.bareWallet(92)
    const assetId = front.wallets.assetNamed(`POINTS:${issuer.account}`)
    own.trust(assetId)
    issuer.pay({ to: own.account, asset: assetId, parts: [units(50)], memo: null })
    await named()
    own.pay({ to: issuer.account, asset: assetId, parts: [units(7)], memo: null })
    await pass()
    expect(await reconciled()).toMatchObject({ named: { own: 2 }, isOk: true })
  })
})

describe('money from the service’s settlement account to the merchant’s own account', () => {
  it('is funding of the receiver, and the merchant’s own movement of the sender', async () => {
    await front.pay(null, [units(5)], { asset: xlm })
    await named()
    const move = Operation.payment({ destination: own.account, asset: Asset.native(), amount: '3' })
    front.wallets.act(await front.seedOf(front.merchantId), [move])
    await pass()
    expect((await front.exceptions()).map(({ kind, amount }) => [kind, amount])).toEqual([['unmatched', units(5)]])
    expect(await reconciled()).toMatchObject({ unexplained: [], isOk: true })
  })
})

describe('a worker that crashes after any append', () => {
  it('settles each manually paid refund once, and books every other movement once', async () => {
    await named()
    for (let deaths = 0; deaths < 20; deaths++) {
      const refund = await done(refunds.request(await paid()))
      byHand(refund.id, front.payer.account)
      byHand('rent', front.other.account, units(1))
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.worker.step))
      await dying.close()
      await pass()
      expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded' })
      expect(await refunds.intentsOf(refund.id)).toHaveLength(1)
      if (!lived) continue
      expect(await kinds()).toEqual([])
      expect(await reconciled()).toMatchObject({ named: { refund: deaths + 1, unexplained: 0 }, isOk: true })
      return
    }
    throw new Error('it never got through')
  })
})
