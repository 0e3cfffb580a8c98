import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

const betweenLooksMs = 300
const longestStreamMs = 30 * 60 * 1000

/**
 * Answers with server-sent events: a state each time it has changed, until a last one. The stream ends also when the
 * reader goes, when `closing` aborts, after half an hour, or when a later look fails; a failure of the first look is
 * thrown, and can still be answered.
 */
export const streamStates = async <A>(
  reply: FastifyReply,
  look: () => Promise<A>,
  isLast: (state: A) => boolean,
  closing: AbortSignal,
): Promise<void> => {
  const { raw, request } = reply
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  const over = AbortSignal.any([gone.signal, closing])
  const until = Date.now() + longestStreamMs
  let state = await look()
  reply.hijack()
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-request-id': request.id })
  try {
    for (let shown = ''; ; state = await look()) {
      const text = JSON.stringify(state)
      if (text !== shown) raw.write(`data: ${text}\n\n`)
      shown = text
      if (isLast(state) || Date.now() > until) break
      await pause(betweenLooksMs, undefined, { signal: over })
    }
  } catch (cause) {
    if (!over.aborted) request.log.error({ err: cause }, 'an event stream broke off')
  } finally {
    raw.end()
  }
}
