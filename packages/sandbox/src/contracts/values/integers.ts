import { xdr } from '@stellar/stellar-sdk'

type Integer = 'scvU64' | 'scvI64' | 'scvTimepoint' | 'scvDuration' | 'scvU128' | 'scvI128' | 'scvU256' | 'scvI256'

const word = (value: bigint, place: bigint): bigint => BigInt.asUintN(64, value >> (64n * place))

/** The integer types that have a small form, in the order of their tags. */
export const integers: ReadonlyArray<{ readonly type: Integer; readonly make: (value: bigint) => xdr.ScVal }> = [
  { type: 'scvU64', make: (value) => xdr.ScVal.scvU64(value) },
  { type: 'scvI64', make: (value) => xdr.ScVal.scvI64(value) },
  { type: 'scvTimepoint', make: (value) => xdr.ScVal.scvTimepoint(value) },
  { type: 'scvDuration', make: (value) => xdr.ScVal.scvDuration(value) },
  {
    type: 'scvU128',
    make: (value) => xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: word(value, 1n), lo: word(value, 0n) })),
  },
  {
    type: 'scvI128',
    make: (value) => xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: value >> 64n, lo: word(value, 0n) })),
  },
  {
    type: 'scvU256',
    make: (value) =>
      xdr.ScVal.scvU256(
        new xdr.Uint256Parts({
          hiHi: word(value, 3n),
          hiLo: word(value, 2n),
          loHi: word(value, 1n),
          loLo: word(value, 0n),
        }),
      ),
  },
  {
    type: 'scvI256',
    make: (value) =>
      xdr.ScVal.scvI256(
        new xdr.Int256Parts({
          hiHi: value >> 192n,
          hiLo: word(value, 2n),
          loHi: word(value, 1n),
          loLo: word(value, 0n),
        }),
      ),
  },
]

export const isSigned = (type: Integer): boolean => type === 'scvI64' || type === 'scvI128' || type === 'scvI256'

type Wide = { readonly hiHi: bigint; readonly hiLo: bigint; readonly loHi: bigint; readonly loLo: bigint }
const wide = ({ hiHi, hiLo, loHi, loLo }: Wide): bigint => (hiHi << 192n) + (hiLo << 128n) + (loHi << 64n) + loLo

/** The number in a value of an integer type; undefined for any other value. */
export const integerIn = (value: xdr.ScVal): bigint | undefined => {
  if (value.type === 'scvU64') return value.u64
  if (value.type === 'scvI64') return value.i64
  if (value.type === 'scvTimepoint') return value.timepoint
  if (value.type === 'scvDuration') return value.duration
  if (value.type === 'scvU128') return (value.u128.hi << 64n) + value.u128.lo
  if (value.type === 'scvI128') return (value.i128.hi << 64n) + value.i128.lo
  if (value.type === 'scvU256') return wide(value.u256)
  if (value.type === 'scvI256') return wide(value.i256)
  return undefined
}
