import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey } from '../../ledger/entry-keys.ts'

import { mandateWasmHash } from '../mandate-wasm.ts'
import { assembled, constant, hashOf } from '../testing/assembled.ts'
import { otherProbe, probed, probeWorld } from '../testing/authorizations.ts'
import { probe, probeHash, upload } from '../testing/probe.ts'
import {
  alice,
  callOf,
  contractFrom,
  contractParty,
  createFrom,
  eventsOf,
  mandate,
  newWorld,
  operator,
  refusalOf,
} from '../testing/world.ts'
import { contractAddress, i128, symbol, vec } from '../values/sc-values.ts'

const probes = () => {
  const world = probeWorld()
  const ask = (name: string, ...args: xdr.ScVal[]) => world.run(alice, callOf(probed, name, args))
  return { world, ask }
}
const key = symbol('key')
const one = xdr.ScVal.scvU32(1)
const toOther = (name: string, ...args: xdr.ScVal[]) => [contractParty(otherProbe), symbol(name), vec(...args)]
const told = xdr.ScVal.scvError(xdr.ScError.sceContext(xdr.ScErrorCode.scecInvalidAction))

describe('code', () => {
  it('runs code only if its hash is listed', () => {
    const world = newWorld()
    expect(refusalOf(world.run(alice, upload(probe)))).toBe('sceWasmVm scecInvalidAction')
    const hash = hashOf(probe)
    const entry = new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash, code: probe })
    world.ledger.put(xdr.LedgerEntryData.contractCode(entry), 9_000_000)
    right(world.run(operator, createFrom(hash, 2)).result)
    expect(refusalOf(world.run(alice, callOf(probed, 'echo', [one])))).toBe('sceWasmVm scecInvalidAction')
  })

  it('rejects code with unknown imports before running it', () => {
    const unknown = assembled([['x.9', 0]], { hello: { takes: 0, body: constant(2n) } })
    const world = newWorld({ executables: new Set([mandateWasmHash, hashOf(unknown)]) })
    expect(refusalOf(world.run(alice, upload(unknown)))).toBe('sceWasmVm scecInvalidAction')
  })

  it('rejects invalid code even if it is listed', () => {
    const text = new Uint8Array(Buffer.from('hello'))
    const world = newWorld({ executables: new Set([mandateWasmHash, hashOf(text)]) })
    expect(refusalOf(world.run(alice, upload(text)))).toBe('sceWasmVm scecInvalidAction')
  })

  it('uploading code answers its hash, however often it is uploaded', () => {
    const { world } = probes()
    expect(right(world.run(alice, upload(probe)).result)).toEqual(xdr.ScVal.scvBytes(Buffer.from(probeHash, 'hex')))
  })
})

describe('a call', () => {
  it.each([
    ['trap', 'sceWasmVm scecInvalidAction'],
    ['read_outside', 'sceWasmVm scecIndexBounds'],
    ['recurse', 'sceBudget scecExceededLimit'],
    ['forge', 'sceValue scecInvalidInput'],
    ['answer_with_hosts_error', 'sceContext scecInvalidAction'],
    ['fail_with_hosts_error', 'sceContext scecUnexpectedType'],
    ['nowhere', 'sceWasmVm scecMissingValue'],
    ['memory', 'sceWasmVm scecMissingValue'],
    ['toString', 'sceWasmVm scecMissingValue'],
    ['echo', 'sceWasmVm scecUnexpectedSize'],
    ['__secret', 'sceContext scecInvalidAction'],
  ])('a call of %s fails with %s', (name, error) => {
    expect(refusalOf(probes().ask(name))).toBe(error)
  })

  it('a call accepts only its own objects; odd handles are forged', () => {
    expect(refusalOf(probes().ask('forge_odd', vec(one)))).toBe('sceValue scecInvalidInput')
  })

  it('refuses to call a running contract', () => {
    const { ask } = probes()
    expect(refusalOf(ask('forward', contractParty(probed), symbol('echo'), vec(one)))).toBe(
      'sceContext scecInvalidAction',
    )
    const back = vec(contractParty(probed), symbol('echo'), vec(one))
    expect(refusalOf(ask('forward', contractParty(otherProbe), symbol('forward'), back))).toBe(
      'sceContext scecInvalidAction',
    )
  })

  it('refuses to call a missing contract', () => {
    const { ask } = probes()
    expect(refusalOf(ask('forward', contractParty(contractFrom(9)), symbol('echo'), vec(one)))).toBe(
      'sceStorage scecMissingValue',
    )
  })

  it('a call passes on a contract error unchanged', () => {
    expect(refusalOf(probes().ask('forward', ...toOther('keep_and_fail', key, one)))).toBe(7)
  })

  it('the diagnostics of a failed call end with its error', () => {
    const { diagnostics } = probes().ask('forward', ...toOther('keep_and_fail', key, one))
    expect(diagnostics.every(({ inSuccessfulContractCall }) => !inSuccessfulContractCall)).toBe(true)
    expect(diagnostics.at(-1)?.event.body.v0.topics).toEqual([
      symbol('error'),
      xdr.ScVal.scvError(xdr.ScError.sceContract(7)),
    ])
  })
})

describe('trying a call', () => {
  const tried = (name: string, ...args: xdr.ScVal[]) => {
    const { world, ask } = probes()
    const outcome = ask('try_and_keep', ...toOther(name, ...args))
    const kept = contractDataKey(contractAddress(probed), symbol(name), xdr.ContractDataDurability.temporary)
    const data = world.ledger.view.find(kept)?.data
    return { world, outcome, kept: data?.type === 'contractData' ? data.contractData.val : undefined }
  }

  it("a tried call answers a contract's own error number, and hides all other errors", () => {
    expect(tried('keep_and_fail', key, one).kept).toEqual(xdr.ScVal.scvError(xdr.ScError.sceContract(7)))
    expect(tried('trap').kept).toEqual(told)
    expect(tried('forge').kept).toEqual(told)
  })

  it('an exceeded limit ends the transaction even in a tried call', () => {
    expect(refusalOf(tried('recurse').outcome)).toBe('sceBudget scecExceededLimit')
  })

  it('a failed tried call leaves no entries and no events', () => {
    const { world, outcome } = tried('keep_and_fail', key, one)
    expect(refusalOf(outcome)).toBeUndefined()
    expect(refusalOf(world.run(alice, callOf(otherProbe, 'kept', [key])))).toBe('sceStorage scecMissingValue')
    const announced = tried('announce_and_fail', vec(key), one).outcome
    expect([refusalOf(announced), eventsOf(announced)]).toEqual([undefined, []])
  })
})

describe('values', () => {
  const large = (1n << 55n) - 1n
  it.each([
    ['a small i128', i128(-5n)],
    ['the largest small i128', i128(large)],
    ['an i128 above it', i128(large + 1n)],
    ['the least small i128', i128(-large - 1n)],
    ['an i128 below it', i128(-large - 2n)],
    ['the least i128', i128(-(1n << 127n))],
    ['a small u64', xdr.ScVal.scvU64((1n << 56n) - 1n)],
    ['a large u64', xdr.ScVal.scvU64((1n << 64n) - 1n)],
    ['a small u256', xdr.ScVal.scvU256(new xdr.Uint256Parts({ hiHi: 0n, hiLo: 0n, loHi: 0n, loLo: 5n }))],
    ['a large i256', xdr.ScVal.scvI256(new xdr.Int256Parts({ hiHi: -1n, hiLo: 2n, loHi: 3n, loLo: 4n }))],
    ['an i32', xdr.ScVal.scvI32(-2_147_483_648)],
    ['a short symbol', symbol('abc_XYZ09')],
    ['a long symbol', symbol('abcdefghij')],
    ['no symbol', symbol('')],
    ['an error', told],
    ['a boolean', xdr.ScVal.scvBool(true)],
    ['a vector', vec(vec(), symbol('a'))],
    ['an address', contractParty(mandate)],
  ])('a value survives the round trip through a contract: %s', (_what, value) => {
    const { ask } = probes()
    right(ask('keep', key, vec(value)).result)
    right(ask('keep', value, value).result)
    expect(right(ask('kept', key).result)).toEqual(vec(value))
  })
})

describe('arguments', () => {
  const entry = (name: string) => new xdr.ScMapEntry({ key: symbol(name), val: one })
  it.each([
    ['a map out of order', xdr.ScVal.scvMap([entry('b'), entry('a')])],
    ['a map with a key twice', xdr.ScVal.scvMap([entry('a'), entry('a')])],
    ['a vector that is none', vec(xdr.ScVal.scvVec(null))],
    ['letters that no symbol has', symbol('a-b')],
    ['the key of an instance', xdr.ScVal.scvLedgerKeyContractInstance()],
  ])('rejects an argument that no contract could have made: %s', (_what, value) => {
    expect(refusalOf(probes().ask('keep', key, value))).toBe('sceValue scecInvalidInput')
  })
})

describe('instance storage', () => {
  it('instance storage survives the call, in key order', () => {
    const { ask } = probes()
    for (const name of ['b', 'a', 'c', 'a']) right(ask('keep_with_instance', symbol(name), one).result)
    expect(right(ask('kept_with_instance', symbol('a')).result)).toEqual(one)
    expect(refusalOf(ask('kept_with_instance', symbol('d')))).toBe('sceStorage scecMissingValue')
  })
})
