import { AccountId, ContractId } from '../shared/asset.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** CRC16-XModem, one bit at a time, as its definition has it. */
const crc16 = (bytes: ReadonlyArray<number>): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc
}

/** The base32 text of some bytes with their checksum: a strkey of whatever kind the first byte says. */
export const strkeyOf = (payload: ReadonlyArray<number>): string => {
  const crc = crc16(payload)
  const bits = [...payload, crc & 0xff, crc >> 8].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

/** An account for tests: its 32 bytes of key all have the given value. Nobody knows its secret. */
export const accountOf = (byte: number): AccountId => {
  const account = strkeyOf([6 << 3, ...Array.from({ length: 32 }, () => byte)])
  if (AccountId.is(account)) return account
  throw new RangeError(`${byte} makes no account`)
}

/** A contract for tests, made in the same way. */
export const contractOf = (byte: number): ContractId => {
  const contract = strkeyOf([2 << 3, ...Array.from({ length: 32 }, () => byte)])
  if (ContractId.is(contract)) return contract
  throw new RangeError(`${byte} makes no contract`)
}
