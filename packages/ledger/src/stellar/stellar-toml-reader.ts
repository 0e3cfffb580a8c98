import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { Agent, request } from 'undici'
import { isDomainName } from '../domain-name.ts'
import { guardedLookup, isPublicAddress } from '../public-address.ts'
import {
  LARGEST_STELLAR_TOML_BYTES,
  type MalformedStellarToml,
  readStellarToml,
  type StellarToml,
} from './stellar-toml.ts'

/** Why a domain's document is not there. `cause` is for the log. */
export type StellarTomlUnavailable =
  | { readonly _tag: 'NotADomain'; readonly domain: string }
  | { readonly _tag: 'StellarTomlUnreachable'; readonly domain: string; readonly cause: string }
  /** The domain gave another status, such as a redirect: a document elsewhere is not its own. */
  | { readonly _tag: 'StellarTomlRefused'; readonly domain: string; readonly status: number }

/** Reads the `stellar.toml` of domains (SEP-1). */
export interface StellarTomlReader {
  readonly read: (domain: string) => TE.TaskEither<StellarTomlUnavailable | MalformedStellarToml, StellarToml>
  /** Ends requests under way. */
  readonly close: () => Promise<void>
}

/** How domains are reached. `authority` is a certificate (PEM) to trust in place of the known ones. */
export type Reach = {
  readonly port: number
  readonly totalMs: number
  readonly resolve: LookupFunction
  readonly isAllowed: (address: string) => boolean
  readonly authority?: string
}

const publicNetwork: Reach = { port: 443, totalMs: 5_000, resolve: lookup, isAllowed: isPublicAddress }

/**
 * Reads `/.well-known/stellar.toml` of domains that anyone may name: only over https, only at public addresses, without
 * redirects, within bounds of time and size.
 */
export const stellarTomlReader = (reach: Partial<Reach> = {}): StellarTomlReader => {
  const { port, totalMs, resolve, isAllowed, authority } = { ...publicNetwork, ...reach }
  const dispatcher = new Agent({
    connect: { timeout: totalMs, lookup: guardedLookup(resolve, isAllowed), ...(authority ? { ca: authority } : {}) },
    maxResponseSize: LARGEST_STELLAR_TOML_BYTES,
  })
  const fetched = async (domain: string): Promise<E.Either<StellarTomlUnavailable, string>> => {
    try {
      const { statusCode, body } = await request(`https://${domain}:${port}/.well-known/stellar.toml`, {
        dispatcher,
        signal: AbortSignal.timeout(totalMs),
        headers: { accept: 'text/plain', 'user-agent': 'quittance' },
      })
      if (statusCode === 200) return E.right(await body.text())
      await body.dump()
      return E.left({ _tag: 'StellarTomlRefused', domain, status: statusCode })
    } catch (thrown) {
      const cause = thrown instanceof Error ? thrown.message : String(thrown)
      return E.left({ _tag: 'StellarTomlUnreachable', domain, cause })
    }
  }
  return {
    read: (domain) => async () => {
      if (!isDomainName(domain)) return E.left({ _tag: 'NotADomain', domain })
      const text = await fetched(domain)
      return E.isLeft(text) ? text : readStellarToml(text.right)
    },
    close: () => dispatcher.destroy(),
  }
}
