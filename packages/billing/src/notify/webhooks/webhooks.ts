import {
  type AllowedUrls,
  asText,
  EventType,
  eventSelectors,
  isSelected,
  Merchant,
  mostEndpoints,
  type Text,
  Webhook,
  type WebhookChanges,
  type WebhookCommand,
  type WebhookDetails,
  WebhookId,
  type WebhookRejection,
} from '@quittance/domain'
import { type Found, webhooks as model, type PageRequest, type Scope, type WebhookRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { actorReads } from '../../features/merchants/actor-reads.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { retrieve, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { inQueueOf } from '../../kernel/queue-of-stream.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import type { KeyScope } from '../../resources/scopes.ts'
import { familyOf } from '../../resources/visible.ts'
import { type WebhookResource, webhookResource } from '../../resources/webhook.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { mayBeLoopback } from '../../services/loopback.ts'
import type { Services } from '../../services/services.ts'
import type { Vault } from '../../stores/vault/port.ts'
import type { WebhookServices } from './services.ts'

/** An app token may choose what is delivered, and where to, only among events that it may read itself. */
export type ScopeMissing = { readonly _tag: 'ScopeMissing'; readonly scope: KeyScope; readonly event: string }
export type WebhookFailure = WebhookRejection | ScopeMissing | ExecuteFailure
export type WebhookNotFound = Extract<WebhookRejection, { readonly _tag: 'WebhookNotFound' }>

export type WebhookPatch = { readonly changed: WebhookChanges; readonly isDisabled: boolean | null }
/** `secret` is shown here and never again; a repeated command shows the same. */
export type WithSecret = WebhookResource & { readonly secret: string }

export interface Webhooks {
  readonly create: (context: CommandContext, details: WebhookDetails) => TE.TaskEither<WebhookFailure, WithSecret>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | WebhookNotFound, WebhookResource>
  readonly list: (page: PageRequest) => T.Task<Listing<WebhookResource>>
  readonly update: (
    context: CommandContext,
    id: string,
    patch: WebhookPatch,
  ) => TE.TaskEither<WebhookFailure, WebhookResource>
  /** Makes a new secret. The old one signs as well for a day. */
  readonly rotateSecret: (context: CommandContext, id: string) => TE.TaskEither<WebhookFailure, WithSecret>
  readonly remove: (context: CommandContext, id: string) => TE.TaskEither<WebhookFailure, void>
}

/** The endpoints to which public events are delivered. */
export const webhooks = (services: WebhookServices): Webhooks => {
  const { store, readModels, vault, caughtUp } = services
  const merchantOf = rememberedStates(store, Merchant)
  const ensureReadable = async (
    { merchantId, actor }: CommandContext,
    selectors: ReadonlyArray<string>,
  ): Promise<E.Either<StoreUnavailable | ScopeMissing, void>> => {
    const merchant = await merchantOf(merchantId)
    if (E.isLeft(merchant)) return merchant
    const reads = actorReads(merchant.right, actor)
    const event = [...eventSelectors].find(
      (type) => EventType.is(type) && isSelected(selectors, type) && !reads(familyOf(type)),
    )
    return event === undefined
      ? E.right(undefined)
      : E.left({ _tag: 'ScopeMissing', scope: `${familyOf(event)}:read`, event })
  }
  /** How many other endpoints a merchant has, as far as that matters. */
  const othersThan = async (id: string, { merchantId, environment }: Scope): Promise<number> => {
    await caughtUp.withOwnWrites(merchantId)
    const page = { merchantId, environment, status: 'living', limit: mostEndpoints }
    return (await readModels.webhooks.page(page)).rows.filter((each) => each.id !== id).length
  }
  const run = async (
    context: CommandContext,
    id: string,
    command: WebhookCommand,
  ): Promise<E.Either<WebhookFailure, WebhookResource>> => {
    const done = await execute(store)(Webhook, id, context, Webhook.decider.decide(command))
    return E.isLeft(done) ? done : E.right(webhookResource(rowAfter(model, id)(done.right)))
  }
  const withSecret = async <L>(secretName: Text, changed: E.Either<L, WebhookResource>) =>
    E.isLeft(changed) ? changed : E.right({ ...changed.right, secret: await webhookSecret(vault, secretName) })
  return {
    create: (context, details) => async () => {
      const id = createdId(WebhookId, context.at, context.commandId)
      const secretName = asText(context.commandId)
      const readable = await ensureReadable(context, details.events)
      if (E.isLeft(readable)) return readable
      const allowed = allowedUrls(services, context)
      const created = await inQueueOf(store, `endpoints of ${context.merchantId} ${context.environment}`, async () => {
        const others = await othersThan(id, context)
        return run(context, id, { type: 'CreateWebhook', details, secretName, allowed, others })
      })
      return withSecret(secretName, created)
    },
    retrieve: (scope, id) => async () => E.map(webhookResource)(await livingWebhook(services, scope, id)),
    list: (page) => () => listed(services, readModels.webhooks, { ...page, status: 'living' }, webhookResource),
    update:
      (context, id, { changed, isDisabled }) =>
      async () => {
        if (changed.events !== undefined || changed.url !== undefined) {
          const known = await livingWebhook(services, context, id)
          if (E.isLeft(known)) return known
          const readable = await ensureReadable(context, changed.events ?? known.right.row.details.events)
          if (E.isLeft(readable)) return readable
        }
        const disabling = isDisabled === null ? {} : { isDisabled }
        const allowed = allowedUrls(services, context)
        return run(context, id, { type: 'UpdateWebhook', changed, ...disabling, allowed })
      },
    rotateSecret: (context, id) => async () => {
      const secretName = asText(context.commandId)
      const rotated = await run(context, id, { type: 'RotateSecret', secretName, at: context.at })
      return withSecret(secretName, rotated)
    },
    remove: (context, id) => async () => E.map(() => undefined)(await run(context, id, { type: 'DeleteWebhook' })),
  }
}

/** The merchant's webhook, unless it is deleted. */
export const livingWebhook = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: string,
): Promise<E.Either<StoreUnavailable | WebhookNotFound, Found<WebhookRow>>> => {
  const found = await retrieve(store)(model, id, scope)
  if (E.isLeft(found)) return found
  return O.isSome(found.right) && found.right.value.row.status === 'living'
    ? E.right(found.right.value)
    : E.left({ _tag: 'WebhookNotFound' })
}

/** The secret that signs deliveries: 256 bits, as Standard Webhooks writes them. */
export const webhookSecret = async (vault: Vault, secretName: Text): Promise<string> => {
  const bits = Buffer.from(await vault.keyedHash('webhook secret', secretName), 'hex')
  return `whsec_${bits.toString('base64')}`
}

const allowedUrls = (services: Pick<Services, 'networks'>, { environment }: Scope): AllowedUrls =>
  mayBeLoopback(services, environment) ? 'https or loopback' : 'https'
