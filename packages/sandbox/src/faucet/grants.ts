import { Asset, Keypair, Operation, StrKey, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { findAccount } from '../ledger/accounts.ts'
import { issuedAsset } from '../ledger/assets.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { findTrustline } from '../ledger/trustlines.ts'
import type { Network } from '../network.ts'
import type { FundingRefused, FundRequest } from '../sandbox-api.ts'

/** Operations that each name their source, and the keys that must sign besides the root account's. */
export type Plan = { readonly operations: ReadonlyArray<xdr.Operation>; readonly signers: ReadonlyArray<Keypair> }

export const nothingToDo: Plan = { operations: [], signers: [] }

/** A grant, planned against the ledger in which it is paid. */
export type Grant = (view: LedgerView) => Plan

/** 10,000 of any asset. */
const gift = '10000'

export const refusedFor = (code: string): E.Either<FundingRefused, never> => E.left({ _tag: 'FundingRefused', code })

const creation = (network: Network, destination: string): xdr.Operation =>
  Operation.createAccount({ source: network.root.publicKey(), destination, startingBalance: gift })

/** 10,000 XLM for a new account, or 10,000 of an issued asset for one that trusts it. */
export const fundingGrant = (
  network: Network,
  { address, assetId = 'native' }: FundRequest,
): E.Either<FundingRefused, Grant> => {
  if (!StrKey.isValidEd25519PublicKey(address)) return refusedFor('malformedAddress')
  if (assetId === 'native') return E.right(() => ({ operations: [creation(network, address)], signers: [] }))
  const issuer = network.issuers.find(({ code, keypair }) => `${code}:${keypair.publicKey()}` === assetId)
  if (issuer === undefined) return refusedFor('unknownAsset')
  const source = issuer.keypair.publicKey()
  const asset = new Asset(issuer.code, source)
  const payment = Operation.payment({ source, destination: address, asset, amount: gift })
  return E.right(() => ({ operations: [payment], signers: [issuer.keypair] }))
}

const trusts = (view: LedgerView, accountId: xdr.PublicKey, asset: Asset): boolean => {
  const issued = issuedAsset(asset.toXdrObject())
  return issued !== undefined && findTrustline(view, accountId, issued) !== undefined
}

/** Creates the account and the trustlines to the sandbox's assets, where they are missing. */
export const provisioningGrant = (network: Network, keypair: Keypair): Grant => {
  const source = keypair.publicKey()
  const assets = network.issuers.map((issuer) => new Asset(issuer.code, issuer.keypair.publicKey()))
  return (view) => {
    const accountId = keypair.xdrAccountId()
    const missing = assets.filter((asset) => !trusts(view, accountId, asset))
    const lines = missing.map((asset) => Operation.changeTrust({ source, asset }))
    const created = findAccount(view, accountId) === undefined ? [creation(network, source)] : []
    return { operations: [...created, ...lines], signers: lines.length > 0 ? [keypair] : [] }
  }
}

export const keypairOf = (secretKey: string): E.Either<FundingRefused, Keypair> =>
  StrKey.isValidEd25519SecretSeed(secretKey) ? E.right(Keypair.fromSecret(secretKey)) : refusedFor('malformedSecretKey')
