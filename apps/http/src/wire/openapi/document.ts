import type { JsonSchema } from '@quittance/client/wire'
import type { Route } from '../route.ts'
import type { NamedSchemas } from './json-schema.ts'
import { type Operation, operationOf } from './operation.ts'
import { sections } from './operations/index.ts'
import { securitySchemes } from './security.ts'
import { type WebhookOperation, webhookHeaders, webhooksOf } from './webhooks.ts'

export type OpenApi = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: ReadonlyArray<JsonSchema>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>
  readonly components: Readonly<Record<string, unknown>> & { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The reference of the routes as OpenAPI 3.1, derived from their codecs. `url` is where payers reach the service. */
export const openApiOf = (routes: ReadonlyArray<Route>, url: string): OpenApi => {
  const named: NamedSchemas = new Map()
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
  const paths = [...byPath].map(([path, served]) => {
    const operations = served.map((route) => [route.method.toLowerCase(), operationOf(route, named)] as const)
    return [path, Object.fromEntries(operations)] as const
  })
  const used = new Set(paths.flatMap(([, operations]) => Object.values(operations).flatMap(({ tags }) => tags)))
  const webhooks = webhooksOf(named)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url, description: 'This service' }],
    tags: sections.filter(({ tag }) => used.has(tag)).map(({ tag, description }) => ({ name: tag, description })),
    paths: Object.fromEntries(paths),
    webhooks,
    components: {
      schemas: Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes,
      headers: {
        RequestId: { description: 'Names the request in our logs.', required: true, schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
      },
      parameters: {
        ...webhookHeaders,
        IdempotencyKey: {
          name: 'idempotency-key',
          in: 'header',
          description:
            'Chosen by the caller before the first attempt. The same request under it is done once, and answered alike, however late it is repeated. Only the key of a request that changed nothing is forgotten, after 30 days.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
    },
  }
}

const info = {
  title: 'Quittance',
  version: '0.1.0',
  summary: 'Payments that settle on the Stellar network',
  description: `Payments that settle on the Stellar network. Send your key in the header \`x-api-key\`, and bodies as
\`application/json\`. Successes are 200 with \`{ data }\`, but for access, health and readiness, which are bare; all else is
\`{ error, code, param?, request_id }\`. Timestamps are ISO 8601 in UTC. Unknown fields of a body are
ignored, but for near misses in checkouts (\`success_url\`); unknown query parameters are refused, and pages ignore them.`,
  contact: { name: 'Quittance', url: 'https://code.quittance.example/quittance' },
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
}
