import { dayMs, decimalFromStroops, stroops } from '@quittance/domain'
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { channelAccounts, operatorAccount } from '../features/outgoing/signing-accounts.ts'
import { channelKey } from '../stores/vault/vault-signer.ts'
import { acceptLog } from '../testing/accept-log.ts'
import { clubIn } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { openPlatform } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openNextDoor, openStoreFront, setsNothingUp } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { accountKeyring } from './account-keys.ts'
import { keyStage, testnet } from './testing/key-stage.ts'

const stage = keyStage()
const { pass, settlement, show, reconciled, rotate, rotated, held } = stage
const seedKey = async () => Keypair.fromSecret(await stage.front.seedOf(stage.front.merchantId))

describe('rotating the key of an account', () => {
  it('gives a new key of the vault all weight and takes that of the old one, in one transaction, at the same address', async () => {
    const before = present((await show())[0])
    expect(before).toMatchObject({
      account: stage.front.account,
      signs: stage.front.account,
      rotation: null,
      isProven: false,
    })
    const [begun] = await rotate()
    const to = present(begun?.rotation).to
    expect(begun).toMatchObject({ signs: stage.front.account, rotation: { status: 'waiting', ledger: null } })
    expect(await stage.front.services.vault.keysNamed(`rotated/testnet/${stage.front.account}/`)).toHaveLength(1)
    await pass()
    const [after] = await show()
    expect(after).toEqual({
      account: stage.front.account,
      asOf: expect.any(Number),
      keys: [
        { key: stage.front.account, weight: 0, isOurs: true },
        { key: to, weight: 1, isOurs: true },
      ],
      needed: 1,
      signs: to,
      rotation: { to, status: 'done', transactionHash: expect.any(String), ledger: expect.any(Number), code: null },
      recovery: null,
      isProven: true,
    })
    expect((await done(stage.front.services.settlementOf(stage.front.merchantId, testnet))).account).toBe(
      stage.front.account,
    )
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('refunds and pays by the new key from then on, and the old key moves nothing', async () => {
    await rotated()
    const payment = await refundsIn(stage.front).paid()
    const before = await held()
    expect(await refundsIn(stage.front).ended(await done(refundsIn(stage.front).request(payment)))).toMatchObject({
      status: 'succeeded',
    })
    expect((await held()) - before).toBe(units(10))

    const { gateway } = stage.front.network
    const theft = Operation.payment({
      source: stage.front.account,
      destination: stage.front.other.account,
      asset: Asset.native(),
      amount: '1',
    })
    const stolen = stage.front.wallets.signedBy(await seedKey(), [theft])
    expect(await refused(gateway.submit(stolen))).toMatchObject({ _tag: 'Refused', code: 'txBadAuth' })
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 1 }, unexplained: [], missing: [] })
  })

  it('rotates again, so that of three keys only the newest has weight', async () => {
    const first = present((await rotated()).signs)
    const second = await rotated()
    expect(second).toMatchObject({ isProven: true, rotation: { status: 'done' } })
    expect(second.signs).not.toBe(first)
    const weights = second.keys.map(({ key, weight }) => [key === second.signs, weight])
    expect(weights.toSorted()).toEqual([
      [false, 0],
      [false, 0],
      [true, 1],
    ])
    const refund = await done(refundsIn(stage.front).request(await refundsIn(stage.front).paid()))
    expect(await refundsIn(stage.front).ended(refund)).toMatchObject({ status: 'succeeded' })
  })

  it('joins a rotation that is under way, also from another process', async () => {
    const [begun] = await rotate()
    const other = await openPlatform(stage.front.network, stage.front.folder.path)
    try {
      await other.shown()
      const [joined] = await done(other.billing.accountKeys.rotate(testnet, settlement()))
      expect(joined?.rotation?.to).toBe(begun?.rotation?.to)
      expect(await other.services.vault.keysNamed('rotated/')).toHaveLength(1)
      await Promise.all([pass(), done(other.worker.step)])
      // What the other one began is its own until its step ends.
      await pass()
      expect(present((await show())[0])).toMatchObject({ isProven: true })
    } finally {
      await other.close()
    }
  })

  it('makes the key beforehand, so that it can be backed up before it has weight', async () => {
    const [made] = await done(stage.front.billing.accountKeys.prepare(testnet, settlement()))
    expect(await done(stage.front.billing.accountKeys.prepare(testnet, settlement()))).toEqual([made])
    await pass()
    expect((await show())[0]).toMatchObject({ signs: stage.front.account, rotation: null })
    expect((await rotated()).signs).toBe(present(made).to)
  })

  it('fences a host that has a copy of the vault: a fresh key is made now, whatever was prepared, then and later', async () => {
    const { accountKeys } = stage.front.billing
    const [prepared] = await done(accountKeys.prepare(testnet, settlement()))
    const copied = await stage.front.services.vault.keysNamed('rotated/')
    const [begun] = await done(accountKeys.rotate(testnet, settlement(), 'fresh'))
    const to = present(begun?.rotation).to
    expect(to).not.toBe(present(prepared).to)
    expect(await refused(accountKeys.rotate(testnet, settlement(), 'fresh'))).toEqual({
      _tag: 'RotationUnderWay',
      account: stage.front.account,
      to,
    })
    await pass()
    expect((await show())[0]).toMatchObject({ signs: to, isProven: true })
    // The prepared key, which the copy has, is not given weight by a later rotation either.
    const [next] = await done(accountKeys.prepare(testnet, settlement()))
    expect((await rotated()).signs).toBe(present(next).to)
    expect([to, present(prepared).to]).not.toContain(present(next).to)
    expect(copied).toHaveLength(1)
    expect(await stage.front.services.vault.keysNamed('rotated/')).toHaveLength(3)
  })

  it('waits until the open transactions of the account have ended, and holds later ones back until it is done', async () => {
    const refunds = refundsIn(stage.front)
    const [one, other] = [await refunds.paid(), await refunds.paid()]
    stage.front.network.faults.losesSubmissions = true
    const first = await done(refunds.request(one))
    await stage.front.step()
    await rotate()
    const second = await done(refunds.request(other))
    await stage.front.step()
    const intents = async () =>
      (await (await stage.front.platform.shown()).intents.all()).map(({ row }) => [row.details.class, row.status])
    expect((await intents()).toSorted()).toEqual([
      ['refund', 'attached'],
      ['refund', 'waiting'],
      ['rotation', 'waiting'],
    ])
    stage.front.network.wait(130_000)
    stage.front.network.faults.losesSubmissions = false
    await pass(8)
    for (const refund of [first, second]) expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect((await show())[0]).toMatchObject({ isProven: true })
    const states = (await (await stage.front.platform.shown()).ledgerTransactions.all()).map(({ row }) => row.status)
    expect(new Set(states)).toEqual(new Set(['closed']))
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 2 }, unexplained: [], missing: [] })
  })

  it('keeps mandates: the operator account charges renewals with its new key', async () => {
    const club = clubIn(stage.front)
    await club.enrol(await club.join(await club.club(), 'ada@example.com'), stage.front.payer)
    const id = present((await (await stage.front.platform.shown()).subscriptions.all())[0]).id
    stage.front.network.wait(31 * dayMs)
    await pass()
    const { account } = present(await operatorAccount(stage.front.services, testnet))
    await rotate({ _tag: 'operator' })
    await pass()
    expect(await show({ _tag: 'operator' })).toMatchObject([{ account, isProven: true }])
    stage.front.network.wait(31 * dayMs)
    await pass(5)
    expect(await club.subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 2 } })
    expect(await stage.front.services.violations.present(testnet)).toEqual([])
  })

  it('rotates every channel, and goes on sending', async () => {
    const refunds = refundsIn(stage.front)
    await refunds.ended(await done(refunds.request(await refunds.paid())))
    const channels = (await channelAccounts(stage.front.services, testnet)).map(({ account }) => account)
    await rotate({ _tag: 'channels' })
    await pass()
    const shown = await show({ _tag: 'channels' })
    expect(shown.map(({ account, isProven }) => [account, isProven])).toEqual(channels.map((each) => [each, true]))
    expect(await refunds.ended(await done(refunds.request(await refunds.paid())))).toMatchObject({
      status: 'succeeded',
    })
  })

  it('rotates the channels that the ledger holds, and leaves one that was never set up', async () => {
    const refunds = refundsIn(stage.front)
    await refunds.ended(await done(refunds.request(await refunds.paid())))
    const held = (await channelAccounts(stage.front.services, testnet)).map(({ account }) => account)
    await done(stage.front.services.vault.createKey(channelKey(testnet, 3)))
    await rotate({ _tag: 'channels' })
    await pass()
    const shown = await show({ _tag: 'channels' })
    const missing = { asOf: null, signs: null, rotation: null, isProven: false }
    expect(shown).toMatchObject([...held.map((account) => ({ account, isProven: true })), missing])
    expect(await done(stage.front.billing.accountKeys.rotate(testnet, { _tag: 'channels' }))).toHaveLength(3)
  })

  it('rotates a channel that is set up while the command runs', async () => {
    const refunds = refundsIn(stage.front)
    await refunds.ended(await done(refunds.request(await refunds.paid())))
    const [first] = (await channelAccounts(stage.front.services, testnet)).map(({ account }) => account)
    const { gateway } = stage.front.network
    let isSetUp = false
    const accountView: typeof gateway.accountView = (account, assets) => {
      const isMissing = account === first && !isSetUp
      if (account === first) isSetUp = true
      return isMissing ? TE.right(null) : gateway.accountView(account, assets)
    }
    const network = { ...stage.front.network.seen(), gateway: { ...gateway, accountView } }
    const keyring = accountKeyring({
      ...stage.front.services,
      networks: { ...stage.front.services.networks, testnet: network },
    })
    const shown = await done(keyring.rotate(testnet, { _tag: 'channels' }))
    expect(shown.map(({ rotation }) => rotation?.status)).toEqual(shown.map(() => 'waiting'))
    expect(shown.map(({ account }) => account)).toContain(first)
  })

  it('shows a signer that is not ours, which keeps its weight, and calls the rotation unproven', async () => {
    const thief = Keypair.random()
    const add = Operation.setOptions({
      source: stage.front.account,
      signer: { ed25519PublicKey: thief.publicKey(), weight: 1 },
    })
    await done(stage.front.network.gateway.submit(stage.front.wallets.signedBy(await seedKey(), [add])))
    stage.front.network.wait(5_000)
    await acceptLog(stage.front)
    const shown = await rotated()
    expect(shown).toMatchObject({ isProven: false, rotation: { status: 'done' } })
    expect(shown.keys).toContainEqual({ key: thief.publicKey(), weight: 1, isOurs: false })
  })

  it('calls a rotation unproven where the preimage of a hash has weight', async () => {
    const add = Operation.setOptions({
      source: stage.front.account,
      signer: { sha256Hash: 'ab'.repeat(32), weight: 1 },
    })
    await done(stage.front.network.gateway.submit(stage.front.wallets.signedBy(await seedKey(), [add])))
    stage.front.network.wait(5_000)
    await acceptLog(stage.front)
    const shown = await rotated()
    expect(shown).toMatchObject({ isProven: false, rotation: { status: 'done' } })
    expect(shown.keys).toContainEqual({ key: expect.stringMatching(/^X/), weight: 1, isOurs: false })
  })

  it('signs again what no ledger takes any more because the signers have changed', async () => {
    const refunds = refundsIn(stage.front)
    const payment = await refunds.paid()
    const [next] = await done(stage.front.billing.accountKeys.prepare(testnet, settlement()))
    const before = await held()
    stage.front.network.sandbox.faults.set({ include_late: { ledgers: 2, times: 1 } })
    const refund = await done(refunds.request(payment))
    await stage.front.step()
    // A person puts the key of the vault on the ledger by hand, while the refund is under way.
    const signer = { ed25519PublicKey: present(next).to, weight: 1 }
    stage.front.wallets.act(await stage.front.seedOf(stage.front.merchantId), [
      Operation.setOptions({ masterWeight: 0, signer }),
    ])
    await pass(4)
    await acceptLog(stage.front)
    await pass(4)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect((await held()) - before).toBe(units(10))
    const [intent] = await refunds.intentsOf(refund.id)
    expect(intent?.detachedFrom).toHaveLength(1)
    expect((await show())[0]).toMatchObject({ signs: present(next).to, isProven: true })
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 1 }, unexplained: [], missing: [] })
  })

  it('refuses an account that the ledger does not hold, or that was never made, and makes no key', async () => {
    await stage.front.close()
    stage.goesOnAs(await openStoreFront({}, setsNothingUp))
    expect(await refused(stage.front.billing.accountKeys.rotate(testnet, settlement()))).toEqual({
      _tag: 'AccountNotOnLedger',
      account: stage.front.account,
    })
    expect(await refused(stage.front.billing.accountKeys.rotate(testnet, { _tag: 'operator' }))).toEqual({
      _tag: 'AccountNotCreated',
    })
    expect(await stage.front.services.vault.keysNamed('rotated/')).toEqual([])
  })

  it('refuses an account without the lumens for another signer, down to the stroop, and makes no key', async () => {
    const spendable = async () =>
      present(await done(stage.front.network.gateway.accountView(stage.front.account, []))).nativeSpendable
    const left = 5_009_999n
    const amount = decimalFromStroops(stroops((await spendable()) - left - 100n))
    const payment = { destination: stage.front.other.account, asset: Asset.native(), amount }
    stage.front.wallets.act(await stage.front.seedOf(stage.front.merchantId), [Operation.payment(payment)])
    expect(await spendable()).toBe(left)
    expect(await refused(stage.front.billing.accountKeys.rotate(testnet, settlement()))).toEqual({
      _tag: 'RotationUnaffordable',
      account: stage.front.account,
      missing: 1n,
    })
    expect(await stage.front.services.vault.keysNamed('rotated/')).toEqual([])
  })

  it("refuses a merchant's own account", async () => {
    const settlementOf = () => TE.right({ ...shopSettlement, custody: 'merchant' as const })
    const shopSettlement = await done(stage.front.services.settlementOf(stage.front.merchantId, testnet))
    const keyring = accountKeyring({ ...stage.front.services, settlementOf })
    expect(await refused(keyring.rotate(testnet, settlement()))).toEqual({ _tag: 'SettlementAccountIsOwn' })
  })

  it("leaves other merchants' keys alone", async () => {
    const neighbour = await openNextDoor(stage.front)
    await rotated()
    const holder = { _tag: 'settlement' as const, merchantId: neighbour.merchantId }
    expect(await done(stage.front.billing.accountKeys.show(testnet, holder))).toMatchObject([
      { signs: neighbour.account, rotation: null },
    ])
  })
})
