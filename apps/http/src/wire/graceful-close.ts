import type { FastifyInstance } from 'fastify'
import type { Adopting } from '../processes/adopt.ts'

const lookEveryMs = 50
const longestMs = 20_000

/**
 * Closes a server in order: refuses new requests, answers those that have begun, and ends idle connections, even
 * kept-alive ones. Cuts off what takes longer than `withinMs`. `adopted`: connections that another server has accepted.
 */
export const closeGracefully = async (
  served: FastifyInstance,
  adopted: Pick<Adopting, 'ended'> | null = null,
  withinMs = longestMs,
): Promise<void> => {
  const idle = setInterval(() => served.server.closeIdleConnections(), lookEveryMs)
  const late = setTimeout(() => served.server.closeAllConnections(), withinMs)
  try {
    await served.close()
    await adopted?.ended()
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}
