import type { FastifyRequest } from 'fastify'

/** Whether a header came more than once: Node.js keeps the first of some headers and joins others, so that it is not seen. */
export const isRepeated = ({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === name.length && text.toLowerCase() === name)
    .length > 1
