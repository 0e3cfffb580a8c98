import { type AccountId, hourMs, LedgerSequence, type Stroops, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { keyPairFromSeed } from '@quittance/ledger'
import { Operation } from '@stellar/stellar-sdk'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { operatorKey } from '../../stores/vault/vault-signer.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn, survived } from '../../testing/refunds.ts'
import { command, openShop } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront, setsNothingUp } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import type { NewAnnouncement } from './fundings.ts'

let front: StoreFront
let xlm: StoreFront['network']['xlm']['assetId']
beforeEach(async () => {
  front = await openStoreFront({}, setsNothingUp)
  xlm = front.network.xlm.assetId
})
afterEach(() => front.close())

const create = (by: Wallet, account: AccountId = front.account, amount = 20) =>
  front.wallets.create(by.secret, account, units(amount), null)
/** A sale with an account that is merged away, so that the payer creates it anew by paying. */
const paidByCreation = async (): Promise<string> => {
  create(front.payer, front.account, 1.2)
  await front.step()
  const { id } = await front.sell(xlm)
  const emptied = Operation.accountMerge({ destination: front.payer.account })
  front.wallets.act(await front.seedOf(front.merchantId), [emptied])
  front.wallets.create(front.other.secret, front.account, units(40), id)
  await front.step()
  return id
}
const sendXlm = (from: Wallet, amount: Stroops, memo: string | null = null) =>
  front.pay(memo, [amount], { asset: xlm, from })
const announce = (changed: Partial<NewAnnouncement> = {}) =>
  front.billing.fundings.announce(command(front.platform, front.merchantId), {
    from: null,
    assetId: xlm,
    amount: units(5),
    hours: 24,
    ...changed,
  })
const declare = (...accounts: ReadonlyArray<AccountId>) =>
  front.billing.fundings.declare(command(front.platform, front.merchantId), accounts)
const received = async () => (await booked()).filter(([status]) => status === 'received').length
const booked = async () => {
  await front.platform.shown()
  const { resources } = await front.billing.fundings.list({ ...front.scope, limit: 100 })()
  return resources.map(({ status, reason, amount_stroops }) => [status, reason, BigInt(amount_stroops ?? 0)])
}
const firstLedger = decoded(LedgerSequence, 1)
const reconciled = () => done(reconcile(front.services, 'testnet', { from: firstLedger, to: null, merchantId: null }))

/**
 * Ingests everything again from the ledger at which the merchant's account was recorded; returns whether anything was
 * written.
 */
const walkAgain = async (): Promise<boolean> => {
  const [first] = await (await front.platform.shown()).watchedAccounts.all()
  const before = await front.platform.logEnd()
  const cursor = present(await done(front.services.cursors.of('testnet').load()))
  await front.services.cursors.move('testnet', {
    sequence: present(first).row.setUpThrough,
    closedAt: cursor.closedAt,
    hash: null,
  })
  await front.step()
  return JSON.stringify(await front.platform.logEnd()) !== JSON.stringify(before)
}

describe('the payment that creates a settlement account', () => {
  it('is booked as set-up from any sender, and the books add up to the stroop', async () => {
    create(front.other)
    await front.step()
    expect(await booked()).toEqual([['received', 'opening', units(20)]])
    expect(await front.exceptions()).toEqual([])
    expect(front.worker.named()).toMatchObject({ set_up: 1, exception: 0, unexplained: 0 })
    expect(await reconciled()).toMatchObject({ named: { set_up: 1, exception: 0 }, isHeld: true, isOk: true })
    expect(await walkAgain()).toBe(false)
  })

  it('is in the first ledger that is reconciled, unless another is given', async () => {
    for (let ledgers = 0; ledgers < 3; ledgers++) front.network.wait(1000)
    create(front.other)
    await front.step()
    const all = { from: null, to: null, merchantId: null }
    const found = await done(reconcile(front.services, 'testnet', all))
    const [opening] = await (await front.platform.shown()).fundings.all()
    expect(found).toMatchObject({
      from: opening?.row.status === 'received' && opening.row.received.ledger,
      movements: 1,
      named: { set_up: 1 },
      isOk: true,
    })
  })

  it('pays for the checkout that its memo names', async () => {
    const id = await paidByCreation()
    expect((await front.checkout(id)).status).toBe('completed')
    expect((await booked()).map(([, reason]) => reason)).toEqual(['opening'])
    expect(await reconciled()).toMatchObject({ named: { payment: 1, set_up: 1 }, isOk: true })
  })
})

describe('money from a declared account', () => {
  beforeEach(async () => {
    create(front.other)
    await front.step()
  })

  it('is booked as funding, never returned, and named so in reconciliation', async () => {
    expect(await done(declare(front.payer.account))).toEqual([front.payer.account])
    await sendXlm(front.payer, units(7), 'to top up')
    await front.step()
    expect(await booked()).toContainEqual(['received', 'declared', units(7)])
    expect(await front.exceptions()).toEqual([])
    expect(await reconciled()).toMatchObject({ named: { set_up: 1, funding: 1, return: 0 }, isOk: true })
    expect(await walkAgain()).toBe(false)
  })

  it('pays for the checkout that its memo names', async () => {
    await done(declare(front.payer.account))
    const { id } = await front.sell(xlm)
    await sendXlm(front.payer, units(40), id)
    expect((await front.checkout(id)).status).toBe('completed')
    expect((await booked()).map(([, reason]) => reason)).toEqual(['opening'])
  })

  it('is not funding if another account sends it with the same memo, even a look-alike', async () => {
    await done(declare(front.payer.account))
    await sendXlm(front.other, units(7), 'to top up')
    expect((await booked()).map(([, reason]) => reason)).toEqual(['opening'])
    expect(await front.exceptions()).toMatchObject([{ kind: 'unmatched', amount: units(7), from: front.other.account }])
  })

  it('keeps its booking, however often it is ingested, when accounts are declared or dropped later', async () => {
    await sendXlm(front.payer, units(3))
    await done(declare(front.payer.account))
    await sendXlm(front.payer, units(7))
    expect(await walkAgain()).toBe(false)
    await done(declare())
    expect(await walkAgain()).toBe(false)
    expect(await booked()).toContainEqual(['received', 'declared', units(7)])
    expect((await front.exceptions()).map(({ amount }) => amount)).toEqual([units(3)])
    expect(await reconciled()).toMatchObject({ named: { funding: 1, exception: 1 }, isOk: true })
  })

  it.each([['of customers of an exchange', () => front.network.omnibusAccounts.add(front.payer.account), 'omnibus']])(
    'cannot be declared for an account %s',
    async (_, share, by) => {
      share()
      expect(await refused(declare(front.payer.account))).toMatchObject({ _tag: 'FundingAccountShared', by })
    },
  )

  it('cannot be declared for an account that receives for a merchant or belongs to the service', async () => {
    const second = await openShop(front.platform)
    const { account } = await done(front.services.settlementOf(second, 'testnet'))
    expect(await refused(declare(account))).toMatchObject({ _tag: 'FundingAccountShared', by: 'merchant' })
    expect(await refused(declare(front.account))).toMatchObject({ _tag: 'FundingAccountIsSettlement' })
    const operator = await done(front.billing.operator.create('testnet'))
    expect(await refused(declare(operator.account))).toMatchObject({ _tag: 'FundingAccountShared', by: 'service' })
  })
})

describe('an announced payment', () => {
  beforeEach(async () => {
    create(front.other)
    await front.step()
  })

  it('is booked as funding once', async () => {
    await done(announce())
    await sendXlm(front.payer, units(5))
    await sendXlm(front.payer, units(5))
    expect((await booked()).sort()).toEqual(
      [
        ['received', 'announced', units(5)],
        ['received', 'opening', units(20)],
      ].sort(),
    )
    expect(await front.exceptions()).toMatchObject([{ kind: 'unmatched', amount: units(5) }])
    expect(await walkAgain()).toBe(false)
    expect(await reconciled()).toMatchObject({ named: { funding: 1, exception: 1 }, isOk: true })
  })

  it('uses one announcement for each of several payments in one ledger', async () => {
    await done(announce())
    await done(announce())
    await front.pay(null, [units(5), units(5), units(5)], { asset: xlm })
    expect((await booked()).filter(([, reason]) => reason === 'announced')).toHaveLength(2)
    expect(await front.exceptions()).toHaveLength(1)
    expect(await walkAgain()).toBe(false)
  })

  it.each<[string, Partial<NewAnnouncement>]>([
    ['one stroop less', { amount: stroops(50_000_001n) }],
    ['another asset', { assetId: null, amount: null, from: null }],
  ])('is not matched by an announcement with %s', async (_, changed) => {
    const announced = await announce(changed)()
    expect(announced._tag).toBe(changed.amount === null ? 'Left' : 'Right')
    await sendXlm(front.payer, units(5))
    expect(await front.exceptions()).toHaveLength(1)
  })

  it('is not funding after its announcement has expired', async () => {
    await done(announce({ from: front.payer.account, amount: null, hours: 1 }))
    front.network.wait(hourMs)
    front.network.wait(10_000)
    await front.step()
    await sendXlm(front.payer, units(5))
    expect(await front.exceptions()).toHaveLength(1)
  })
})

describe('XLM without a known memo', () => {
  beforeEach(async () => {
    create(front.other)
    await front.step()
  })
  const shown = async () => {
    await front.platform.shown()
    const { resources } = await front.billing.exceptions.list({ ...front.scope, limit: 100 }, null)()
    return resources.map(({ status, decision_needed, return_status }) => ({ status, decision_needed, return_status }))
  }
  const setPolicy = (unknownLumens: 'wait' | 'return') =>
    done(front.billing.merchants.setPolicy(command(front.platform, front.merchantId), { unknownLumens }))

  it('waits for a decision on a network that sets no accounts up', async () => {
    await sendXlm(front.payer, units(5))
    expect(await shown()).toEqual([{ status: 'open', decision_needed: 'unknown_lumens', return_status: null }])
  })
  it('is returned if the merchant decides so, and the decision stands', async () => {
    await setPolicy('return')
    await sendXlm(front.payer, units(5))
    expect(await shown()).toEqual([{ status: 'open', decision_needed: null, return_status: 'pending' }])
    await setPolicy('wait')
    front.network.wait(1000)
    await front.step()
    expect(await shown()).toEqual([{ status: 'resolved', decision_needed: null, return_status: 'succeeded' }])
    expect(await reconciled()).toMatchObject({ named: { return: 1 }, isOk: true })
  })
})

describe('a payer that has created the settlement account', () => {
  it('gets the refund at the account that created it', async () => {
    const id = await paidByCreation()
    // The fee of the refund, and the reserve.
    await done(declare(front.payer.account))
    await sendXlm(front.payer, units(10))
    await acceptLog(front)
    const refunds = refundsIn(front)
    const refund = await refunds.ended(await done(refunds.request(await front.payment(id))))
    expect(refund).toMatchObject({ status: 'succeeded', receiver_wallet_address: front.other.account })
    expect(await reconciled()).toMatchObject({ named: { payment: 1, set_up: 1, funding: 1, refund: 1 }, isOk: true })
  })
})

describe('money from the service itself', () => {
  it('is booked as funding when the operator tops up a settlement account', async () => {
    create(front.other)
    const operator = await done(front.billing.operator.create('testnet'))
    create(front.other, operator.account, 100)
    const { secret } = await front.services.vault.carriage.withSeed(operatorKey('testnet'), keyPairFromSeed)
    front.wallets.payFrom(secret, {
      to: front.account,
      asset: xlm,
      parts: [units(9)],
      memo: null,
    })
    await front.step()
    expect(await booked()).toContainEqual(['received', 'own_account', units(9)])
    expect(await reconciled()).toMatchObject({ isOk: true })
  })
})

describe('a worker that crashes after any append', () => {
  it('books each incoming payment once, as funding or as an exception', async () => {
    create(front.other)
    await done(declare(front.other.account))
    await front.step()
    for (let deaths = 0; deaths < 20; deaths++) {
      await done(announce())
      const before = { received: await received(), exceptions: (await front.exceptions()).length }
      front.payer.pay({ to: front.account, asset: xlm, parts: [units(5), units(5)], memo: null })
      front.other.pay({ to: front.account, asset: xlm, parts: [units(1)], memo: null })
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.worker.step))
      await dying.close()
      await front.step()
      expect((await received()) - before.received).toBe(2)
      expect((await front.exceptions()).length - before.exceptions).toBe(1)
      expect(await walkAgain()).toBe(false)
      if (lived) return
    }
    throw new Error('it never got through')
  })
})
