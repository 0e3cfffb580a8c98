import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Signer, SignerUnavailable } from '../signing/signer.ts'

/** 35 zeros and a four keep the signature of a request from being one of a transaction or message. */
const PAYLOAD_PREFIX = Buffer.concat([Buffer.alloc(35), Buffer.of(4), Buffer.from('stellar.sep.7 - URI Scheme')])

/**
 * Adds origin and signature to a SEP-7 URI that has neither. The domain's `stellar.toml` has the signer's key as
 * `URI_REQUEST_SIGNING_KEY`. Source: SEP-7, "Request signing".
 */
export const signSep7 = (
  uri: string,
  originDomain: string,
  signer: Signer,
): TE.TaskEither<SignerUnavailable, string> => {
  const unsigned = `${uri}&origin_domain=${originDomain}`
  return pipe(
    signer.sign(Buffer.concat([PAYLOAD_PREFIX, Buffer.from(unsigned)]), { _tag: 'uri' }),
    TE.map((signature) => `${unsigned}&signature=${encodeURIComponent(Buffer.from(signature).toString('base64'))}`),
  )
}
