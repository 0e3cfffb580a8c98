import { AccountId, dayMs, decimalFromStroops, LedgerSequence, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { reconcile } from '../books/reconciliation/reconcile.ts'
import { acceptLog } from '../testing/accept-log.ts'
import { clubIn } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, restore } from '../testing/restored.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { accountRecovery } from './account-recovery.ts'
import { noteLackingKeys } from './lacking-keys.ts'
import { missingKeys } from './missing-keys.ts'

const testnet = 'testnet' as const
const recovery = Keypair.random()
const signer = decoded(AccountId, recovery.publicKey())

describe('a recovery signer', () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openStoreFront()
  })
  afterEach(() => front.close())

  const pass = async (ledgers = 3): Promise<void> => {
    for (let count = 0; count < ledgers; count++) {
      await front.step()
      front.network.wait(5_000)
    }
    await front.step()
  }
  const settlement = () => ({ _tag: 'settlement' as const, merchantId: front.merchantId })
  const set = (isProtected: boolean, key = signer) =>
    front.billing.accountRecovery.set(testnet, settlement(), { signer: key, isProtected })
  const show = async () => present((await done(front.billing.accountKeys.show(testnet, settlement())))[0])
  const fund = (lumens = '3') =>
    front.wallets.act(front.payer.secret, [Operation.createAccount({ destination: signer, startingBalance: lumens })])
  const isSet = async (isProtected: boolean) => {
    if (isProtected) fund()
    await done(set(isProtected))
    await pass()
    return show()
  }
  const thief = async () => Keypair.fromSecret(await front.seedOf(front.merchantId))
  /** What the node answers to a transaction of the settlement account that the stolen key has signed. */
  const stealing = async (operation: Parameters<StoreFront['wallets']['signedBy']>[1][number]) =>
    front.network.gateway.submit(front.wallets.signedBy(await thief(), [operation]))()
  const removal = () => Operation.setOptions({ source: front.account, signer: { ed25519PublicKey: signer, weight: 0 } })

  it('is added by a transaction of the worker, and the key of the service goes on to change signers', async () => {
    const [begun] = await done(set(false))
    expect(begun).toMatchObject({ recovery: { signer, status: 'waiting', weight: 0, keepsSigners: false } })
    await pass()
    const keys = [
      { key: front.account, weight: 1, isOurs: true },
      { key: signer, weight: 1, isOurs: false },
    ]
    const inPlace = { signer, status: 'done', weight: 1, keepsSigners: false }
    expect(await show()).toMatchObject({ needed: 1, signs: front.account, keys, recovery: inPlace })
    await done(front.billing.accountKeys.rotate(testnet, settlement()))
    await pass()
    // A rotation leaves it, and is proven beside it.
    expect(await show()).toMatchObject({ isProven: true, recovery: inPlace })
  })

  it('changes nothing where it is in place or under way, and replaces an earlier one', async () => {
    const asked = await Promise.all([done(set(false)), done(set(false))])
    expect(asked).toHaveLength(2)
    await pass()
    await done(set(false))
    expect(await (await front.platform.shown()).intents.withKey(front.account)).toHaveLength(1)
    const other = decoded(AccountId, Keypair.random().publicKey())
    await done(set(false, other))
    await pass()
    const { keys } = await show()
    expect(keys.map(({ key }) => key)).toEqual([front.account, other])
  })

  it('keeps signers with thresholds: the stolen key pays, and can neither remove it, nor add a key, nor merge', async () => {
    expect(await isSet(true)).toMatchObject({
      needed: 1,
      keys: [
        { key: front.account, weight: 1 },
        { key: signer, weight: 2 },
      ],
      recovery: { status: 'done', keepsSigners: true },
    })
    const destination = front.other.account
    const source = front.account
    const added = { ed25519PublicKey: Keypair.random().publicKey(), weight: 255 }
    const changes = [
      removal(),
      Operation.setOptions({ source, signer: added }),
      Operation.setOptions({ source, highThreshold: 1 }),
      Operation.setOptions({ source, masterWeight: 2 }),
      Operation.accountMerge({ source, destination }),
    ]
    for (const change of changes)
      expect(await stealing(change)).toMatchObject({ left: { code: 'txFailed', operationCodes: ['opBadAuth'] } })
    await stealing(Operation.payment({ source, destination, asset: Asset.native(), amount: '1' }))
    front.network.wait(5_000)
    expect(await show()).toMatchObject({ recovery: { keepsSigners: true } })
  })

  it('lets the service refund with thresholds as before, and rotate no key by itself', async () => {
    await isSet(true)
    const refunds = refundsIn(front)
    const refund = await done(refunds.request(await refunds.paid()))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    const needed = { _tag: 'RecoveryKeyNeeded', account: front.account }
    expect(await refused(front.billing.accountKeys.rotate(testnet, settlement()))).toEqual(needed)
    expect(await refused(set(true, decoded(AccountId, Keypair.random().publicKey())))).toMatchObject({
      _tag: 'RecoveryAccountShort',
    })
    expect(await refused(set(false, decoded(AccountId, Keypair.random().publicKey())))).toEqual(needed)
    expect(await front.services.vault.keysNamed('rotated/')).toEqual([])
  })

  it('is removed by a stolen key where there are no thresholds, which is shown, and is added again', async () => {
    await isSet(false)
    front.wallets.act(await front.seedOf(front.merchantId), [removal()])
    await acceptLog(front)
    expect(await show()).toMatchObject({ recovery: { status: 'done', weight: 0 } })
    await done(set(false))
    await pass()
    expect(await show()).toMatchObject({ recovery: { status: 'done', weight: 1 } })
  })

  it('is refused as the key of thresholds where a stranger has weight, or where its account cannot pay', async () => {
    expect(await refused(set(true))).toEqual({ _tag: 'RecoveryAccountShort', signer, missing: 20_000_000n })
    fund('1.9')
    expect(await refused(set(true))).toEqual({ _tag: 'RecoveryAccountShort', signer, missing: 1_000_000n })
    front.wallets.act(front.payer.secret, [
      Operation.payment({ destination: signer, asset: Asset.native(), amount: '1' }),
    ])
    const stranger = Keypair.random().publicKey()
    front.wallets.act(await front.seedOf(front.merchantId), [
      Operation.setOptions({ signer: { ed25519PublicKey: stranger, weight: 1 } }),
    ])
    await acceptLog(front)
    expect(await refused(set(true))).toEqual({ _tag: 'ForeignSigner', account: front.account, key: stranger })
  })

  it('is not joined by a wish for another signer or another mode, be it given at the same moment', async () => {
    const other = decoded(AccountId, Keypair.random().publicKey())
    const underWay = { _tag: 'RecoverySigningUnderWay', account: front.account }
    const both = await Promise.all([set(false)(), set(false, other)()])
    expect(both.filter(({ _tag }) => _tag === 'Right')).toHaveLength(1)
    const { recovery: begun } = await show()
    const [won, lost] = begun?.signer === signer ? [signer, other] : [other, signer]
    expect(both).toContainEqual(E.left({ ...underWay, signer: won, isProtected: false }))
    expect(await refused(set(false, lost))).toEqual({ ...underWay, signer: won, isProtected: false })
    fund()
    if (won === signer) expect(await refused(set(true))).toEqual({ ...underWay, signer, isProtected: false })
    await pass()
    await done(set(false, lost))
    await pass()
    expect(await show()).toMatchObject({ recovery: { signer: lost, status: 'done' } })
  })

  it('gets no thresholds while a key that was added meanwhile has weight', async () => {
    fund()
    await done(set(true))
    const stranger = Keypair.random().publicKey()
    const weighing = async (weight: number) =>
      front.wallets.act(await front.seedOf(front.merchantId), [
        Operation.setOptions({ signer: { ed25519PublicKey: stranger, weight } }),
      ])
    await weighing(1)
    front.network.wait(5_000)
    await acceptLog(front)
    await pass()
    expect(await show()).toMatchObject({ recovery: { status: 'waiting', keepsSigners: false } })
    expect(front.platform.worker.troubles()).toContainEqual(
      expect.objectContaining({ _tag: 'CannotSign', account: front.account, cause: expect.stringContaining(stranger) }),
    )
    expect(await refused(set(true))).toEqual({ _tag: 'ForeignSigner', account: front.account, key: stranger })
    await weighing(0)
    front.network.wait(5_000)
    await acceptLog(front)
    await pass()
    expect(await show()).toMatchObject({ recovery: { status: 'done', keepsSigners: true } })
  })

  it('is no key of the service', async () => {
    expect(await refused(set(false, front.account))).toEqual({ _tag: 'RecoveryKeyIsOurs', signer: front.account })
    const [made] = await done(front.billing.accountKeys.prepare(testnet, settlement()))
    const { to } = present(made)
    expect(await refused(set(false, to))).toEqual({ _tag: 'RecoveryKeyIsOurs', signer: to })
  })

  describe('whose key signs offline', () => {
    const signed = (envelopeXdr: string, by = recovery): string => {
      const transaction = TransactionBuilder.fromXdr(envelopeXdr, front.network.gateway.networkPassphrase)
      transaction.sign(by)
      return transaction.toXdr()
    }
    const prepare = async (
      days = 3,
      of: Parameters<StoreFront['billing']['accountRecovery']['set']>[1] = settlement(),
    ) => present((await done(front.billing.accountRecovery.prepare(testnet, of, { signer: null, days })))[0])
    const submit = (
      envelopeXdr: string,
      of: Parameters<StoreFront['billing']['accountRecovery']['set']>[1] = settlement(),
    ) => front.billing.accountRecovery.submit(testnet, of, [envelopeXdr])
    const reconciled = () =>
      done(reconcile(front.services, testnet, { from: decoded(LedgerSequence, 1), to: null, merchantId: null }))
    const refunded = async () => {
      const refunds = refundsIn(front)
      return refunds.ended(await done(refunds.request(await refunds.paid())))
    }

    it.each([true, false])(
      'gives the account another key of the vault, at the same address, by the worker (with thresholds: %p)',
      async (isProtected) => {
        fund()
        await done(set(isProtected))
        await pass()
        const before = present(await done(front.network.gateway.accountView(front.account, [])))
        const { to, envelopeXdr, recoveryKey } = await prepare()
        expect(recoveryKey).toBe(signer)
        const [begun] = await done(submit(signed(envelopeXdr)))
        expect(begun).toMatchObject({ rotation: { to, status: 'waiting' } })
        await pass()
        const after = await show()
        expect(after).toMatchObject({
          account: front.account,
          signs: to,
          isProven: true,
          needed: 1,
          recovery: { status: 'done', keepsSigners: isProtected },
          rotation: { to, status: 'done', code: null },
        })
        const weights = Object.fromEntries(after.keys.map(({ key, weight }) => [key, weight]))
        expect(weights).toEqual({ [front.account]: 0, [to]: 1, [signer]: isProtected ? 2 : 1 })
        // The recovery key's account pays for everything.
        const view = present(await done(front.network.gateway.accountView(front.account, [])))
        expect([view.nativeBalance, view.reserve, view.accountSequence]).toEqual([
          before.nativeBalance,
          before.reserve,
          before.accountSequence,
        ])
        const destination = front.other.account
        const theft = Operation.payment({ source: front.account, destination, asset: Asset.native(), amount: '1' })
        expect(await stealing(theft)).toMatchObject({ left: { code: 'txBadAuth' } })
        expect(await refunded()).toMatchObject({ status: 'succeeded' })
        expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
        expect(await noteLackingKeys(front.services)).toEqual([])
        expect(await missingKeys(front.platform.log, front.services.vault)).toEqual([])
        // Repeated, it records nothing.
        await done(submit(signed(envelopeXdr)))
        expect(await show()).toMatchObject({ isProven: true })
      },
    )

    it('never gives a key that was prepared before, or that the log does not know to have weight', async () => {
      await isSet(true)
      const copied = await prepare()
      const sent = await prepare()
      expect(sent.to).not.toBe(copied.to)
      await done(front.network.gateway.submit(signed(sent.envelopeXdr)))
      await pass()
      expect(await show()).toMatchObject({ signs: sent.to })
      const next = await prepare()
      expect([copied.to, sent.to]).not.toContain(next.to)
      await done(submit(signed(next.envelopeXdr)))
      await pass()
      expect(await show()).toMatchObject({ signs: next.to, isProven: true })
    })

    it('leaves its keys to the recovery key: a rotation by the service makes another', async () => {
      fund()
      await isSet(false)
      const sent = await prepare()
      await done(front.network.gateway.submit(signed(sent.envelopeXdr)))
      await pass()
      await acceptLog(front)
      await done(front.billing.accountKeys.rotate(testnet, settlement()))
      await pass()
      const after = await show()
      expect(after).toMatchObject({ isProven: true, rotation: { status: 'done' } })
      expect(after.signs).not.toBe(sent.to)
      expect(after.keys).toContainEqual({ key: sent.to, weight: 0, isOurs: true })
    })

    it.each(['before', 'after'])(
      'records what a person has sent past the service, %s it was submitted',
      async (when) => {
        await isSet(true)
        const { to, envelopeXdr } = await prepare()
        if (when === 'after') await done(submit(signed(envelopeXdr)))
        await done(front.network.gateway.submit(signed(envelopeXdr)))
        front.network.wait(5_000)
        if (when === 'before') {
          await pass()
          expect(await show()).toMatchObject({ signs: to, rotation: null, isProven: false })
          await done(submit(signed(envelopeXdr)))
        }
        await pass()
        expect(await show()).toMatchObject({ signs: to, isProven: true, rotation: { to, status: 'done', code: null } })
        const states = (await (await front.platform.shown()).ledgerTransactions.all()).map(({ row }) => row.status)
        expect(new Set(states)).toEqual(new Set(['closed']))
        expect(front.billing.log.standing()).toEqual({ _tag: 'Sound' })
        expect(await refunded()).toMatchObject({ status: 'succeeded' })
        const next = await prepare()
        await done(submit(signed(next.envelopeXdr)))
        await pass()
        expect(await show()).toMatchObject({ signs: next.to, isProven: true })
        expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
      },
    )

    it('takes an account back from a thief who uses up its sequence numbers and its lumens, while the log is suspect', async () => {
      await isSet(true)
      const source = front.account
      const { nativeSpendable } = present(await done(front.network.gateway.accountView(source, [])))
      const { to, envelopeXdr } = await prepare()
      const drained = decimalFromStroops(stroops(nativeSpendable - 300n))
      const destination = front.other.account
      await stealing(Operation.payment({ source, destination, asset: Asset.native(), amount: drained }))
      front.network.wait(5_000)
      await stealing(Operation.bumpSequence({ source, bumpTo: '9223372036854775807' }))
      front.network.wait(5_000)
      await front.step()
      expect(front.billing.log.standing()).toMatchObject({ _tag: 'RolledBack' })
      // A person sends what the recovery key has signed, beside the service.
      await done(front.network.gateway.submit(signed(envelopeXdr)))
      front.network.wait(5_000)
      await acceptLog(front)
      expect(await show()).toMatchObject({ signs: to, recovery: { keepsSigners: true } })
      expect(await refunded()).toMatchObject({ status: 'succeeded' })
    })

    it('gives an account whose newest key is lost another one: sales go on at the same address', async () => {
      fund()
      await done(set(false))
      await pass()
      const payment = await refundsIn(front).paid()
      const backup = backUp(front)
      await done(front.billing.accountKeys.rotate(testnet, settlement()))
      await pass()
      const { account } = front
      // The vault of last night is all that is left.
      front = await restore(front, backup, 'kept')
      await pass(1)
      await acceptLog(front)
      expect(await show()).toMatchObject({ signs: null })
      const refund = await done(refundsIn(front).request(payment))
      await pass()
      expect(await refundsIn(front).refundNow(refund)).toMatchObject({ status: 'pending' })
      expect(await noteLackingKeys(front.services)).toMatchObject([{ subject: account }])

      const { to, envelopeXdr } = await prepare()
      await done(submit(signed(envelopeXdr)))
      await pass(5)
      expect(await show()).toMatchObject({ account, signs: to, isProven: true })
      expect(await refundsIn(front).refundNow(refund)).toMatchObject({ status: 'succeeded' })
      expect(await refunded()).toMatchObject({ status: 'succeeded' })
      expect(await noteLackingKeys(front.services)).toEqual([])
      expect(await missingKeys(front.platform.log, front.services.vault)).toEqual([])
      expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
    })

    it('keeps mandates: the operator account charges renewals with the key that the recovery key gave it', async () => {
      const club = clubIn(front)
      await club.enrol(await club.join(await club.club(), 'ada@example.com'), front.payer)
      const id = present((await (await front.platform.shown()).subscriptions.all())[0]).id
      const operator = { _tag: 'operator' as const }
      front.network.wait(31 * dayMs)
      await pass()
      fund()
      await done(front.billing.accountRecovery.set(testnet, operator, { signer, isProtected: true }))
      await pass()
      const { to, envelopeXdr } = await prepare(3, operator)
      await done(submit(signed(envelopeXdr), operator))
      await pass()
      expect(await done(front.billing.accountKeys.show(testnet, operator))).toMatchObject([
        { signs: to, isProven: true },
      ])
      front.network.wait(31 * dayMs)
      await pass(5)
      expect(await club.subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 2 } })
      expect(await front.services.violations.present(testnet)).toEqual([])
    })

    it('gives each channel another key, one ledger after the other, while refunds go on', async () => {
      const channels = { _tag: 'channels' as const }
      await refunded()
      fund('5')
      await done(front.billing.accountRecovery.set(testnet, channels, { signer, isProtected: true }))
      await pass()
      const prepared = await done(front.billing.accountRecovery.prepare(testnet, channels, { signer: null, days: 1 }))
      const all = prepared.map(({ envelopeXdr }) => signed(envelopeXdr))
      await done(front.billing.accountRecovery.submit(testnet, channels, all))
      await pass(5)
      const shown = await done(front.billing.accountKeys.show(testnet, channels))
      expect(shown.map(({ signs, isProven }) => [signs, isProven])).toEqual(prepared.map(({ to }) => [to, true]))
      expect(await refunded()).toMatchObject({ status: 'succeeded' })
    })

    it.each([
      ['signature_expired', async () => front.network.wait(25 * 3_600_000)],
      ['sequence_used', async () => front.wallets.act(recovery.secret(), [Operation.bumpSequence({ bumpTo: '0' })])],
      ['recovery_signer_missing', async () => front.wallets.act(await front.seedOf(front.merchantId), [removal()])],
    ])('is given up where no ledger can take it any more (%s), and the earlier key goes on', async (code, spoil) => {
      fund()
      await done(set(false))
      await pass()
      const { to, envelopeXdr } = await prepare(1)
      await done(submit(signed(envelopeXdr)))
      await await spoil()
      await acceptLog(front)
      await pass()
      expect(await show()).toMatchObject({ signs: front.account, rotation: { to, status: 'failed', code } })
      expect(await refunded()).toMatchObject({ status: 'succeeded' })
      await done(set(false))
      await pass()
      const again = await prepare(1)
      expect(again.to).not.toBe(to)
      await done(submit(signed(again.envelopeXdr)))
      await pass()
      expect(await show()).toMatchObject({ signs: again.to, isProven: true })
    })

    it('is refused unless the recovery key alone has signed what was prepared for the account', async () => {
      fund()
      await done(set(true))
      await pass()
      const { envelopeXdr } = await prepare()
      const neighbour = await openNextDoor(front)
      const next = { _tag: 'settlement' as const, merchantId: neighbour.merchantId }
      const unfit = (because: string) => ({ _tag: 'RecoveryTransactionUnfit', because })
      const twice = signed(signed(envelopeXdr), await thief())
      expect(await refused(submit(envelopeXdr))).toEqual(unfit('not_signed'))
      expect(await refused(submit(signed(envelopeXdr, await thief())))).toEqual(unfit('not_signed'))
      expect(await refused(submit(twice))).toEqual(unfit('not_signed'))
      expect(await refused(submit('AAAA'))).toEqual(unfit('unknown_form'))
      expect(await refused(submit(signed(envelopeXdr), next))).toEqual(unfit('other_account'))
      const elsewhere = { ...front.services.vault, keysNamed: async () => [] }
      const keyring = accountRecovery({ ...front.services, vault: elsewhere })
      expect(await refused(keyring.submit(testnet, settlement(), [signed(envelopeXdr)]))).toEqual(unfit('unknown_key'))
      expect(await (await front.platform.shown()).intents.withKey(front.account)).toHaveLength(1)
      front.network.wait(4 * dayMs)
      expect(await refused(submit(signed(envelopeXdr)))).toEqual(unfit('expired'))
    })
  })
})
