import { createHash, timingSafeEqual } from 'node:crypto'
import type { Billing, FreezeFailure, FreezeOutcome } from '@quittance/billing'
import { asText, FreezeScope, isPlainText, type Text } from '@quittance/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'

const longestText = 500
const shortText = new t.Type<Text, string, unknown>(
  'shortText',
  (input): input is Text => typeof input === 'string' && isPlainText(input, longestText),
  (input, context) =>
    typeof input === 'string' && isPlainText(input, longestText) ? t.success(input) : t.failure(input, context),
  t.identity,
)

const Body = t.intersection([
  t.strict({ scope: FreezeScope, reason: shortText }),
  t.exact(t.partial({ merchant_id: t.union([t.string, t.null]), by: shortText })),
])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The operator's routes, on the server of the metrics: they take the operator's token, and no key of a merchant. Without
 * a configured token there are none.
 */
export const operatorRoutes = (
  server: FastifyInstance,
  { freezes, log }: Pick<Billing, 'freezes' | 'log'>,
  token: string | null,
): void => {
  if (token === null) return
  const expected = digest(`Bearer ${token}`)
  const isOperator = ({ headers }: FastifyRequest) => timingSafeEqual(digest(headers.authorization ?? ''), expected)
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    isOperator(request)
      ? undefined
      : reply.code(401).send({ code: 'unauthorized', error: "The operator's token is required" })

  const decide =
    (change: (request: Parameters<typeof freezes.freeze>[0]) => TaskEither<FreezeFailure, FreezeOutcome>) =>
    async ({ body }: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const request = Body.decode(body)
      if (E.isLeft(request)) return reply.code(400).send(malformed)
      const { scope, reason, merchant_id = null, by = asText('operator') } = request.right
      const decided = await change({ scope, merchantId: merchant_id, reason, by })()
      if (E.isRight(decided)) {
        const { isNew, waiting } = decided.right
        return reply.send({ scope, merchant_id, changed: isNew, waiting })
      }
      if (decided.left._tag === 'MerchantNeeded') return reply.code(400).send(malformed)
      return decided.left._tag === 'MerchantNotFound'
        ? reply.code(404).send({ code: 'not_found', error: 'No such merchant' })
        : reply.code(503).send(unavailable)
    }

  server.get('/freezes', { onRequest }, async (_, reply) => {
    const found = await freezes.inForce()
    if (E.isLeft(found)) return reply.code(503).send(unavailable)
    return reply.send(
      found.right.map(({ scope, merchantId, by, reason, at, waiting }) => ({
        scope,
        merchant_id: merchantId ?? null,
        at: new Date(at).toISOString(),
        by,
        waiting,
        reason,
      })),
    )
  })
  server.post('/freezes', { onRequest }, decide(freezes.freeze))
  server.post('/unfreezes', { onRequest }, async (request, reply) =>
    log.standing()._tag === 'RolledBack'
      ? reply.code(503).send({ code: 'log_rolled_back', error: 'Accept the log first: quittance restore accept' })
      : decide(freezes.unfreeze)(request, reply),
  )
}

const malformed = {
  code: 'invalid_request',
  error: `Send { scope: sales | charges | payouts | everything (of one merchant), reason, merchant_id?, by? }; texts have at most ${longestText} characters`,
}
const unavailable = { code: 'store_unavailable', error: 'It is unknown whether this was recorded: GET /freezes' }
