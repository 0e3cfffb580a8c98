import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { Keypair, type xdr } from '@stellar/stellar-sdk'
import type { SandboxAsset } from './sandbox-api.ts'

export const defaultPassphrase = 'Quittance Sandbox Network ; November 2026'

/**
 * The network's settings. Amounts in stroops; `ledgersKept` as on a Stellar RPC node, about 7.8 days of the main
 * network.
 */
export const protocolVersion = 27
export const baseFee = 100n
export const baseReserve = 5_000_000n
export const totalCoins = 1_000_000_000_000_000_000n
export const ledgersKept = 120_960

export const sha256 = (...parts: ReadonlyArray<Uint8Array | string>): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

type IssuedCode = 'USDC' | 'EURC'
const issuedCodes: ReadonlyArray<IssuedCode> = ['USDC', 'EURC']

/** An account of the sandbox that issues an asset. */
export type Issuer = { readonly code: IssuedCode; readonly keypair: Keypair }

/** Signs each ledger. */
export type Validator = { readonly nodeId: xdr.PublicKey; readonly sign: (bytes: Uint8Array) => Uint8Array }

/** The network's accounts. All keys derive from the passphrase, so anyone can compute them: the coins are worthless. */
export type Network = {
  readonly passphrase: string
  readonly id: Uint8Array
  readonly root: Keypair
  readonly validator: Validator
  readonly issuers: ReadonlyArray<Issuer>
  readonly marketMaker: Keypair
  /** Deploys the mandate contract and pays its rent. */
  readonly contractKeeper: Keypair
  readonly assets: ReadonlyArray<SandboxAsset>
}

const keyNamed = (passphrase: string, name: string): Keypair =>
  Keypair.fromRawEd25519Seed(sha256(`${passphrase} / ${name}`))

/** The DER header that turns a 32-byte seed into an Ed25519 private key (RFC 8410). */
const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex')

const privateKeys = new WeakMap<Keypair, KeyObject>()

const privateKeyOf = (keypair: Keypair): KeyObject => {
  const encoded = Buffer.concat([privateKeyHeader, keypair.rawSecretKey()])
  const key = privateKeys.get(keypair) ?? createPrivateKey({ key: encoded, format: 'der', type: 'pkcs8' })
  privateKeys.set(keypair, key)
  return key
}

/** Signs as `Keypair.sign` does, but ten times as fast, with the runtime's own Ed25519. */
export const signatureOf = (keypair: Keypair, bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKeyOf(keypair))

const validatorOf = (keypair: Keypair): Validator => ({
  nodeId: keypair.xdrPublicKey(),
  sign: (bytes) => signatureOf(keypair, bytes),
})

/** The network of a passphrase. The seed of its root account is the network id, as on every Stellar network. */
export const networkOf = (passphrase: string): Network => {
  const issuers = issuedCodes.map((code) => ({ code, keypair: keyNamed(passphrase, `issuer of ${code}`) }))
  const issued = issuers.map(({ code, keypair }) => ({
    assetId: `${code}:${keypair.publicKey()}`,
    code,
    issuer: keypair.publicKey(),
  }))
  return {
    passphrase,
    id: sha256(passphrase),
    root: Keypair.master(passphrase),
    validator: validatorOf(keyNamed(passphrase, 'validator')),
    issuers,
    marketMaker: keyNamed(passphrase, 'market maker'),
    contractKeeper: keyNamed(passphrase, 'keeper of contracts'),
    assets: [{ assetId: 'native', code: 'XLM', issuer: null }, ...issued],
  }
}
