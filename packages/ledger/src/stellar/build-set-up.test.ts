import { type AccountId, AssetId, stroops } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import { localSigner } from '../signing/local-signer.ts'
import type { SigningKey } from '../signing/signing-key.ts'
import { payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { buildSetUp, type SetUp } from './build-set-up.ts'
import { keyPairFromSeed, signEnvelope } from './keys.ts'

const seedOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const sponsor = payer
const sponsorSigner = localSigner(seedOf(1))
/** An XLM for an account without entries, and half of one for each entry. */
const [accountReserve, entryReserve] = [10_000_000n, 5_000_000n]

describe('a transaction that sets an account up', () => {
  let network: StartedSandbox
  let eurc: AssetId
  beforeAll(async () => {
    network = await startSandbox()
    eurc = named(AssetId, network.sandbox.assets().find(({ code }) => code === 'EURC')?.assetId)
  })
  afterAll(() => network.stop())

  const viewOf = async (account: AccountId) => right(await network.gateway.accountView(account, [network.usdc, eurc])())

  /** Sends it with the sponsor's sequence number and at its cost; answers the codes where it failed. */
  const send = async (account: AccountId, setUp: SetUp, signers: ReadonlyArray<SigningKey>) => {
    const { gateway, sandbox } = network
    const { envelopeXdr, transactionHash } = buildSetUp({
      account,
      setUp,
      sourceAccount: sponsor.accountId,
      nextAccountSequence: ((await viewOf(sponsor.accountId))?.accountSequence ?? 0n) + 1n,
      ledgerClosedAt: right(await gateway.latestLedger()()).closedAt,
      lifetimeMs: 60_000,
      fee: stroops(100n),
      networkPassphrase: sandboxPassphrase,
    })
    const signed = right(await signEnvelope(envelopeXdr, signers, sandboxPassphrase)())
    const submitted = await gateway.submit(signed)()
    sandbox.close()
    return E.isLeft(submitted) ? submitted.left : right(await gateway.lookUp(transactionHash)())._tag
  }

  it('creates an account without lumens, sets its trustlines and removes them, all at the cost of the sponsor', async () => {
    const account = keyPairFromSeed(seedOf(11)).accountId
    const signers = [sponsorSigner, localSigner(seedOf(11))]
    const spendable = async () => (await viewOf(sponsor.accountId))?.nativeSpendable ?? 0n
    const before = await spendable()

    const created = { _tag: 'account' as const, sponsor: sponsor.accountId }
    expect(await send(account, created, signers)).toBe('Succeeded')
    expect(await viewOf(account)).toMatchObject({ nativeBalance: 0n, nativeSpendable: 0n, trustlines: [] })
    expect(before - (await spendable())).toBe(accountReserve + 300n)

    const lines = (limit: 'maximum' | 'remove') => ({
      _tag: 'trustlines' as const,
      sponsor: limit === 'maximum' ? sponsor.accountId : null,
      changes: [network.usdc, eurc].map((assetId) => ({ assetId, limit })),
    })
    expect(await send(account, lines('maximum'), signers)).toBe('Succeeded')
    expect((await viewOf(account))?.trustlines.map(({ assetId, limit }) => [assetId, limit])).toEqual([
      [network.usdc, 2n ** 63n - 1n],
      [eurc, 2n ** 63n - 1n],
    ])
    expect(before - (await spendable())).toBe(accountReserve + 2n * entryReserve + 700n)

    expect(await send(account, lines('remove'), signers)).toBe('Succeeded')
    expect((await viewOf(account))?.trustlines).toEqual([])
    expect(before - (await spendable())).toBe(accountReserve + 900n)
  })

  it("is refused without the account's own signature", async () => {
    const account = keyPairFromSeed(seedOf(12)).accountId
    const created = { _tag: 'account' as const, sponsor: sponsor.accountId }
    expect(await send(account, created, [sponsorSigner])).toMatchObject({ _tag: 'Refused' })
    expect(await viewOf(account)).toBeNull()
  })

  it('holds one to a hundred operations', () => {
    const built = (changes: number, by: AccountId | null) => () =>
      buildSetUp({
        account: keyPairFromSeed(seedOf(11)).accountId,
        setUp: {
          _tag: 'trustlines',
          sponsor: by,
          changes: Array(changes).fill({ assetId: network.usdc, limit: 'maximum' }),
        },
        sourceAccount: sponsor.accountId,
        nextAccountSequence: 1n,
        ledgerClosedAt: network.now(),
        lifetimeMs: 60_000,
        fee: stroops(100n),
        networkPassphrase: sandboxPassphrase,
      })
    expect(built(100, null)).not.toThrow()
    expect(built(98, sponsor.accountId)).not.toThrow()
    for (const wrong of [built(0, null), built(101, null), built(99, sponsor.accountId)])
      expect(wrong).toThrow(RangeError)
  })
})
