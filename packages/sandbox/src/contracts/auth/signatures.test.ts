import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey } from '../../ledger/entry-keys.ts'
import { liveUntilIn } from '../lifetimes.ts'
import { maxTtl, minTemporaryTtl } from '../settings.ts'
import { bySource, enforced, notAgreed, recordedFor, signed } from '../testing/authorizations.ts'
import { addressOf, alice, bob, callOf, goldToken, newWorld, party, startSequence, stranger } from '../testing/world.ts'
import { i128, vec } from '../values/sc-values.ts'

const transfer = callOf(goldToken, 'transfer', [party(alice), party(bob), i128(5n)])

describe("the source account's agreement", () => {
  it('the source account authorizes a call by an entry alone, without a separate signature', () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer, alice)
    expect(auth.map(({ credentials }) => credentials.type)).toEqual(['sorobanCredentialsSourceAccount'])
    expect(enforced(world, transfer, [], { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, auth, { source: alice, footprint })).toBeUndefined()
  })

  it("the source account's entry authorizes no other account", () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer)
    expect(
      enforced(
        world,
        transfer,
        auth.map(({ rootInvocation }) => bySource(rootInvocation)),
        { footprint },
      ),
    ).toBe(notAgreed)
  })
})

describe("an account's signature", () => {
  it.each([false, true])(
    'a signature authorizes the call that it signs; bound to the address: %s',
    async (isAddressBound) => {
      const world = newWorld()
      const { auth, footprint } = recordedFor(world, transfer, bob, isAddressBound)
      expect(auth.map(({ credentials }) => credentials.type)).toEqual([
        isAddressBound ? 'sorobanCredentialsAddressV2' : 'sorobanCredentialsAddress',
      ])
      expect(enforced(world, transfer, auth, { footprint })).toBe(notAgreed)
      expect(enforced(world, transfer, await signed(auth, bob), { footprint })).toBe(notAgreed)
      expect(enforced(world, transfer, await signed(auth, alice), { footprint })).toBeUndefined()
    },
  )

  it('a signed call costs what its simulation without a signature estimated', async () => {
    const world = newWorld()
    const { auth, footprint, cost } = recordedFor(world, transfer)
    const mode = { _tag: 'enforce', footprint, auth: await signed(auth, alice), restored: [] } as const
    expect(world.run(bob, transfer, mode).cost.instructions).toBe(cost.instructions)
  })

  it('a signature is valid once: its nonce lives as long as the signature could', async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer)
    const until = startSequence + minTemporaryTtl + 5
    const entries = await signed(auth, alice, until)
    expect(enforced(world, transfer, entries, { footprint })).toBeUndefined()
    expect(enforced(world, transfer, entries, { footprint })).toBe('sceAuth scecExistingValue')
    const nonce = auth[0]?.credentials.type === 'sorobanCredentialsAddress' ? auth[0].credentials.address.nonce : 0n
    const name = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }))
    const key = contractDataKey(addressOf(alice), name, xdr.ContractDataDurability.temporary)
    expect(liveUntilIn(world.ledger.view, key)).toBe(until)
  })

  it.each([
    ['its last ledger', startSequence, undefined],
    ['the ledger before', startSequence - 1, 'sceAuth scecInvalidInput'],
    ['the last ledger there may be', startSequence + maxTtl - 1, undefined],
    ['one later', startSequence + maxTtl, 'sceAuth scecInvalidInput'],
  ])('ends with %s', async (_when, until, refusal) => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer)
    expect(enforced(world, transfer, await signed(auth, alice, until), { footprint })).toBe(refusal)
  })

  it("a signature covers the call's arguments", async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer)
    const more = callOf(goldToken, 'transfer', [party(alice), party(bob), i128(6n)])
    expect(enforced(world, more, await signed(auth, alice), { footprint })).toBe(notAgreed)
  })

  it('signatures must reach the medium threshold and be ordered by key', async () => {
    const world = newWorld()
    const account = world.account(alice)
    if (account === undefined) throw new Error('Alice is missing')
    const signer = { key: xdr.SignerKey.signerKeyTypeEd25519(stranger.xdrAccountId().ed25519.value), weight: 1 }
    world.ledger.put(
      xdr.LedgerEntryData.account(
        new xdr.AccountEntry({
          ...account,
          thresholds: Uint8Array.of(1, 0, 2, 0),
          signers: [new xdr.Signer(signer)],
          numSubEntries: 1,
        }),
      ),
      null,
    )
    const { auth, footprint } = recordedFor(world, transfer)
    const [byAlice, byStranger] = [await signed(auth, alice), await signed(auth, stranger)]
    const together = (...parts: ReadonlyArray<ReadonlyArray<xdr.SorobanAuthorizationEntry>>) =>
      auth.map((entry, place) => {
        if (entry.credentials.type !== 'sorobanCredentialsAddress') throw new Error('not signed')
        const signatures = parts.flatMap((part) => {
          const credentials = part[place]?.credentials
          const signature =
            credentials?.type === 'sorobanCredentialsAddress' ? credentials.address.signature : undefined
          return signature?.type === 'scvVec' ? (signature.vec ?? []) : []
        })
        const first = parts[0]?.[place]?.credentials
        if (first?.type !== 'sorobanCredentialsAddress') throw new Error('not signed')
        const address = new xdr.SorobanAddressCredentials({ ...first.address, signature: vec(...signatures) })
        return new xdr.SorobanAuthorizationEntry({
          ...entry,
          credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(address),
        })
      })
    const isAliceFirst = Buffer.compare(alice.rawPublicKey(), stranger.rawPublicKey()) < 0
    const [lower, higher] = isAliceFirst ? [byAlice, byStranger] : [byStranger, byAlice]
    expect(enforced(world, transfer, byAlice, { footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, together(higher, lower), { footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, together(lower, lower), { footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, together(lower, higher), { footprint })).toBeUndefined()
  })
})
