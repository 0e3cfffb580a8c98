import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Call, CallOptions, Connection } from './connection.ts'
import { boundedText, chunksOf, maxBodyBytes, send, within } from './exchange.ts'
import { type ClientFailure, QuittanceError } from './failure.ts'
import { bare, readJson, refusalOf } from './response.ts'

/**
 * The states of a stream of server-sent events, until it ends. It must begin within the time-out of an attempt. Rejects
 * with `QuittanceError`, also when the stream breaks off; it does not reconnect.
 */
export async function* states<A, O>(
  { retryPolicy: { clock, timeoutMs }, fetch, requestOf }: Connection,
  call: Omit<Call<A>, 'answer'>,
  codec: t.Type<A, O, unknown>,
  { signal }: CallOptions = {},
): AsyncGenerator<A, void> {
  const request = orThrow(requestOf(call, null))
  const response = orThrow(await within(clock, timeoutMs, signal ?? null, (signal) => send(fetch, request, signal)))
  const { status, headers } = response
  try {
    if (!response.ok) orThrow(E.left(refusalOf({ status, headers, text: await boundedText(response) })))
    for await (const line of linesOf(response)) {
      if (line.startsWith('data:')) yield orThrow(readJson(status, line.slice('data:'.length), bare(codec)))
    }
  } catch (cause) {
    if (cause instanceof QuittanceError) throw cause
    orThrow(E.left(signal?.aborted ? { _tag: 'Aborted', reason: signal.reason } : { _tag: 'Unreachable', cause }))
  }
}

async function* linesOf(response: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(response)) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxBodyBytes) throw new RangeError('a line of the stream is too long')
    yield* lines
  }
}

const orThrow = <A>(outcome: E.Either<ClientFailure, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  throw new QuittanceError(outcome.left, null)
}
