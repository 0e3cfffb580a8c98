import { xdr } from '@stellar/stellar-sdk'
import { scenario, scValOf } from '../../testing/mandates.ts'
import { structure, symbol, u32 } from './contract-values.ts'
import { Moment, readValue, recordOf, StoredMandate } from './stored-values.ts'

describe('a stored mandate', () => {
  const value = scValOf(scenario('trial').steps.find((step) => step.function === 'get')?.outcome.value ?? '')
  if (value.type !== 'scvMap') throw new Error('no record')
  const fields = Object.fromEntries((value.map ?? []).map(({ key, val }) => [key.value, val]))
  const read = (changed: Readonly<Record<string, xdr.ScVal>>) => {
    const stored = readValue(StoredMandate, structure({ ...fields, ...changed }))
    return stored === null ? null : recordOf(stored)
  }
  const u64 = (seconds: bigint): xdr.ScVal => xdr.ScVal.scvU64(seconds)

  it('is the record that the contract returns', () =>
    expect(read({})).toMatchObject({ reference: 'cs_1', intervalUnit: 'month', endsAt: expect.any(Number) }))
  it('has no end where its end is beyond all clocks', () => {
    expect(read({ ends_at: u64(8_640_000_000_000n) })?.endsAt).toBe(8_640_000_000_000_000)
    expect(read({ ends_at: u64(8_640_000_000_001n) })?.endsAt).toBeNull()
    expect(read({ ends_at: u64(2n ** 64n - 1n) })?.endsAt).toBeNull()
    expect(read({ ends_at: xdr.ScVal.scvVoid() })?.endsAt).toBeNull()
  })
  it.each<[string, Readonly<Record<string, xdr.ScVal>>]>([
    ['another unit', { interval_unit: u32(5) }],
    ['no cap', { cap: xdr.ScVal.scvVoid() }],
    ['a name in the place of an address', { payee: symbol('payee') }],
    ['an end that is no moment', { ends_at: symbol('never') }],
    ['a start beyond all clocks', { first_charge_at: u64(2n ** 64n - 1n) }],
  ])('is refused with %s', (_, changed) => expect(read(changed)).toBeNull())
})

describe('a moment', () => {
  it('is in whole seconds, within the range of our clock', () => {
    expect(readValue(Moment, xdr.ScVal.scvU64(8_640_000_000_000n))).toBe(8_640_000_000_000_000)
    expect(readValue(Moment, xdr.ScVal.scvU64(8_640_000_000_001n))).toBeNull()
  })
})
