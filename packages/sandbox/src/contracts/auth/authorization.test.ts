import { authorizeEntry, type Keypair, xdr } from '@stellar/stellar-sdk'
import { contractDataKey } from '../../ledger/entry-keys.ts'
import { right, testPassphrase } from '../../testing/fixture.ts'
import { liveUntilIn } from '../lifetimes.ts'
import { mandateWasmHash } from '../mandate-wasm.ts'
import { maxTtl, minTemporaryTtl } from '../settings.ts'
import { probe, probeHash, upload } from '../testing/probe.ts'
import {
  addressOf,
  alice,
  bob,
  callOf,
  contractFrom,
  contractParty,
  createFrom,
  goldToken,
  mandate,
  newWorld,
  operator,
  party,
  refusalOf,
  startSequence,
  startTime,
  stranger,
  type World,
} from '../testing/world.ts'
import { i128, symbol, vec } from '../values/sc-values.ts'

const probed = contractFrom(2)
const other = contractFrom(3)

const probeWorld = (): World => {
  const world = newWorld({ executables: new Set([mandateWasmHash, probeHash]) })
  for (const call of [upload(probe), createFrom(probeHash, 2), createFrom(probeHash, 3)])
    right(world.run(operator, call).result)
  return world
}

const u32 = (value: number) => xdr.ScVal.scvU32(value)
const u64 = (value: bigint) => xdr.ScVal.scvU64(value)
const transfer = callOf(goldToken, 'transfer', [party(alice), party(bob), i128(5n)])
const notAgreed = 'sceAuth scecInvalidAction'

/** What a simulation asks to be signed for a call of Bob's, or of whoever sends it. */
const recordedFor = (world: World, call: xdr.HostFunction, source = bob, isAddressBound = false) => {
  const outcome = world.simulate(source, call, { _tag: 'record', isAddressBound, allowsNonRoot: true })
  right(outcome.result)
  return outcome
}

const signed = (entries: ReadonlyArray<xdr.SorobanAuthorizationEntry>, key: Keypair, until = startSequence + 100) =>
  Promise.all(entries.map((entry) => authorizeEntry(entry, key, until, testPassphrase)))

const enforced = (
  world: World,
  call: xdr.HostFunction,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>,
  { source = bob, footprint = recordedFor(world, call, source).footprint } = {},
) => refusalOf(world.run(source, call, { _tag: 'enforce', footprint, auth, restored: [] }))

const bySource = ({ rootInvocation }: xdr.SorobanAuthorizationEntry): xdr.SorobanAuthorizationEntry =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation,
  })

describe("the source account's agreement", () => {
  it('needs an entry that names the call, and no other signature', () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer, alice)
    expect(auth.map(({ credentials }) => credentials.type)).toEqual(['sorobanCredentialsSourceAccount'])
    expect(enforced(world, transfer, [], { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, auth, { source: alice, footprint })).toBeUndefined()
  })

  it("is nobody else's", () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer)
    expect(enforced(world, transfer, auth.map(bySource), { footprint })).toBe(notAgreed)
  })
})

describe("an account's signature", () => {
  it.each([false, true])('agrees to the call it is over; bound to the address: %s', async (isAddressBound) => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer, bob, isAddressBound)
    expect(auth.map(({ credentials }) => credentials.type)).toEqual([
      isAddressBound ? 'sorobanCredentialsAddressV2' : 'sorobanCredentialsAddress',
    ])
    expect(enforced(world, transfer, auth, { footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, await signed(auth, bob), { footprint })).toBe(notAgreed)
    expect(enforced(world, transfer, await signed(auth, alice), { footprint })).toBeUndefined()
  })

  it('costs what a simulation has foreseen without it', async () => {
    const world = newWorld()
    const { auth, footprint, cost } = recordedFor(world, transfer)
    const mode = { _tag: 'enforce', footprint, auth: await signed(auth, alice), restored: [] } as const
    expect(world.run(bob, transfer, mode).cost.instructions).toBe(cost.instructions)
  })

  it('is good for once: its nonce lives as long as the signature could', async () => {
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

  it('is over the arguments, too', async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, transfer)
    const more = callOf(goldToken, 'transfer', [party(alice), party(bob), i128(6n)])
    expect(enforced(world, more, await signed(auth, alice), { footprint })).toBe(notAgreed)
  })

  it('needs the medium threshold, by keys in ascending order', async () => {
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

describe('a tree of calls', () => {
  const create = callOf(mandate, 'create', [
    party(alice),
    party(bob),
    party(operator),
    contractParty(goldToken),
    i128(1_100n),
    u32(3),
    u32(1),
    u64(startTime),
    xdr.ScVal.scvVoid(),
    i128(0n),
    i128(100_000n),
    u32(startSequence + 40_000),
    xdr.ScVal.scvBytes(Buffer.from('cs_1')),
  ])

  it('is agreed to as a whole: a mandate with the approval inside', async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, create)
    expect(auth.map(({ rootInvocation }) => rootInvocation.subInvocations.length)).toEqual([1])
    expect(enforced(world, create, await signed(auth, alice), { footprint })).toBeUndefined()
  })

  it('cannot be made up of entries beside each other', async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, create, alice)
    const apart = auth.flatMap(({ credentials, rootInvocation: root }) =>
      [root, ...root.subInvocations].map(
        (each) =>
          new xdr.SorobanAuthorizationEntry({
            credentials,
            rootInvocation: new xdr.SorobanAuthorizedInvocation({ function: each.function, subInvocations: [] }),
          }),
      ),
    )
    expect(enforced(world, create, apart, { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, create, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('holds each call as often as it is made', () => {
    const world = probeWorld()
    const call = callOf(probed, 'demand_and_forward_twice', [
      contractParty(other),
      symbol('demand'),
      vec(party(alice)),
      party(alice),
    ])
    const { auth, footprint } = recordedFor(world, call, alice)
    expect(auth.map(({ rootInvocation }) => rootInvocation.subInvocations.length)).toEqual([2])
    const once = auth.map(
      ({ credentials, rootInvocation: { function: root, subInvocations } }) =>
        new xdr.SorobanAuthorizationEntry({
          credentials,
          rootInvocation: new xdr.SorobanAuthorizedInvocation({
            function: root,
            subInvocations: subInvocations.slice(1),
          }),
        }),
    )
    expect(enforced(world, call, once, { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, call, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('needs no entry for what a contract itself spends', async () => {
    const world = newWorld()
    const id = right(world.run(alice, create).result)
    const charge = callOf(mandate, 'charge', [id, u64(startTime), i128(1_100n), xdr.ScVal.scvBytes(Buffer.from('p'))])
    const { auth, footprint } = recordedFor(world, charge, operator)
    expect(auth.map(({ rootInvocation }) => rootInvocation.subInvocations)).toEqual([[]])
    expect(enforced(world, charge, auth, { source: operator, footprint })).toBeUndefined()
  })
})

const invocationIn = (call: xdr.HostFunction): xdr.InvokeContractArgs => {
  if (call.type !== 'hostFunctionTypeInvokeContract') throw new Error('not a call')
  return call.invokeContract
}

describe('agreeing to a call', () => {
  it('is for once in a frame', () => {
    const world = probeWorld()
    const once = callOf(probed, 'demand', [party(alice)])
    const twice = callOf(probed, 'demand_twice', [party(alice)])
    expect(refusalOf(world.simulate(alice, once))).toBeUndefined()
    expect(refusalOf(world.simulate(alice, twice))).toBe('sceAuth scecExistingValue')
    const { auth, footprint } = recordedFor(world, once, alice)
    const root = new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocationIn(twice)),
      subInvocations: [],
    })
    const entry = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: root,
    })
    expect(enforced(world, twice, [entry], { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, twice, [entry, entry], { source: alice, footprint })).toBeUndefined()
    expect(enforced(world, once, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('below the first call is recorded only where that is asked for', () => {
    const world = probeWorld()
    const call = callOf(probed, 'forward', [contractParty(other), symbol('demand'), vec(party(alice))])
    expect(refusalOf(world.simulate(alice, call))).toBe(notAgreed)
    const outcome = world.simulate(alice, call, { _tag: 'record', allowsNonRoot: true })
    expect([refusalOf(outcome), outcome.auth.length]).toEqual([undefined, 1])
  })

  it('comes back when the call that used it has failed and was tried: no nonce is spent', async () => {
    const world = probeWorld()
    const failing = callOf(probed, 'try_and_keep', [contractParty(other), symbol('demand_and_fail'), vec(party(alice))])
    const recorded = world.simulate(bob, failing, { _tag: 'record', allowsNonRoot: true })
    expect([refusalOf(recorded), recorded.auth]).toEqual([undefined, []])
    const demand = callOf(other, 'demand_and_fail', [party(alice)])
    const nonce = 5n
    const unsigned = { address: addressOf(alice), nonce, signatureExpirationLedger: 0, signature: vec() }
    const entry = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(new xdr.SorobanAddressCredentials(unsigned)),
      rootInvocation: new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocationIn(demand)),
        subInvocations: [],
      }),
    })
    const auth = await signed([entry], alice)
    expect(refusalOf(world.run(bob, failing, { _tag: 'record', auth }))).toBeUndefined()
    const name = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }))
    const key = contractDataKey(addressOf(alice), name, xdr.ContractDataDurability.temporary)
    expect(world.ledger.view.find(key)).toBeUndefined()
  })

  it('is not needed of the contract that calls', () => {
    const world = probeWorld()
    const call = callOf(probed, 'forward', [contractParty(other), symbol('demand'), vec(contractParty(probed))])
    expect(enforced(world, call, [])).toBeUndefined()
  })
})

describe('creating a contract', () => {
  it('takes the agreement of whose name its id derives from', async () => {
    const world = newWorld()
    const call = createFrom(mandateWasmHash, 8)
    const { auth, footprint } = recordedFor(world, call)
    expect(enforced(world, call, [], { footprint })).toBe(notAgreed)
    expect(enforced(world, call, await signed(auth, operator), { footprint })).toBeUndefined()
  })
})
