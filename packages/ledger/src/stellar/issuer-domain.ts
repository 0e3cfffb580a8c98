import { type AssetId, issuerOf } from '@quittance/domain'
import { Keypair, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { LedgerGateway } from '../gateway.ts'
import type { MalformedStellarToml } from './stellar-toml.ts'
import type { StellarTomlReader, StellarTomlUnavailable } from './stellar-toml-reader.ts'

/**
 * What the domain that an asset's issuer names says of the asset. `Listed`: the issuer names the domain, and its
 * document names the asset, so that each vouches for the other. `NotListed`: the document is there, without the asset.
 * `Unknown`: nobody can tell now; `cause` is for the log.
 */
export type IssuerDomain =
  | { readonly _tag: 'Listed'; readonly domain: string }
  | { readonly _tag: 'NotListed'; readonly domain: string }
  | { readonly _tag: 'NoDomain' }
  | { readonly _tag: 'NoIssuer' }
  | { readonly _tag: 'Unknown'; readonly domain: string | null; readonly cause: string }

/**
 * Reads the issuer's account and the document of its home domain (SEP-1). It reports, and decides nothing: an asset is
 * the one that its issuer's key names, whatever a web server says. The native asset has no issuer: `null`.
 */
export const issuerDomainOf =
  (gateway: Pick<LedgerGateway, 'entries'>, readToml: StellarTomlReader['read']) =>
  (assetId: AssetId): Task<IssuerDomain | null> =>
  async () => {
    const issuer = issuerOf(assetId)
    if (issuer === null) return null
    const key = accountKey(issuer)
    const found = await gateway.entries([key])()
    if (E.isLeft(found)) return { _tag: 'Unknown', domain: null, cause: found.left.cause }
    const entry = found.right.entries.get(key)
    if (entry === undefined) return { _tag: 'NoIssuer' }
    const domain = homeDomainIn(entry.xdr)
    if (domain === '') return { _tag: 'NoDomain' }
    const toml = await readToml(domain)()
    if (E.isLeft(toml)) return { _tag: 'Unknown', domain, cause: causeOf(toml.left) }
    return { _tag: toml.right.currencies.includes(assetId) ? 'Listed' : 'NotListed', domain }
  }

const accountKey = (account: string): string =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(account).xdrAccountId() })).toXdr(
    'base64',
  )

const homeDomainIn = (entryXdr: string): string => {
  const entry = xdr.LedgerEntryData.fromXdr(entryXdr, 'base64')
  return entry.type === 'account' ? entry.account.homeDomain.toString() : ''
}

const causeOf = (failure: StellarTomlUnavailable | MalformedStellarToml): string => {
  switch (failure._tag) {
    case 'NotADomain':
      return 'it is no domain name'
    case 'StellarTomlRefused':
      return `it answers ${failure.status}`
    case 'StellarTomlUnreachable':
    case 'MalformedStellarToml':
      return failure.cause
  }
}
