import { AccountId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { acceptLog } from '../testing/accept-log.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { refundsIn } from '../testing/refunds.ts'
import { keyStage, testnet } from './testing/key-stage.ts'
import { recoveryKeyOn } from './testing/recovery-key.ts'

const stage = keyStage()
const { pass, settlement } = stage
const { signer, set, show, fund, isSet, stealing, removal } = recoveryKeyOn(stage)

describe('a recovery signer', () => {
  it('is added by a transaction of the worker, and the key of the service goes on to change signers', async () => {
    const [begun] = await done(set(false))
    expect(begun).toMatchObject({ recovery: { signer, status: 'waiting', weight: 0, keepsSigners: false } })
    await pass()
    const keys = [
      { key: stage.front.account, weight: 1, isOurs: true },
      { key: signer, weight: 1, isOurs: false },
    ]
    const inPlace = { signer, status: 'done', weight: 1, keepsSigners: false }
    expect(await show()).toMatchObject({ needed: 1, signs: stage.front.account, keys, recovery: inPlace })
    await done(stage.front.billing.accountKeys.rotate(testnet, settlement()))
    await pass()
    // A rotation leaves it, and is proven beside it.
    expect(await show()).toMatchObject({ isProven: true, recovery: inPlace })
  })

  it('changes nothing where it is in place or under way, and replaces an earlier one', async () => {
    const asked = await Promise.all([done(set(false)), done(set(false))])
    expect(asked).toHaveLength(2)
    await pass()
    await done(set(false))
    expect(await (await stage.front.platform.shown()).intents.withKey(stage.front.account)).toHaveLength(1)
    const other = decoded(AccountId, Keypair.random().publicKey())
    await done(set(false, other))
    await pass()
    const { keys } = await show()
    expect(keys.map(({ key }) => key)).toEqual([stage.front.account, other])
  })

  it('keeps signers with thresholds: the stolen key pays, and can neither remove it, nor add a key, nor merge', async () => {
    expect(await isSet(true)).toMatchObject({
      needed: 1,
      keys: [
        { key: stage.front.account, weight: 1 },
        { key: signer, weight: 2 },
      ],
      recovery: { status: 'done', keepsSigners: true },
    })
    const destination = stage.front.other.account
    const source = stage.front.account
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
    stage.front.network.wait(5_000)
    expect(await show()).toMatchObject({ recovery: { keepsSigners: true } })
  })

  it('lets the service refund with thresholds as before, and rotate no key by itself', async () => {
    await isSet(true)
    const refunds = refundsIn(stage.front)
    const refund = await done(refunds.request(await refunds.paid()))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    const needed = { _tag: 'RecoveryKeyNeeded', account: stage.front.account }
    expect(await refused(stage.front.billing.accountKeys.rotate(testnet, settlement()))).toEqual(needed)
    expect(await refused(set(true, decoded(AccountId, Keypair.random().publicKey())))).toMatchObject({
      _tag: 'RecoveryAccountShort',
    })
    expect(await refused(set(false, decoded(AccountId, Keypair.random().publicKey())))).toEqual(needed)
    expect(await stage.front.services.vault.keysNamed('rotated/')).toEqual([])
  })

  it('is removed by a stolen key where there are no thresholds, which is shown, and is added again', async () => {
    await isSet(false)
    stage.front.wallets.act(await stage.front.seedOf(stage.front.merchantId), [removal()])
    await acceptLog(stage.front)
    expect(await show()).toMatchObject({ recovery: { status: 'done', weight: 0 } })
    await done(set(false))
    await pass()
    expect(await show()).toMatchObject({ recovery: { status: 'done', weight: 1 } })
  })

  it('is refused as the key of thresholds where a stranger has weight, or where its account cannot pay', async () => {
    expect(await refused(set(true))).toEqual({ _tag: 'RecoveryAccountShort', signer, missing: 20_000_000n })
    fund('1.9')
    expect(await refused(set(true))).toEqual({ _tag: 'RecoveryAccountShort', signer, missing: 1_000_000n })
    stage.front.wallets.act(stage.front.payer.secret, [
      Operation.payment({ destination: signer, asset: Asset.native(), amount: '1' }),
    ])
    const stranger = Keypair.random().publicKey()
    stage.front.wallets.act(await stage.front.seedOf(stage.front.merchantId), [
      Operation.setOptions({ signer: { ed25519PublicKey: stranger, weight: 1 } }),
    ])
    await acceptLog(stage.front)
    expect(await refused(set(true))).toEqual({ _tag: 'ForeignSigner', account: stage.front.account, key: stranger })
  })

  it('is not joined by a wish for another signer or another mode, be it given at the same moment', async () => {
    const other = decoded(AccountId, Keypair.random().publicKey())
    const underWay = { _tag: 'RecoverySigningUnderWay', account: stage.front.account }
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
      stage.front.wallets.act(await stage.front.seedOf(stage.front.merchantId), [
        Operation.setOptions({ signer: { ed25519PublicKey: stranger, weight } }),
      ])
    await weighing(1)
    stage.front.network.wait(5_000)
    await acceptLog(stage.front)
    await pass()
    expect(await show()).toMatchObject({ recovery: { status: 'waiting', keepsSigners: false } })
    expect(stage.front.platform.worker.troubles()).toContainEqual(
      expect.objectContaining({
        _tag: 'CannotSign',
        account: stage.front.account,
        cause: expect.stringContaining(stranger),
      }),
    )
    expect(await refused(set(true))).toEqual({ _tag: 'ForeignSigner', account: stage.front.account, key: stranger })
    await weighing(0)
    stage.front.network.wait(5_000)
    await acceptLog(stage.front)
    await pass()
    expect(await show()).toMatchObject({ recovery: { status: 'done', keepsSigners: true } })
  })

  it('is no key of the service', async () => {
    expect(await refused(set(false, stage.front.account))).toEqual({
      _tag: 'RecoveryKeyIsOurs',
      signer: stage.front.account,
    })
    const [made] = await done(stage.front.billing.accountKeys.prepare(testnet, settlement()))
    const { to } = present(made)
    expect(await refused(set(false, to))).toEqual({ _tag: 'RecoveryKeyIsOurs', signer: to })
  })
})
