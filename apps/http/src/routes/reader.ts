import type { FastifyRequest } from 'fastify'
import { type Reader, readerFrom } from '../page/index.ts'

/** Who reads the page that answers a request. */
export const readerOf = ({ url, method, headers }: FastifyRequest): Reader =>
  readerFrom({
    url,
    acceptLanguage: headers['accept-language'] ?? '',
    canReturn: method === 'GET' || method === 'HEAD',
  })
