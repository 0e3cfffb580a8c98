import {
  type AllowedUrls,
  asText,
  type Text,
  Webhook,
  type WebhookChanges,
  type WebhookCommand,
  type WebhookDetails,
  WebhookId,
  type WebhookRejection,
} from '@quittance/domain'
import { webhooks as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type WebhookResource, webhookResource } from '../../resources/webhook.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import type { Vault } from '../../stores/vault/port.ts'

export type WebhookFailure = WebhookRejection | ExecuteFailure
type WebhookNotFound = Extract<WebhookRejection, { readonly _tag: 'WebhookNotFound' }>

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
  /** A new secret; the one before signs as well for a day. */
  readonly rotateSecret: (context: CommandContext, id: string) => TE.TaskEither<WebhookFailure, WithSecret>
  readonly remove: (context: CommandContext, id: string) => TE.TaskEither<WebhookFailure, void>
}

/** Where merchants are told what happens. */
export const webhooks = (services: Services): Webhooks => {
  const { store, readModels, vault } = services
  const run = (context: CommandContext, id: string, command: WebhookCommand) =>
    pipe(executeLater(store)(Webhook, id, context, Webhook.decider.decide(command)), TE.map(rowAfter(model, id)))
  const withSecret = (secretName: Text) => (resource: WebhookResource) => ({
    ...resource,
    secret: webhookSecret(vault, secretName),
  })

  return {
    create: (context, details) => {
      const id = createdId(WebhookId, context.at, context.commandId)
      const secretName = asText(context.commandId)
      const allowed = allowedUrls(services, context)
      return pipe(
        run(context, id, { type: 'CreateWebhook', details, secretName, allowed }),
        TE.map(webhookResource),
        TE.map(withSecret(secretName)),
      )
    },
    retrieve: (scope, id) =>
      pipe(
        retrieveLater(store)(model, id, scope),
        TE.map(O.filter(({ row }) => row.status === 'living')),
        TE.chainEitherKW(orNotFound<WebhookNotFound>({ _tag: 'WebhookNotFound' })),
        TE.map(webhookResource),
      ),
    list: (page) => () => listed(services, readModels.webhooks, { ...page, status: 'living' }, webhookResource),
    update: (context, id, { changed, isDisabled }) => {
      const disabling = isDisabled === null ? {} : { isDisabled }
      const allowed = allowedUrls(services, context)
      return TE.map(webhookResource)(run(context, id, { type: 'UpdateWebhook', changed, ...disabling, allowed }))
    },
    rotateSecret: (context, id) => {
      const secretName = asText(context.commandId)
      return pipe(
        run(context, id, { type: 'RotateSecret', secretName, at: context.at }),
        TE.map(webhookResource),
        TE.map(withSecret(secretName)),
      )
    },
    remove: (context, id) => TE.map(() => undefined)(run(context, id, { type: 'DeleteWebhook' })),
  }
}

/** The 256 bits that deliveries are signed with, as Standard Webhooks writes them. */
export const webhookSecret = (vault: Vault, secretName: Text): string => {
  const bits = Buffer.from(vault.keyedHash('webhook secret', secretName), 'hex')
  return `whsec_${bits.toString('base64')}`
}

/** Only the sandbox provisions accounts by itself: there endpoints on the same machine are for trying things out. */
const allowedUrls = ({ networks }: Services, { environment }: Scope): AllowedUrls =>
  networks[environment]?.provision ? 'https or loopback' : 'https'
