import type { FastifyRequest } from 'fastify'

/**
 * Whether a header was sent more than once. Node.js hides that: it keeps the first of some headers and joins others.
 */
export const isRepeated = ({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === name.length && text.toLowerCase() === name)
    .length > 1
