import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50
const longestMs = 20_000

/**
 * Closes a server in good order: it takes no new requests, and those that have begun are answered. Connections end when
 * they are idle, also those that callers would keep; what takes longer than `withinMs` is cut off.
 */
export const closeGracefully = async (served: FastifyInstance, withinMs = longestMs): Promise<void> => {
  const idle = setInterval(() => served.server.closeIdleConnections(), lookEveryMs)
  const late = setTimeout(() => served.server.closeAllConnections(), withinMs)
  try {
    await served.close()
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}
