import type { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { MalformedSep7 } from '../sep7-parameters.ts'
import { readSep7 } from '../sep7-read.ts'
import type { Sep7Request } from '../sep7-request.ts'
import { isSignatureOf } from '../signing/ed25519.ts'
import type { Signer, SignerUnavailable } from '../signing/signer.ts'
import { publicKeyOf } from './strkey.ts'

/** 35 zeros and a four, so that no transaction or message is ever signed by signing a request; then what it is. */
const PAYLOAD_PREFIX = Buffer.concat([Buffer.alloc(35), Buffer.of(4), Buffer.from('stellar.sep.7 - URI Scheme')])

const payloadOf = (unsignedUri: string): Buffer => Buffer.concat([PAYLOAD_PREFIX, Buffer.from(unsignedUri)])

/**
 * Adds to a SEP-7 URI that has neither an origin nor a signature whose it is. The domain's `stellar.toml` has the signer's
 * key as `URI_REQUEST_SIGNING_KEY`.
 */
export const signSep7 = (
  uri: string,
  originDomain: string,
  signer: Signer,
): TE.TaskEither<SignerUnavailable, string> => {
  const unsigned = `${uri}&origin_domain=${originDomain}`
  return pipe(
    signer.sign(payloadOf(unsigned), { _tag: 'uri' }),
    TE.map((signature) => `${unsigned}&signature=${encodeURIComponent(Buffer.from(signature).toString('base64'))}`),
  )
}

/** Whose request it is; null for one of unknown origin, which says nothing of who made it. */
export type VerifiedSep7 = { readonly request: Sep7Request; readonly originDomain: string | null }

/** Somebody pretends, or has altered the request: it must not be shown as anybody's, nor signed. */
export type Sep7NotAuthentic =
  | { readonly _tag: 'Sep7SignatureMissing'; readonly originDomain: string }
  | { readonly _tag: 'Sep7OriginMissing' }
  | { readonly _tag: 'Sep7NoSigningKey'; readonly originDomain: string }
  | { readonly _tag: 'Sep7SignatureFalse'; readonly originDomain: string }

/**
 * Reads a SEP-7 URI and proves its origin by the key that the domain itself publishes now, which `signingKeyOf` tells
 * (null: it publishes none).
 * Errors: what makes the request malformed or not authentic; what `signingKeyOf` fails with, when nobody can say.
 * Source: SEP-7, "Request signing".
 */
export const verifySep7 =
  <L>(signingKeyOf: (domain: string) => TE.TaskEither<L, AccountId | null>) =>
  (uri: string): TE.TaskEither<L | MalformedSep7 | Sep7NotAuthentic, VerifiedSep7> =>
    pipe(
      TE.fromEither(readSep7(uri)),
      TE.chainW((request): TE.TaskEither<L | Sep7NotAuthentic, VerifiedSep7> => {
        const { originDomain, signature } = request
        if (originDomain === undefined)
          return signature === undefined
            ? TE.right({ request, originDomain: null })
            : TE.left({ _tag: 'Sep7OriginMissing' })
        if (signature === undefined) return TE.left({ _tag: 'Sep7SignatureMissing', originDomain })
        return pipe(
          signingKeyOf(originDomain),
          TE.chainEitherKW((key): E.Either<Sep7NotAuthentic, VerifiedSep7> => {
            if (key === null) return E.left({ _tag: 'Sep7NoSigningKey', originDomain })
            return isSignatureOf(publicKeyOf(key), payloadOf(withoutSignature(uri)), Buffer.from(signature, 'base64'))
              ? E.right({ request, originDomain })
              : E.left({ _tag: 'Sep7SignatureFalse', originDomain })
          }),
        )
      }),
    )

/** The URI's own text, since its signature holds for no other spelling of the same parameters. */
const withoutSignature = (uri: string): string => {
  const start = uri.indexOf('?') + 1
  const parts = uri.slice(start).split('&')
  return uri.slice(0, start) + parts.filter((part) => !part.startsWith('signature=')).join('&')
}
