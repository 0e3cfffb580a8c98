import { Asset, xdr } from '@stellar/stellar-sdk'
import { readInParts, type XdrParts } from './xdr-parts.ts'

const native = Asset.native().toXdrObject()
const number = (value: number): Uint8Array => Buffer.from([0, 0, 0, value])
const bytes = Buffer.concat([number(2), native.toXdr(), native.toXdr()])

describe('consecutive values', () => {
  it('are read with their bytes', () => {
    const read = readInParts(bytes, (parts) => parts.array(() => parts.standing(() => parts.one(xdr.Asset))))
    expect(read.map(({ value, bytes: own }) => [value.type, Buffer.from(own).toString('hex')])).toEqual([
      ['assetTypeNative', '00000000'],
      ['assetTypeNative', '00000000'],
    ])
  })

  it('may be nested deeper than a transaction that can be decoded by itself', () => {
    const vector = Buffer.concat([number(16), number(1), number(1)].map((each) => Buffer.from(each)))
    const nested = Buffer.concat([...Array(390).fill(vector), number(1)])
    expect(() => xdr.ScVal.fromXdr(nested)).toThrow('max recursion depth 1500 exceeded')
    expect(readInParts(nested, (parts) => parts.one(xdr.ScVal)).type).toBe('scvVec')
  })

  it.each([
    ['of which bytes are left over', Buffer.concat([bytes, number(0)])],
    ['of which there are fewer than stated', bytes.subarray(0, 8)],
    ['that break off', bytes.subarray(0, 10)],
    ['of an unknown kind', Buffer.concat([number(1), number(9)])],
  ])('%s are refused', (_, malformed) => {
    const assets = (parts: XdrParts) => parts.arrayOf(xdr.Asset)
    expect(() => readInParts(malformed, assets)).toThrow(xdr.XdrError)
  })
})
