import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey } from '../../ledger/entry-keys.ts'

import { mandateWasmHash } from '../mandate-wasm.ts'
import {
  bySource,
  enforced,
  invocationOf,
  notAgreed,
  otherProbe,
  probed,
  probeWorld,
  recordedFor,
  signed,
} from '../testing/authorizations.ts'
import {
  addressOf,
  alice,
  bob,
  callOf,
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
} from '../testing/world.ts'
import { i128, symbol, vec } from '../values/sc-values.ts'

const u32 = (value: number) => xdr.ScVal.scvU32(value)
const u64 = (value: bigint) => xdr.ScVal.scvU64(value)

describe('an authorization tree', () => {
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
    xdr.ScVal.scvVoid(),
  ])

  it('one entry authorizes a whole tree: a mandate with the approval inside', async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, create)
    expect(auth.map(({ rootInvocation }) => rootInvocation.subInvocations.length)).toEqual([1])
    expect(enforced(world, create, await signed(auth, alice), { footprint })).toBeUndefined()
  })

  it('separate entries cannot replace one tree', async () => {
    const world = newWorld()
    const { auth, footprint } = recordedFor(world, create, alice)
    const apart = auth.flatMap(({ rootInvocation: root }) =>
      [root, ...root.subInvocations].map(({ function: call }) =>
        bySource(new xdr.SorobanAuthorizedInvocation({ function: call, subInvocations: [] })),
      ),
    )
    expect(enforced(world, create, apart, { source: alice, footprint })).toBe(118)
    expect(enforced(world, create, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('a tree lists each call as often as it is made', () => {
    const world = probeWorld()
    const call = callOf(probed, 'demand_and_forward_twice', [
      contractParty(otherProbe),
      symbol('demand'),
      vec(party(alice)),
      party(alice),
    ])
    const { auth, footprint } = recordedFor(world, call, alice)
    expect(auth.map(({ rootInvocation }) => rootInvocation.subInvocations.length)).toEqual([2])
    const demand = callOf(otherProbe, 'demand', [party(alice)])
    const once = [bySource(invocationOf(call, [invocationOf(demand)]))]
    expect(enforced(world, call, once, { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, call, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('a contract spends its own balance without an entry', async () => {
    const world = newWorld()
    const id = right(world.run(alice, create).result)
    const charge = callOf(mandate, 'charge', [id, u64(startTime), i128(1_100n), xdr.ScVal.scvBytes(Buffer.from('p'))])
    const { auth, footprint } = recordedFor(world, charge, operator)
    expect(auth.map(({ rootInvocation }) => rootInvocation.subInvocations)).toEqual([[]])
    expect(enforced(world, charge, auth, { source: operator, footprint })).toBeUndefined()
  })
})

describe('authorizing a call', () => {
  it('a frame may require the same authorization only once', () => {
    const world = probeWorld()
    const once = callOf(probed, 'demand', [party(alice)])
    const twice = callOf(probed, 'demand_twice', [party(alice)])
    expect(refusalOf(world.simulate(alice, once))).toBeUndefined()
    expect(refusalOf(world.simulate(alice, twice))).toBe('sceAuth scecExistingValue')
    const { auth, footprint } = recordedFor(world, once, alice)
    const entry = bySource(invocationOf(twice))
    expect(enforced(world, twice, [entry], { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, twice, [entry, entry], { source: alice, footprint })).toBeUndefined()
    expect(enforced(world, once, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('a contract may require authorization for arguments other than its own', () => {
    const world = probeWorld()
    const call = callOf(probed, 'demand_for', [party(alice), vec(symbol('other'))])
    const { auth, footprint } = recordedFor(world, call, alice)
    const asked = callOf(probed, 'demand_for', [symbol('other')])
    expect(auth).toEqual([bySource(invocationOf(asked))])
    expect(enforced(world, call, [bySource(invocationOf(call))], { source: alice, footprint })).toBe(notAgreed)
    expect(enforced(world, call, auth, { source: alice, footprint })).toBeUndefined()
  })

  it('records an authorization below the first call only on request', () => {
    const world = probeWorld()
    const call = callOf(probed, 'forward', [contractParty(otherProbe), symbol('demand'), vec(party(alice))])
    expect(refusalOf(world.simulate(alice, call))).toBe(notAgreed)
    const outcome = world.simulate(alice, call, { _tag: 'record', allowsNonRoot: true })
    expect([refusalOf(outcome), outcome.auth.length]).toEqual([undefined, 1])
  })

  it('undoes an authorization and its nonce when a tried call fails', async () => {
    const world = probeWorld()
    const failing = callOf(probed, 'try_and_keep', [
      contractParty(otherProbe),
      symbol('demand_and_fail'),
      vec(party(alice)),
    ])
    const recorded = world.simulate(bob, failing, { _tag: 'record', allowsNonRoot: true })
    expect([refusalOf(recorded), recorded.auth]).toEqual([undefined, []])
    const demand = callOf(otherProbe, 'demand_and_fail', [party(alice)])
    const nonce = 5n
    const unsigned = { address: addressOf(alice), nonce, signatureExpirationLedger: 0, signature: vec() }
    const entry = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(new xdr.SorobanAddressCredentials(unsigned)),
      rootInvocation: invocationOf(demand),
    })
    const auth = await signed([entry], alice)
    expect(refusalOf(world.run(bob, failing, { _tag: 'record', auth }))).toBeUndefined()
    const name = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }))
    const key = contractDataKey(addressOf(alice), name, xdr.ContractDataDurability.temporary)
    expect(world.ledger.view.find(key)).toBeUndefined()
  })

  it('the calling contract needs no entry', () => {
    const world = probeWorld()
    const call = callOf(probed, 'forward', [contractParty(otherProbe), symbol('demand'), vec(contractParty(probed))])
    expect(enforced(world, call, [])).toBeUndefined()
  })
})

describe('creating a contract', () => {
  it('creating a contract requires the authorization of its deployer', async () => {
    const world = newWorld()
    const call = createFrom(mandateWasmHash, 8)
    const { auth, footprint } = recordedFor(world, call)
    expect(enforced(world, call, [], { footprint })).toBe(notAgreed)
    expect(enforced(world, call, await signed(auth, operator), { footprint })).toBeUndefined()
  })
})
