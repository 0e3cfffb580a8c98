import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { contractCodeKey, type EntryKey } from '../ledger/entry-keys.ts'

import { instanceKey } from './contract-entries.ts'
import type { InvocationMode, InvocationOutcome } from './invocation.ts'
import { liveUntilIn } from './lifetimes.ts'
import { mandateWasmHash } from './mandate-wasm.ts'
import { maxTtl, minPersistentTtl } from './settings.ts'
import {
  alice,
  bob,
  callOf,
  contractParty,
  goldToken,
  mandate,
  newWorld,
  operator,
  party,
  refusalOf,
  startSequence,
  startTime,
  type World,
} from './testing/world.ts'
import { i128 } from './values/sc-values.ts'

const u32 = (value: number) => xdr.ScVal.scvU32(value)
const u64 = (value: bigint) => xdr.ScVal.scvU64(value)
const bytes = (text: string) => xdr.ScVal.scvBytes(Buffer.from(text))
const transfer = callOf(goldToken, 'transfer', [party(alice), party(bob), i128(5n)])
const hex = (key: xdr.LedgerKey): EntryKey => key.toXdr('hex')

/** A recorded call, to run in a ledger with its recorded footprint or another. */
const declared = (world: World, call: xdr.HostFunction, source = alice) => {
  const outcome = world.simulate(source, call)
  right(outcome.result)
  const { footprint, auth, archived } = outcome
  const mode: InvocationMode & { _tag: 'enforce' } = { _tag: 'enforce', footprint, auth, restored: archived }
  return { outcome, mode }
}

const without = (footprint: xdr.LedgerFootprint, key: EntryKey): xdr.LedgerFootprint =>
  new xdr.LedgerFootprint({
    readOnly: footprint.readOnly.filter((each) => hex(each) !== key),
    readWrite: footprint.readWrite.filter((each) => hex(each) !== key),
  })

const readOnly = ({ readOnly: read, readWrite }: xdr.LedgerFootprint): xdr.LedgerFootprint =>
  new xdr.LedgerFootprint({ readOnly: [...read, ...readWrite], readWrite: [] })

describe('a footprint', () => {
  it('a footprint holds what a call reads and writes; extending a lifetime only reads', () => {
    const { footprint } = declared(newWorld(), transfer).outcome
    expect(footprint.readOnly.map(hex)).toContain(instanceKey(goldToken))
    expect(footprint.readWrite.map(({ type }) => type)).toEqual(['trustline', 'trustline'])
  })

  it('a recorded footprint suffices, at the same cost', () => {
    const world = newWorld()
    const { outcome, mode } = declared(world, transfer)
    const enforced = world.run(alice, transfer, mode)
    expect(refusalOf(enforced)).toBeUndefined()
    expect(enforced.cost).toEqual(outcome.cost)
    expect(enforced.events).toEqual(outcome.events)
  })

  it('a call fails where its footprint lacks a key or may not write one', () => {
    const world = newWorld()
    const { mode } = declared(world, transfer)
    const exceeded = 'sceStorage scecExceededLimit'
    for (const key of [...mode.footprint.readOnly, ...mode.footprint.readWrite].map(hex))
      expect(refusalOf(world.run(alice, transfer, { ...mode, footprint: without(mode.footprint, key) }))).toBe(exceeded)
    expect(refusalOf(world.run(alice, transfer, { ...mode, footprint: readOnly(mode.footprint) }))).toBe(exceeded)
  })
})

const create = (until: number) =>
  callOf(mandate, 'create', [
    party(alice),
    party(bob),
    party(operator),
    contractParty(goldToken),
    i128(1_100n),
    u32(1),
    u32(1),
    u64(startTime),
    xdr.ScVal.scvVoid(),
    i128(0n),
    i128(100_000n),
    u32(until),
    bytes('cs_1'),
    xdr.ScVal.scvVoid(),
  ])
const chargeOf = (id: xdr.ScVal, start: bigint) =>
  callOf(mandate, 'charge', [id, u64(start), i128(1_100n), bytes(`pay_${start}`)])

/** A mandate with a long-lived allowance, this many ledgers later. */
const later = (ledgers: number) => {
  const world = newWorld()
  const id = right(world.run(alice, create(startSequence + maxTtl - 1)).result)
  const time = startTime + 86_400n * 90n
  world.moveTo(startSequence + ledgers, time)
  return { world, call: chargeOf(id, time) }
}

describe('a lifetime', () => {
  it('a new contract has the minimum lifetime, and using it extends that', () => {
    const world = newWorld()
    expect(liveUntilIn(world.ledger.view, instanceKey(mandate))).toBe(startSequence + minPersistentTtl - 1)
    right(world.run(alice, create(startSequence + 5)).result)
    expect(liveUntilIn(world.ledger.view, instanceKey(mandate))).toBe(startSequence + 1_036_800)
  })

  it('extends a lifetime only when less than the threshold is left', () => {
    const world = newWorld()
    const use = () => right(world.run(alice, callOf(goldToken, 'allowance', [party(alice), party(bob)])).result)
    const end = () => liveUntilIn(world.ledger.view, instanceKey(goldToken))
    world.moveTo(startSequence + minPersistentTtl - 1 - 103_680 - 1)
    use()
    expect(end()).toBe(startSequence + minPersistentTtl - 1)
    world.moveTo(startSequence + minPersistentTtl - 1 - 103_680)
    use()
    expect(end()).toBe(startSequence + minPersistentTtl - 1 - 103_680 + 120_960)
  })

  it('rent grows with lifetime and size, and is zero where nothing is extended', () => {
    const world = newWorld()
    const rent = (until: number) => world.simulate(alice, create(until)).cost.rentFee
    expect(rent(startSequence + 1_000_000)).toBeGreaterThan(rent(startSequence + 5))
    right(world.run(alice, transfer).result)
    expect(world.simulate(alice, transfer).cost.rentFee).toBe(0n)
  })
})

const archivedKeys = ({ footprint, archived }: InvocationOutcome): ReadonlyArray<EntryKey> =>
  archived.flatMap((place) => {
    const key = footprint.readWrite[place]
    return key === undefined ? [] : [hex(key)]
  })

describe('an archived entry', () => {
  it('an entry is available in its last ledger, while the token is already archived', () => {
    const { world, call } = later(1_036_800)
    expect(archivedKeys(declared(world, call, operator).outcome)).toEqual([instanceKey(goldToken)])
  })

  it('a simulation finds archived entries, and a transaction that lists them restores them', () => {
    const { world, call } = later(1_036_801)
    const { outcome, mode } = declared(world, call, operator)
    const archived = archivedKeys(outcome)
    expect(archived).toHaveLength(3)
    expect(archived).toEqual(expect.arrayContaining([instanceKey(mandate), instanceKey(goldToken)]))
    expect(refusalOf(world.run(operator, call, mode))).toBeUndefined()
    const ends = archived.map((key) => liveUntilIn(world.ledger.view, key))
    expect(ends.every((end) => end !== undefined && end >= startSequence + 1_036_801 + minPersistentTtl - 1)).toBe(true)
  })

  it('a transaction fails if it does not restore its archived entries', () => {
    const { world, call } = later(1_036_801)
    const { outcome, mode } = declared(world, call, operator)
    const failures = outcome.archived.map((place) => {
      const restored = outcome.archived.filter((each) => each !== place)
      const { result } = world.run(operator, call, { ...mode, restored })
      return E.isLeft(result) ? result.left.resultCode : undefined
    })
    expect(failures).toEqual(outcome.archived.map(() => 'entryArchived'))
  })

  it('restores a listed entry even when the call does not use it', () => {
    const { world } = later(1_036_801)
    const { mode } = declared(world, transfer)
    const footprint = new xdr.LedgerFootprint({
      readOnly: mode.footprint.readOnly,
      readWrite: [...mode.footprint.readWrite, xdr.LedgerKey.fromXdr(instanceKey(mandate), 'hex')],
    })
    const restored = [...mode.restored, mode.footprint.readWrite.length]
    expect(refusalOf(world.run(alice, transfer, { ...mode, footprint, restored }))).toBeUndefined()
    expect(liveUntilIn(world.ledger.view, instanceKey(mandate))).toBe(startSequence + 1_036_801 + minPersistentTtl - 1)
  })

  it('restoring costs rent and a read from disk', () => {
    const { world, call } = later(1_036_800)
    const before = declared(world, call, operator).outcome.cost
    world.moveTo(startSequence + 1_036_801, startTime + 86_400n * 90n)
    const { cost } = declared(world, call, operator).outcome
    expect(cost.readEntries).toBe(before.readEntries + 2)
    expect(cost.rentFee).toBeGreaterThan(0n)
  })

  it('restores archived code like any other entry', () => {
    const world = newWorld()
    const key = contractCodeKey(Buffer.from(mandateWasmHash, 'hex'))
    const code = world.ledger.view.find(key)?.data
    if (code?.type !== 'contractCode') throw new Error('no code')
    world.ledger.put(code, startSequence - 1)
    const { outcome, mode } = declared(world, create(startSequence + 5))
    expect(outcome.archived).toHaveLength(1)
    expect(refusalOf(world.run(alice, create(startSequence + 5), mode))).toBeUndefined()
    expect(liveUntilIn(world.ledger.view, key)).toBe(startSequence + minPersistentTtl - 1)
  })
})
