import { originDomainOf, type SignerUnavailable, signSep7 } from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../kernel/clock.ts'
import type { Vault } from './vault/port.ts'
import { requestKey, vaultSigner } from './vault/vault-signer.ts'

/**
 * A SEP-7 request with our origin and signature; as it was, where payers reach the service at no domain that could
 * publish the key, as in the sandbox.
 */
export type SignRequest = (uri: string) => TE.TaskEither<SignerUnavailable, string>

const mostRemembered = 1_000

/** A page asks for the same request again and again: its signature is kept, so that the key is used once for it. */
export const requestSigner = (vault: Vault, clock: Clock, publicUrl: () => string): SignRequest => {
  const known = new Map<string, string>()
  return (uri) => {
    const domain = originDomainOf(publicUrl())
    const before = known.get(`${domain} ${uri}`)
    if (domain === null || before !== undefined) return TE.right(before ?? uri)
    return pipe(
      signSep7(uri, domain, vaultSigner(vault, clock, requestKey, 'payer')),
      TE.map((signed) => {
        if (known.size >= mostRemembered) known.clear()
        known.set(`${domain} ${uri}`, signed)
        return signed
      }),
    )
  }
}
