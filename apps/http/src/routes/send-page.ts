import type { FastifyReply } from 'fastify'
import { languageHeaders, pageSecurityHeaders, type Reader } from '../page/index.ts'
import { readerOf } from './reader.ts'

/** Sends a page in the language of whoever asked for it. */
export const sendPage = (
  reply: FastifyReply,
  status: number,
  render: (reader: Reader) => string,
  can: Parameters<typeof pageSecurityHeaders>[1] = {},
): FastifyReply => {
  const reader = readerOf(reply.request)
  return reply
    .code(status)
    .headers({ ...pageSecurityHeaders(null, can), ...languageHeaders(reader) })
    .type('text/html; charset=utf-8')
    .send(render(reader))
}
