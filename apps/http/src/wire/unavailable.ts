import type { FastifyRequest } from 'fastify'
import { invalid } from './errors.ts'

/**
 * The option of a route that answers 400 to query parameters which would narrow its answer but cannot yet. Ignored,
 * they would be answered with more than was asked for.
 */
export const unavailable = (...names: ReadonlyArray<string>) => ({
  preHandler: async ({ query }: FastifyRequest): Promise<void> => {
    const asked = Object.keys(typeof query === 'object' && query !== null ? query : {})
    const name = names.find((each) => asked.includes(each))
    if (name !== undefined) throw invalid(name, `"${name}" is not available yet`)
  },
})
