import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50
const longestMs = 20_000

/**
 * Closes a server in order: refuses new requests, answers those that have begun, and ends idle connections, even
 * kept-alive ones. Cuts off what takes longer than `withinMs`.
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
