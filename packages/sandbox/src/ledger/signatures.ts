import { createPublicKey, verify } from 'node:crypto'
import type { xdr } from '@stellar/stellar-sdk'
import { hexOf, sha256 } from '../network.ts'

/** A signer's key and the weight of its signature. */
type WeighedSigner = { readonly key: xdr.SignerKey; readonly weight: number }

/** Checks a transaction's signatures against accounts and remembers which were used. */
export interface SignatureChecker {
  readonly check: (signers: ReadonlyArray<WeighedSigner>, needed: number) => boolean
  readonly allUsed: () => boolean
}

/** The DER header that turns 32 raw bytes into an Ed25519 public key (RFC 8410). */
const ed25519Header = Buffer.from('302a300506032b6570032100', 'hex')

const mostKnown = 1_000
const known = new Map<string, boolean>()

/** Verifies a signature. Results are cached, since a transaction is checked on submission and on application. */
export const ed25519Signs = (publicKey: Uint8Array, hash: Uint8Array, signature: Uint8Array): boolean => {
  if (signature.length !== 64) return false
  const question = Buffer.concat([publicKey, signature, hash]).toString('base64')
  const answer = known.get(question) ?? verified(publicKey, hash, signature)
  if (known.size >= mostKnown) known.clear()
  known.set(question, answer)
  return answer
}

const verified = (publicKey: Uint8Array, hash: Uint8Array, signature: Uint8Array): boolean => {
  const key = createPublicKey({ key: Buffer.concat([ed25519Header, publicKey]), format: 'der', type: 'spki' })
  return verify(null, hash, key, signature)
}

const isHintOf = (hint: Uint8Array, key: Uint8Array): boolean => Buffer.compare(hint, key.subarray(-4)) === 0

const signs = (hash: Uint8Array, key: xdr.SignerKey, { hint, signature }: xdr.DecoratedSignature): boolean => {
  switch (key.type) {
    case 'signerKeyTypeEd25519':
      return isHintOf(hint.value, key.ed25519.value) && ed25519Signs(key.ed25519.value, hash, signature.value)
    case 'signerKeyTypeHashX':
      return isHintOf(hint.value, key.hashX.value) && hexOf(sha256(signature.value)) === hexOf(key.hashX.value)
    case 'signerKeyTypePreAuthTx':
    case 'signerKeyTypeEd25519SignedPayload':
      return false
  }
}

const kinds = ['signerKeyTypeHashX', 'signerKeyTypeEd25519'] as const

/**
 * `hash` is the signed hash. Each signature counts for one signer and each signer once. Counting stops at the needed
 * weight, so surplus signatures stay unused, which makes a transaction `txBAD_AUTH_EXTRA`. Even a needed weight of zero
 * takes one valid signature.
 */
export const signatureChecker = (
  hash: Uint8Array,
  signatures: ReadonlyArray<xdr.DecoratedSignature>,
): SignatureChecker => {
  const used = new Set<number>()
  return {
    check: (signers, needed) => {
      let weight = 0
      for (const kind of kinds) {
        const left = signers.filter(({ key }) => key.type === kind)
        for (const [index, signature] of signatures.entries()) {
          const at = left.findIndex(({ key }) => signs(hash, key, signature))
          const [signer] = at < 0 ? [] : left.splice(at, 1)
          if (signer === undefined) continue
          used.add(index)
          weight += Math.min(signer.weight, 255)
          if (weight >= needed) return true
        }
      }
      return false
    },
    allUsed: () => used.size === signatures.length,
  }
}
