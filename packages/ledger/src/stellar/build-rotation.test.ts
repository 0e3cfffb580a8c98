import { type AccountId, stroops } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { localSigner } from '../signing/local-signer.ts'
import type { SigningKey } from '../signing/signing-key.ts'
import { payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { buildRotation } from './build-rotation.ts'
import { signEnvelope } from './keys.ts'

const signerOf = (number: number): SigningKey => localSigner(new Uint8Array(32).fill(number))
const [own, second, third, sponsor] = [signerOf(1), signerOf(51), signerOf(52), signerOf(2)]
const account = payer.accountId

describe('a transaction that rotates the key of an account', () => {
  let network: StartedSandbox
  beforeEach(async () => {
    network = await startSandbox()
  })
  afterEach(() => network.stop())
  const view = async (of: AccountId = account) => {
    const found = right(await network.gateway.accountView(of, [])())
    if (found === null) throw new Error(`no account ${of}`)
    return found
  }
  const weights = async () =>
    Object.fromEntries((await view()).authority.signers.map(({ key, weight }) => [key, weight]))
  type Rotating = {
    readonly from: ReadonlyArray<SigningKey>
    readonly to: SigningKey
    readonly by?: ReadonlyArray<SigningKey>
    readonly sponsor?: AccountId
  }
  /** Sends it and closes the ledger; answers the codes where it failed. */
  const rotate = async ({ from, to, by = from, sponsor: keeper }: Rotating) => {
    const { gateway, sandbox } = network
    const { envelopeXdr, transactionHash } = buildRotation({
      account,
      authority: (await view()).authority,
      from: from.map(({ publicKey }) => publicKey),
      to: to.publicKey,
      sponsor: keeper ?? null,
      sourceAccount: account,
      nextAccountSequence: (await view()).accountSequence + 1n,
      ledgerClosedAt: right(await gateway.latestLedger()()).closedAt,
      lifetimeMs: 60_000,
      fee: stroops(100n),
      networkPassphrase: sandboxPassphrase,
    })
    const submitted = await gateway.submit(right(await signEnvelope(envelopeXdr, by, sandboxPassphrase)()))()
    sandbox.close()
    return E.isLeft(submitted) ? submitted.left : right(await gateway.lookUp(transactionHash)())._tag
  }

  it('gives the new key the weight of every operation, and the own key none', async () => {
    expect(await rotate({ from: [own], to: second })).toBe('Succeeded')
    expect(await weights()).toEqual({ [account]: 0, [second.publicKey]: 1 })
    expect(await rotate({ from: [own], to: third, by: [own] })).toMatchObject({ _tag: 'Refused', code: 'txBadAuth' })
  })

  it('replaces a later key without another reserve, and takes the weight of all earlier ones', async () => {
    await rotate({ from: [own], to: second })
    const { reserve } = await view()
    expect(await rotate({ from: [own, second], to: third, by: [second] })).toBe('Succeeded')
    expect(await weights()).toEqual({ [account]: 0, [third.publicKey]: 1 })
    expect((await view()).reserve).toBe(reserve)
  })

  it('leaves a signer that is not among the earlier keys', async () => {
    await rotate({ from: [], to: second, by: [own] })
    expect(await weights()).toEqual({ [account]: 1, [second.publicKey]: 1 })
    expect(await rotate({ from: [own], to: third })).toBe('Succeeded')
    expect(await weights()).toEqual({ [account]: 0, [second.publicKey]: 1, [third.publicKey]: 1 })
  })

  it("puts the new signer's reserve on a sponsor, which signs too", async () => {
    const before = await view(payee.accountId)
    expect(await rotate({ from: [own], to: second, by: [own, sponsor], sponsor: payee.accountId })).toBe('Succeeded')
    expect((await view(payee.accountId)).reserve - before.reserve).toBe(5_000_000n)
    expect(await rotate({ from: [second], to: third, by: [second, sponsor], sponsor: payee.accountId })).toBe(
      'Succeeded',
    )
    expect((await view(payee.accountId)).reserve - before.reserve).toBe(5_000_000n)
  })
})
