import { createHash, timingSafeEqual } from 'node:crypto'
import type { Billing, FreezeFailure, FreezeOutcome } from '@quittance/billing'
import { asText, FreezeScope, HoldAction, isPlainText, type Text } from '@quittance/domain'
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

const Decision = t.intersection([
  t.strict({ subject: t.string, action: HoldAction, reason: shortText }),
  t.exact(t.partial({ by: shortText })),
])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The operator's routes, on the server of the metrics: they take the operator's token, and no key of a merchant. Without
 * a configured token there are none.
 */
export const operatorRoutes = (
  server: FastifyInstance,
  { freezes, log, screening }: Pick<Billing, 'freezes' | 'log' | 'screening'>,
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
      const { status, body: answer } = refusalOf(decided.left)
      return reply.code(status).send(answer)
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
  server.get('/screening', { onRequest }, async (_, reply) => {
    const found = await screening.held()
    if (E.isLeft(found)) return reply.code(503).send(unavailable)
    return reply.send(
      found.right.map(({ subject, kind, merchantId, environment, address, at, isKept }) => ({
        subject,
        kind,
        merchant_id: merchantId,
        environment,
        address,
        at: new Date(at).toISOString(),
        kept: isKept,
      })),
    )
  })
  server.post('/screening', { onRequest }, async ({ body }, reply) => {
    if (log.standing()._tag === 'RolledBack') return reply.code(503).send(logWentBack)
    const request = Decision.decode(body)
    if (E.isLeft(request)) return reply.code(400).send(malformedDecision)
    const { subject, action, reason, by = asText('operator') } = request.right
    const decided = await screening.decide({ subject, action, reason, by })()
    if (E.isRight(decided)) {
      const { isNew, isLeftToMerchant } = decided.right
      return reply.send({ subject, action, changed: isNew, left_to_merchant: isLeftToMerchant })
    }
    const { _tag } = decided.left
    if (_tag === 'StoreUnavailable' || _tag === 'OutcomeUnknown') return reply.code(503).send(unavailable)
    const code = _tag.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()
    return reply.code(_tag === 'NotHeld' ? 404 : 409).send({ code, error: 'Nothing was decided' })
  })
  server.post('/freezes', { onRequest }, decide(freezes.freeze))
  server.post('/unfreezes', { onRequest }, async (request, reply) =>
    log.standing()._tag === 'RolledBack' ? reply.code(503).send(logWentBack) : decide(freezes.unfreeze)(request, reply),
  )
}

/** What a person can do about it, or that it is to be tried again. */
const refusalOf = (failure: FreezeFailure): { readonly status: number; readonly body: object } => {
  switch (failure._tag) {
    case 'MerchantNeeded':
      return { status: 400, body: malformed }
    case 'MerchantNotFound':
      return { status: 404, body: { code: 'not_found', error: 'No such merchant' } }
    case 'MerchantHasLeft':
      return { status: 409, body: { code: 'merchant_has_left', error: 'The merchant is at another installation now' } }
    case 'KeysNotRotated': {
      const error =
        'Keys of the other installation may have weight: quittance account show, account rotate, recovery set'
      return { status: 409, body: { code: 'keys_not_rotated', error, accounts: failure.accounts } }
    }
    case 'LedgerUnreachable':
      return {
        status: 503,
        body: { code: 'ledger_unreachable', error: 'No node shows who can sign: nothing was recorded' },
      }
    case 'NetworkNotConfigured':
      return {
        status: 503,
        body: { code: 'network_not_configured', error: 'No network is configured that shows who can sign' },
      }
    case 'ForeignStream':
    case 'TooManyConflicts':
    case 'StepRejected':
    case 'ClaimLost':
    case 'SignerUnavailable':
    case 'StoreUnavailable':
    case 'OutcomeUnknown':
    case 'MerchantNotReady':
    case 'SettlementAccountIsOwn':
    case 'KeyLacking':
    case 'AccountNotCreated':
    case 'AccountNotOnLedger':
    case 'KeyWithoutWeight':
    case 'RecoveryKeyNeeded':
    case 'RotationUnderWay':
    case 'RotationUnaffordable':
      return { status: 503, body: unavailable }
  }
}

const logWentBack = { code: 'log_rolled_back', error: 'Accept the log first: quittance restore accept' }
const malformedDecision = {
  code: 'invalid_request',
  error: `Send { subject, action: accept | return | keep, reason, by? }; texts have at most ${longestText} characters`,
}
const malformed = {
  code: 'invalid_request',
  error: `Send { scope: sales | charges | payouts | everything (of one merchant), reason, merchant_id?, by? }; texts have at most ${longestText} characters`,
}
const unavailable = { code: 'store_unavailable', error: 'It is unknown whether this was recorded: GET /freezes' }
