import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { bare, readJson, refusalOf } from './answer.ts'
import type { Call, CallOptions, Connection } from './connection.ts'
import { boundedText, chunksOf, longestAnswerBytes, send, within } from './exchange.ts'
import { type ClientFailure, QuittanceError } from './failure.ts'

/**
 * The states that a stream of server-sent events tells, until it ends. It must begin within the time for an attempt, and
 * may then last. Rejects with `QuittanceError`, also when it breaks off; it is not taken up again.
 */
export async function* states<A, O>(
  { patience: { clock, timeoutMs }, fetch, sendingOf }: Connection,
  call: Omit<Call<A>, 'answer'>,
  codec: t.Type<A, O, unknown>,
  { signal }: CallOptions = {},
): AsyncGenerator<A, void> {
  const sending = orThrow(sendingOf(call, null))
  const response = orThrow(await within(clock, timeoutMs, signal ?? null, (signal) => send(fetch, sending, signal))())
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
    if (rest.length > longestAnswerBytes) throw new RangeError('a line of the stream is too long')
    yield* lines
  }
}

const orThrow = <A>(outcome: E.Either<ClientFailure, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  throw new QuittanceError(outcome.left, null)
}
