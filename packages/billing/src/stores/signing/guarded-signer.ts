import { setTimeout } from 'node:timers/promises'
import { AccountId } from '@quittance/domain'
import { isSignedBy, type SignerUnavailable, signMessage } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Signer, SigningRequest } from './signer.ts'

/** How long a signer is waited for, and when it is asked again after it was silent (milliseconds). */
export type Patience = {
  readonly deadlineMs: number
  readonly restMs: number
  /** Milliseconds that never go back. */
  readonly now: () => number
  /** Resolves after so long, or when it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const usual: Patience = {
  deadlineMs: 5_000,
  restMs: 30_000,
  now: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined),
}

/** After so many silences without an answer in between, the whole signer rests, not only the keys. */
const mostSilences = 3

const unavailable = (cause: string): E.Left<SignerUnavailable> => ({
  _tag: 'Left',
  left: { _tag: 'SignerUnavailable', cause },
})

/**
 * A signer that others have written, kept from doing harm: what it throws and what it never answers becomes a value; a key that
 * was silent rests, so that the money of others does not wait for it; a new key has to prove that it signs, before anybody is
 * told its address; and no signature is passed on unless it is that of the key and the bytes that were asked for.
 */
export const guardedSigner = (signer: Signer, patience: Patience = usual): Signer => {
  const { deadlineMs, restMs, now, wait } = patience
  const resting = new Map<string, number>()
  let silences = 0
  let allRestUntil = 0

  const answerOf = async <A>(
    work: () => Promise<E.Either<SignerUnavailable, A>>,
  ): Promise<E.Either<SignerUnavailable, A> | 'silent'> => {
    const stop = new AbortController()
    const answered = (async () => {
      try {
        return await work()
      } catch (cause) {
        return unavailable(String(cause))
      }
    })()
    const answer = await Promise.race([answered, wait(deadlineMs, stop.signal).then(() => 'silent' as const)])
    stop.abort()
    return answer
  }

  const ask = async <A>(
    key: string,
    work: () => Promise<E.Either<SignerUnavailable, A>>,
  ): Promise<E.Either<SignerUnavailable, A>> => {
    const restsUntil = Math.max(resting.get(key) ?? 0, allRestUntil)
    if (now() < restsUntil) return unavailable(`the signer was silent, and is not asked for ${key} for a while`)
    const answer = await answerOf(work)
    if (answer !== 'silent') {
      silences = 0
      resting.delete(key)
      return answer
    }
    silences += 1
    resting.set(key, now() + restMs)
    if (silences >= mostSilences) allRestUntil = now() + restMs
    return unavailable(`the signer did not answer for ${key} within ${deadlineMs} ms`)
  }

  const sign = async (request: SigningRequest): Promise<E.Either<SignerUnavailable, Uint8Array>> => {
    // The signer gets a copy: what is checked is what was meant, whatever it does to its own.
    const bytes = Uint8Array.from(request.bytes)
    const signature = await ask(request.key, () => signer.sign({ ...request, bytes })())
    if (E.isLeft(signature)) return signature
    const isRight = signature.right instanceof Uint8Array && isSignedBy(request.signer, request.bytes, signature.right)
    return isRight ? signature : unavailable(`what the signer answered is no signature of ${request.signer}`)
  }

  return {
    createKey: (key) => async () => {
      const made = await ask(key, () => signer.createKey(key)())
      if (E.isLeft(made)) return made
      const account = made.right
      if (!AccountId.is(account)) return unavailable(`the signer made no public key for ${key}`)
      const proof = await signMessage(`A key of Quittance: ${key}`, {
        publicKey: account,
        sign: (bytes, purpose) => () => sign({ account, signer: account, key, bytes, purpose }),
      })()
      return E.isLeft(proof) ? proof : made
    },
    sign: (request) => () => sign(request),
  }
}
