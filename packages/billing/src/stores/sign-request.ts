import { originDomainOf, type SignerUnavailable, signSep7 } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../kernel/clock.ts'
import type { Vault } from './vault/port.ts'
import { madeSigner, requestKey } from './vault/vault-signer.ts'

/**
 * Adds our origin and signature to a SEP-7 request. Without a domain that can publish the key, as in the sandbox, the
 * request stays as it is.
 */
export type SignRequest = (uri: string) => TE.TaskEither<SignerUnavailable, string>

const mostRemembered = 1_000

/** Keeps the signatures, since a page asks for the same request again and again. */
export const requestSigner = (vault: Vault, clock: Clock, publicUrl: () => string): SignRequest => {
  const known = new Map<string, string>()
  return (uri) => async () => {
    const domain = originDomainOf(publicUrl())
    const name = `${domain} ${uri}`
    const before = known.get(name)
    if (domain === null || before !== undefined) return E.right(before ?? uri)
    const key = await madeSigner(vault, clock, requestKey, 'payer')
    if (E.isLeft(key)) return key
    const signed = await signSep7(uri, domain, key.right)()
    if (E.isLeft(signed)) return signed
    if (known.size >= mostRemembered) known.clear()
    known.set(name, signed.right)
    return signed
  }
}
