import { ApiError, type ErrorCode, errorStatuses, type JsonSchema, says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { hasMetadata } from '../exact-metadata.ts'
import type { Content, Route } from '../route.ts'
import { type ChosenValues, exampleOf } from './example.ts'
import { type NamedSchemas, schemaOf } from './json-schema.ts'
import { securityOf } from './security.ts'

/** All error codes of a route: those of its kind, and those that it declares. */
const codesOf = ({
  auth,
  isCommand,
  isBounded,
  method,
  params,
  query,
  body,
  problems = [],
}: Route): ReadonlyArray<ErrorCode> => [
  'malformed_request',
  ...(query === undefined ? [] : (['invalid_request'] as const)),
  ...(params === undefined ? [] : (['not_found'] as const)),
  ...securityOf(auth).problems,
  ...(auth.kind === 'none' && !isBounded ? [] : (['store_unavailable'] as const)),
  ...(isBounded || auth.kind === 'key' ? (['too_many_requests'] as const) : []),
  ...(method === 'GET'
    ? []
    : (['log_rolled_back', 'malformed_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const)),
  ...(body !== undefined && hasMetadata(body) ? (['invalid_metadata'] as const) : []),
  ...(method !== 'GET' && auth.kind === 'key'
    ? (['merchant_suspended', 'merchant_closed', 'merchant_left', 'network_reset'] as const)
    : []),
  ...(isCommand ? commandCodes : []),
  ...problems,
]

const commandCodes = [
  'invalid_idempotency_key',
  'request_in_progress',
  'idempotency_key_in_use',
  'conflict',
  'idempotency_key_reused',
  'outcome_unknown',
] as const

const requestId = { $ref: '#/components/headers/RequestId' }
const retryAfter = { $ref: '#/components/headers/RetryAfter' }

/** A response in the reference. */
export type DescribedAnswer = {
  readonly description: string
  readonly headers: JsonSchema
  readonly content: Readonly<Record<string, JsonSchema>>
}

/** The responses of a route by status: the declared ones and its errors. */
export const answersOf = (route: Route, named: NamedSchemas): Readonly<Record<string, DescribedAnswer>> => {
  const byStatus = Map.groupBy(new Set(codesOf(route)), (code) => errorStatuses[code])
  const errors = [...byStatus].map(([status, codes]) => [status, errorAnswer(status, codes, named, route)] as const)
  const others = Object.entries(route.answers).map(
    ([status, content]) => [status, contentAnswer(Number(status), content, named)] as const,
  )
  return { ...Object.fromEntries(errors), ...Object.fromEntries(others), ...otherwise(route) }
}

/** A route that only leads elsewhere answers a page when it does not. */
const otherwise = ({ answers }: Route): Readonly<Record<string, DescribedAnswer>> =>
  Object.keys(answers).some((status) => status.startsWith('2'))
    ? {}
    : {
        default: {
          description: 'A page that says why it leads nowhere',
          headers: { 'x-request-id': requestId },
          content: { 'text/html': { schema: { type: 'string' } } },
        },
      }

const contentAnswer = (status: number, content: Content, named: NamedSchemas): DescribedAnswer => ({
  description: descriptions[status] ?? 'An answer',
  headers: { 'x-request-id': requestId },
  content:
    content._tag === 'media'
      ? {
          [content.type]: {
            schema:
              content.type === 'application/json' ? { type: 'object', additionalProperties: true } : { type: 'string' },
          },
        }
      : {
          'application/json': json(envelope(content), named),
          ...(content.isAlsoPage ? { 'text/html': { schema: { type: 'string' } } } : {}),
        },
})

const envelope = ({ _tag, codec }: Exclude<Content, { readonly _tag: 'media' }>): t.Mixed =>
  _tag === 'bare' ? codec : t.type({ data: says('What was asked for, or what has become of it.', codec) })

const errorAnswer = (
  status: number,
  codes: ReadonlyArray<ErrorCode>,
  named: NamedSchemas,
  { refused }: Route,
): DescribedAnswer => ({
  description: `${descriptions[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
  headers: { 'x-request-id': requestId, ...(status === 429 || status === 409 ? { 'retry-after': retryAfter } : {}) },
  content: {
    'application/json': {
      schema: { allOf: [schemaOf(ApiError, named), { properties: { code: { enum: codes } } }] },
      example: { error: 'What went wrong, for a person', code: codes[0], request_id: 'req_6f9d2c1e' },
    },
    ...(refused === undefined ? {} : { 'text/html': { schema: { type: 'string' } } }),
  },
})

/** A schema with an example. */
export const json = (codec: t.Mixed, named: NamedSchemas, chosen: ChosenValues = {}): JsonSchema => {
  const schema = schemaOf(codec, named)
  const resolve = (ref: string) => named.get(ref.slice(ref.lastIndexOf('/') + 1)) ?? {}
  return { schema, example: exampleOf(schema, { resolve, chosen }) }
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'Done',
  303: 'Done: look where `location` says',
  400: 'The request is malformed or invalid',
  401: 'No credential, or not a valid one',
  403: 'The credential may not do this',
  404: 'Not found',
  410: 'It is over',
  409: 'The state of things forbids it',
  413: 'The body is larger than 1 MiB',
  415: 'The body is not sent as application/json',
  422: 'The idempotency key was used for another request',
  429: 'Too many requests from one address or key',
  503: 'What the service stands on cannot answer now',
}
