import { dayMs, decimalFromStroops, stroops } from '@quittance/domain'
import { Asset, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { acceptLog } from '../testing/accept-log.ts'
import { clubIn } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, restore } from '../testing/restored.ts'
import { openNextDoor, type StoreFront } from '../testing/store-front.ts'
import { accountRecovery } from './account-recovery.ts'
import { noteLackingKeys } from './lacking-keys.ts'
import { missingKeys } from './missing-keys.ts'
import { keyStage, testnet } from './testing/key-stage.ts'
import { recoveryKeyOn } from './testing/recovery-key.ts'

const stage = keyStage()
const { pass, settlement, reconciled } = stage
const { recovery, signer, set, show, fund, isSet, thief, stealing, removal } = recoveryKeyOn(stage)

describe('a recovery signer whose key signs offline', () => {
  const signed = (envelopeXdr: string, by = recovery): string => {
    const transaction = TransactionBuilder.fromXdr(envelopeXdr, stage.front.network.gateway.networkPassphrase)
    transaction.sign(by)
    return transaction.toXdr()
  }
  const prepare = async (days = 3, of: Parameters<StoreFront['billing']['accountRecovery']['set']>[1] = settlement()) =>
    present((await done(stage.front.billing.accountRecovery.prepare(testnet, of, { signer: null, days })))[0])
  const submit = (
    envelopeXdr: string,
    of: Parameters<StoreFront['billing']['accountRecovery']['set']>[1] = settlement(),
  ) => stage.front.billing.accountRecovery.submit(testnet, of, [envelopeXdr])
  const refunded = async () => {
    const refunds = refundsIn(stage.front)
    return refunds.ended(await done(refunds.request(await refunds.paid())))
  }

  it.each([true, false])(
    'gives the account another key of the vault, at the same address, by the worker (with thresholds: %p)',
    async (isProtected) => {
      fund()
      await done(set(isProtected))
      await pass()
      const before = present(await done(stage.front.network.gateway.accountView(stage.front.account, [])))
      const { to, envelopeXdr, recoveryKey } = await prepare()
      expect(recoveryKey).toBe(signer)
      const [begun] = await done(submit(signed(envelopeXdr)))
      expect(begun).toMatchObject({ rotation: { to, status: 'waiting' } })
      await pass()
      const after = await show()
      expect(after).toMatchObject({
        account: stage.front.account,
        signs: to,
        isProven: true,
        needed: 1,
        recovery: { status: 'done', keepsSigners: isProtected },
        rotation: { to, status: 'done', code: null },
      })
      const weights = Object.fromEntries(after.keys.map(({ key, weight }) => [key, weight]))
      expect(weights).toEqual({ [stage.front.account]: 0, [to]: 1, [signer]: isProtected ? 2 : 1 })
      // The recovery key's account pays for everything.
      const view = present(await done(stage.front.network.gateway.accountView(stage.front.account, [])))
      expect([view.nativeBalance, view.reserve, view.accountSequence]).toEqual([
        before.nativeBalance,
        before.reserve,
        before.accountSequence,
      ])
      const destination = stage.front.other.account
      const theft = Operation.payment({ source: stage.front.account, destination, asset: Asset.native(), amount: '1' })
      expect(await stealing(theft)).toMatchObject({ left: { code: 'txBadAuth' } })
      expect(await refunded()).toMatchObject({ status: 'succeeded' })
      expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
      expect(await noteLackingKeys(stage.front.services)).toEqual([])
      expect(await missingKeys(stage.front.platform.log, stage.front.services.vault)).toEqual([])
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
    await done(stage.front.network.gateway.submit(signed(sent.envelopeXdr)))
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
    await done(stage.front.network.gateway.submit(signed(sent.envelopeXdr)))
    await pass()
    await acceptLog(stage.front)
    await done(stage.front.billing.accountKeys.rotate(testnet, settlement()))
    await pass()
    const after = await show()
    expect(after).toMatchObject({ isProven: true, rotation: { status: 'done' } })
    expect(after.signs).not.toBe(sent.to)
    expect(after.keys).toContainEqual({ key: sent.to, weight: 0, isOurs: true })
  })

  it.each(['before', 'after'])('records what a person has sent past the service, %s it was submitted', async (when) => {
    await isSet(true)
    const { to, envelopeXdr } = await prepare()
    if (when === 'after') await done(submit(signed(envelopeXdr)))
    await done(stage.front.network.gateway.submit(signed(envelopeXdr)))
    stage.front.network.wait(5_000)
    if (when === 'before') {
      await pass()
      expect(await show()).toMatchObject({ signs: to, rotation: null, isProven: false })
      await done(submit(signed(envelopeXdr)))
    }
    await pass()
    expect(await show()).toMatchObject({ signs: to, isProven: true, rotation: { to, status: 'done', code: null } })
    const states = (await (await stage.front.platform.shown()).ledgerTransactions.all()).map(({ row }) => row.status)
    expect(new Set(states)).toEqual(new Set(['closed']))
    expect(stage.front.billing.log.standing()).toEqual({ _tag: 'Sound' })
    expect(await refunded()).toMatchObject({ status: 'succeeded' })
    const next = await prepare()
    await done(submit(signed(next.envelopeXdr)))
    await pass()
    expect(await show()).toMatchObject({ signs: next.to, isProven: true })
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('takes an account back from a thief who uses up its sequence numbers and its lumens, while the log is suspect', async () => {
    await isSet(true)
    const source = stage.front.account
    const { nativeSpendable } = present(await done(stage.front.network.gateway.accountView(source, [])))
    const { to, envelopeXdr } = await prepare()
    const drained = decimalFromStroops(stroops(nativeSpendable - 300n))
    const destination = stage.front.other.account
    await stealing(Operation.payment({ source, destination, asset: Asset.native(), amount: drained }))
    stage.front.network.wait(5_000)
    await stealing(Operation.bumpSequence({ source, bumpTo: '9223372036854775807' }))
    stage.front.network.wait(5_000)
    await stage.front.step()
    expect(stage.front.billing.log.standing()).toMatchObject({ _tag: 'RolledBack' })
    // A person sends what the recovery key has signed, beside the service.
    await done(stage.front.network.gateway.submit(signed(envelopeXdr)))
    stage.front.network.wait(5_000)
    await acceptLog(stage.front)
    expect(await show()).toMatchObject({ signs: to, recovery: { keepsSigners: true } })
    expect(await refunded()).toMatchObject({ status: 'succeeded' })
  })

  it('gives an account whose newest key is lost another one: sales go on at the same address', async () => {
    fund()
    await done(set(false))
    await pass()
    const payment = await refundsIn(stage.front).paid()
    const backup = backUp(stage.front)
    await done(stage.front.billing.accountKeys.rotate(testnet, settlement()))
    await pass()
    const { account } = stage.front
    // The vault of last night is all that is left.
    stage.goesOnAs(await restore(stage.front, backup, 'kept'))
    await pass(1)
    await acceptLog(stage.front)
    expect(await show()).toMatchObject({ signs: null })
    const refund = await done(refundsIn(stage.front).request(payment))
    await pass()
    expect(await refundsIn(stage.front).refundNow(refund)).toMatchObject({ status: 'pending' })
    expect(await noteLackingKeys(stage.front.services)).toMatchObject([{ subject: account }])

    const { to, envelopeXdr } = await prepare()
    await done(submit(signed(envelopeXdr)))
    await pass(5)
    expect(await show()).toMatchObject({ account, signs: to, isProven: true })
    expect(await refundsIn(stage.front).refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect(await refunded()).toMatchObject({ status: 'succeeded' })
    expect(await noteLackingKeys(stage.front.services)).toEqual([])
    expect(await missingKeys(stage.front.platform.log, stage.front.services.vault)).toEqual([])
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('keeps mandates: the operator account charges renewals with the key that the recovery key gave it', async () => {
    const club = clubIn(stage.front)
    await club.enrol(await club.join(await club.club(), 'ada@example.com'), stage.front.payer)
    const id = present((await (await stage.front.platform.shown()).subscriptions.all())[0]).id
    const operator = { _tag: 'operator' as const }
    stage.front.network.wait(31 * dayMs)
    await pass()
    fund()
    await done(stage.front.billing.accountRecovery.set(testnet, operator, { signer, isProtected: true }))
    await pass()
    const { to, envelopeXdr } = await prepare(3, operator)
    await done(submit(signed(envelopeXdr), operator))
    await pass()
    expect(await done(stage.front.billing.accountKeys.show(testnet, operator))).toMatchObject([
      { signs: to, isProven: true },
    ])
    stage.front.network.wait(31 * dayMs)
    await pass(5)
    expect(await club.subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 2 } })
    expect(await stage.front.services.violations.present(testnet)).toEqual([])
  })

  it('gives each channel another key, one ledger after the other, while refunds go on', async () => {
    const channels = { _tag: 'channels' as const }
    await refunded()
    fund('5')
    await done(stage.front.billing.accountRecovery.set(testnet, channels, { signer, isProtected: true }))
    await pass()
    const prepared = await done(
      stage.front.billing.accountRecovery.prepare(testnet, channels, { signer: null, days: 1 }),
    )
    const all = prepared.map(({ envelopeXdr }) => signed(envelopeXdr))
    await done(stage.front.billing.accountRecovery.submit(testnet, channels, all))
    await pass(5)
    const shown = await done(stage.front.billing.accountKeys.show(testnet, channels))
    expect(shown.map(({ signs, isProven }) => [signs, isProven])).toEqual(prepared.map(({ to }) => [to, true]))
    expect(await refunded()).toMatchObject({ status: 'succeeded' })
  })

  it.each([
    ['signature_expired', async () => stage.front.network.wait(25 * 3_600_000)],
    [
      'sequence_used',
      async () => stage.front.wallets.act(recovery.secret(), [Operation.bumpSequence({ bumpTo: '0' })]),
    ],
    [
      'recovery_signer_missing',
      async () => stage.front.wallets.act(await stage.front.seedOf(stage.front.merchantId), [removal()]),
    ],
  ])('is given up where no ledger can take it any more (%s), and the earlier key goes on', async (code, spoil) => {
    fund()
    await done(set(false))
    await pass()
    const { to, envelopeXdr } = await prepare(1)
    await done(submit(signed(envelopeXdr)))
    await await spoil()
    await acceptLog(stage.front)
    await pass()
    expect(await show()).toMatchObject({ signs: stage.front.account, rotation: { to, status: 'failed', code } })
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
    const neighbour = await openNextDoor(stage.front)
    const next = { _tag: 'settlement' as const, merchantId: neighbour.merchantId }
    const unfit = (because: string) => ({ _tag: 'RecoveryTransactionUnfit', because })
    const twice = signed(signed(envelopeXdr), await thief())
    expect(await refused(submit(envelopeXdr))).toEqual(unfit('not_signed'))
    expect(await refused(submit(signed(envelopeXdr, await thief())))).toEqual(unfit('not_signed'))
    expect(await refused(submit(twice))).toEqual(unfit('not_signed'))
    expect(await refused(submit('AAAA'))).toEqual(unfit('unknown_form'))
    expect(await refused(submit(signed(envelopeXdr), next))).toEqual(unfit('other_account'))
    const elsewhere = { ...stage.front.services.vault, keysNamed: async () => [] }
    const keyring = accountRecovery({ ...stage.front.services, vault: elsewhere })
    expect(await refused(keyring.submit(testnet, settlement(), [signed(envelopeXdr)]))).toEqual(unfit('unknown_key'))
    expect(await (await stage.front.platform.shown()).intents.withKey(stage.front.account)).toHaveLength(1)
    stage.front.network.wait(4 * dayMs)
    expect(await refused(submit(signed(envelopeXdr)))).toEqual(unfit('expired'))
  })
})
