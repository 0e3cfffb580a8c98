import { AccountId } from '@quittance/domain'
import { StrKey } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'

/**
 * The content of a strkey. `hash` and `payload` are lower-case hex: 64 digits, and 2 to 128. `muxedId` is an unsigned
 * 64-bit number as decimal text. The hash of a `T…` is a transaction's, that of an `X…` a preimage's.
 */
export type Strkey =
  | { readonly _tag: 'account'; readonly account: AccountId }
  | { readonly _tag: 'muxed_account'; readonly account: AccountId; readonly muxedId: string }
  | { readonly _tag: 'signed_payload'; readonly account: AccountId; readonly payload: string }
  | { readonly _tag: HashKind; readonly hash: string }

type HashKind = 'pre_auth_transaction' | 'hash_x' | 'contract' | 'liquidity_pool' | 'claimable_balance'

export type StrkeyRejection =
  /** `cause` is for the log; the text itself is not in it. */
  | { readonly _tag: 'MalformedStrkey'; readonly cause: string }
  /** A seed (`S…`), which somebody mistook for an address. It is not repeated anywhere. */
  | { readonly _tag: 'SecretSeed' }

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The account of a public key (32 bytes). */
export const accountOfKey = (publicKey: Uint8Array): AccountId =>
  named(AccountId, StrKey.encodeEd25519PublicKey(publicKey))

/** The public key of an account: 32 bytes. */
export const publicKeyOf = (account: AccountId): Uint8Array => StrKey.decodeEd25519PublicKey(account)

const hashed = (_tag: HashKind, hash: Uint8Array): Strkey => ({ _tag, hash: hex(hash) })

const KEY_BYTES = 32

const read = (text: string): Strkey | null => {
  switch (text[0]) {
    case 'G':
      return { _tag: 'account', account: accountOfKey(StrKey.decodeEd25519PublicKey(text)) }
    case 'M': {
      const bytes = Buffer.from(StrKey.decodeMed25519PublicKey(text))
      const muxedId = bytes.readBigUInt64BE(KEY_BYTES).toString()
      return { _tag: 'muxed_account', account: accountOfKey(bytes.subarray(0, KEY_BYTES)), muxedId }
    }
    case 'P': {
      const bytes = Buffer.from(StrKey.decodeSignedPayload(text))
      const start = KEY_BYTES + 4
      const payload = hex(bytes.subarray(start, start + bytes.readUInt32BE(KEY_BYTES)))
      return { _tag: 'signed_payload', account: accountOfKey(bytes.subarray(0, KEY_BYTES)), payload }
    }
    case 'T':
      return hashed('pre_auth_transaction', StrKey.decodePreAuthTx(text))
    case 'X':
      return hashed('hash_x', StrKey.decodeSha256Hash(text))
    case 'C':
      return hashed('contract', StrKey.decodeContract(text))
    case 'L':
      return hashed('liquidity_pool', StrKey.decodeLiquidityPool(text))
    case 'B':
      return hashed('claimable_balance', StrKey.decodeClaimableBalance(text).subarray(1))
    default:
      return null
  }
}

/**
 * Reads an address of any kind that anyone may have written. Never throws.
 * Errors: `SecretSeed`; `MalformedStrkey` for everything that is not the one spelling of what it names: another length,
 * loose bits, padding, lower case, a wrong checksum or version, a payload that is framed wrongly, an unknown kind.
 * Source: SEP-23. Whether a key is a point of the curve is no part of it.
 */
export const readStrkey = (text: string): E.Either<StrkeyRejection, Strkey> => {
  if (StrKey.isValidEd25519SecretSeed(text)) return E.left({ _tag: 'SecretSeed' })
  try {
    const strkey = read(text)
    return strkey === null ? malformed('an unknown kind') : E.right(strkey)
  } catch (thrown) {
    return malformed(thrown instanceof Error ? thrown.message : 'unreadable')
  }
}

const malformed = (cause: string): E.Either<StrkeyRejection, never> => E.left({ _tag: 'MalformedStrkey', cause })

const framed = (payload: Buffer): Buffer => {
  const bytes = Buffer.alloc(4 + Math.ceil(payload.length / 4) * 4)
  bytes.writeUInt32BE(payload.length)
  payload.copy(bytes, 4)
  return bytes
}

const bytesOf = ({ hash }: { readonly hash: string }): Uint8Array => Buffer.from(hash, 'hex')

/** The one spelling of an address. The SDK checks no lengths here: what does not read back is a defect, and throws. */
export const writeStrkey = (strkey: Strkey): string => {
  const text = encoded(strkey)
  if (E.isLeft(readStrkey(text))) throw new RangeError(`no such ${strkey._tag}`)
  return text
}

const encoded = (strkey: Strkey): string => {
  switch (strkey._tag) {
    case 'account':
      return strkey.account
    case 'muxed_account': {
      const id = Buffer.alloc(8)
      id.writeBigUInt64BE(BigInt(strkey.muxedId))
      return StrKey.encodeMed25519PublicKey(Buffer.concat([publicKeyOf(strkey.account), id]))
    }
    case 'signed_payload': {
      const payload = framed(Buffer.from(strkey.payload, 'hex'))
      return StrKey.encodeSignedPayload(Buffer.concat([publicKeyOf(strkey.account), payload]))
    }
    case 'pre_auth_transaction':
      return StrKey.encodePreAuthTx(bytesOf(strkey))
    case 'hash_x':
      return StrKey.encodeSha256Hash(bytesOf(strkey))
    case 'contract':
      return StrKey.encodeContract(bytesOf(strkey))
    case 'liquidity_pool':
      return StrKey.encodeLiquidityPool(bytesOf(strkey))
    case 'claimable_balance':
      return StrKey.encodeClaimableBalance(Buffer.concat([Buffer.of(0), bytesOf(strkey)]))
  }
}
