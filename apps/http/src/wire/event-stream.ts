import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

const betweenLooksMs = 300
const longestStreamMs = 30 * 60 * 1000

/**
 * Sends server-sent events: each new state, until the last one. Also ends when the reader leaves, when `closing`
 * aborts, after half an hour, or when a later look fails. A failure of the first look is thrown, so that it can be
 * answered with a status.
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
