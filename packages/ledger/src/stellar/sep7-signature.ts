import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { SignerUnavailable, SigningKey } from '../signing/signing-key.ts'

/** 35 zeros and a four keep the signature of a request from being one of a transaction or message. */
const PAYLOAD_PREFIX = Buffer.concat([Buffer.alloc(35), Buffer.of(4), Buffer.from('stellar.sep.7 - URI Scheme')])

/**
 * Adds origin and signature to a SEP-7 URI that has neither. The domain's `stellar.toml` has the signer's key as
 * `URI_REQUEST_SIGNING_KEY`. Source: SEP-7, "Request signing".
 */
export const signSep7 =
  (uri: string, originDomain: string, signer: SigningKey): TaskEither<SignerUnavailable, string> =>
  async () => {
    const unsigned = `${uri}&origin_domain=${originDomain}`
    const signature = await signer.sign(Buffer.concat([PAYLOAD_PREFIX, Buffer.from(unsigned)]), { _tag: 'uri' })()
    if (E.isLeft(signature)) return signature
    return E.right(`${unsigned}&signature=${encodeURIComponent(Buffer.from(signature.right).toString('base64'))}`)
  }
