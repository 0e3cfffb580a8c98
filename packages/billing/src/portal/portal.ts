import { randomBytes } from 'node:crypto'
import { type AccountId, type HttpUrl, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CustomerNotFound, customerToAnswerFrom } from '../features/customers/living.ts'
import type { SubscriptionFailure } from '../features/subscriptions/subscriptions.ts'
import { askForProof, type ProofFailure, takeProof, type WalletChallenge } from '../features/wallets/proof.ts'
import type { ClaimLost } from '../kernel/claims.ts'
import { timesOf } from '../kernel/clock.ts'
import type { CommandContext } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestamp } from '../resources/fields.ts'
import type { SubscriptionResource } from '../resources/subscription.ts'
import type { Visit, Visitor } from '../stores/portal-sessions.ts'
import { customersContext } from './customers-context.ts'
import { askForEmailChange, confirmEmailChange, type EmailChangeFailure } from './email-change.ts'
import { type CodeInvalid, customerByCode, type PortalEntries, portalEntries } from './entry.ts'
import { ownerOf, type WalletOfSeveral } from './owner-of-wallet.ts'
import { changeSubscription, type PortalAction } from './portal-subscription.ts'
import { type PortalPlace, type PortalView, portalView } from './portal-view.ts'
import { allowedReturnUrl, type ReturnUrlNotAllowed } from './return-url.ts'
import type { PortalServices } from './services.ts'

export type PortalSession = {
  readonly object: 'portal_session'
  readonly url: string
  readonly token: string
  readonly expires_at: string
  readonly return_url: string | null
}

/** The visitor, and the token in the forms of their pages, which no other site can make a browser send. */
export type PortalVisit = Visit & { readonly formToken: string }

type PortalFailure = StoreUnavailable | CustomerNotFound | ClaimLost

/** The page where customers manage their subscriptions. They need no account: their merchant vouches for them. */
export interface Portal {
  /**
   * Creates an address for one visit within five minutes. `returnUrl` is where the page's link back leads; null for none.
   * Errors: `ReturnUrlNotAllowed` unless it is https, or in the testnet a loopback address.
   */
  readonly open: (
    context: CommandContext,
    customerId: string,
    returnUrl?: HttpUrl | null,
  ) => TE.TaskEither<PortalFailure | ReturnUrlNotAllowed, PortalSession>
  /** Asks the owner of an address for a proof (SEP-10) that opens the portal of this merchant's customer, and no other. */
  readonly challenge: (context: CommandContext, address: AccountId) => TE.TaskEither<ProofFailure, WalletChallenge>
  /**
   * As `open`, for the customer who has proven the wallet of a signed challenge. Errors: `WalletOfSeveral` if several have
   * and `customerId` is null; `CustomerNotFound` if nobody has, or the named customer has not.
   */
  readonly openByWallet: (
    context: CommandContext,
    transaction: string,
    customerId: string | null,
    returnUrl?: HttpUrl | null,
  ) => TE.TaskEither<PortalFailure | ReturnUrlNotAllowed | ProofFailure | WalletOfSeveral, PortalSession>
  /** Codes by mail. */
  readonly entries: PortalEntries
  /** As `open`, for the customer who has received the code. Errors: `CodeInvalid` for whatever reason it does not open. */
  readonly openByCode: (entryId: string, code: string) => TE.TaskEither<PortalFailure | CodeInvalid, PortalSession>
  /** Whether customers reach it by https only. */
  readonly isSecure: () => boolean
  /** Begins a visit and returns the secret of a one-hour session for the browser; null for a used or expired token. */
  readonly enter: (token: string) => Promise<string | null>
  /** The visitor of a session; null once it has ended, or the merchant has left. */
  readonly visitor: (secret: string) => Promise<PortalVisit | null>
  readonly view: (
    visitor: Visitor,
    cursor: PortalPlace,
  ) => TE.TaskEither<StoreUnavailable | CustomerNotFound, PortalView>
  /** Sends codes to the new and to the present email, and answers the id of the change. */
  readonly askForEmailChange: (visitor: Visitor, email: string) => TE.TaskEither<EmailChangeFailure, string>
  /** Changes the visitor's email by both codes. Errors: `AddressTaken` only if both are right. */
  readonly confirmEmailChange: (
    visitor: Visitor,
    id: string,
    codes: { readonly ofNew: string; readonly ofOld: string },
  ) => TE.TaskEither<EmailChangeFailure, void>
  /** Changes a subscription of the visitor's own. */
  readonly change: (
    visitor: Visitor,
    id: string,
    action: PortalAction,
  ) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
}

/** A challenge for the portal is worthless elsewhere, and with another merchant: none can enter another's portal with it. */
const subjectOf = ({ merchantId }: CommandContext): string => `portal of ${merchantId}`

const visitWithinMs = 5 * 60 * 1000
/** How long a session of the portal lasts, in milliseconds. */
export const portalSessionMs = 60 * 60 * 1000

export const portal = (services: PortalServices): Portal => {
  const { vault, left, clock, portalSessions, publicUrl, readModels } = services
  const change = changeSubscription(services)
  const byCode = customerByCode(services)
  const hashOf = (token: string) => vault.keyedHash('portal', token)
  const open = async (
    context: CommandContext,
    customerId: string,
    returnUrl: HttpUrl | null,
  ): Promise<E.Either<PortalFailure, PortalSession>> => {
    const customer = await customerToAnswerFrom(services, context, customerId)
    if (E.isLeft(customer)) return customer
    const { merchantId, environment } = customer.right
    // Derived from the command, as API keys are: a repeated request returns the same token.
    const token = Buffer.from(await vault.keyedHash('portal token', context.commandId), 'hex').toString('base64url')
    const validUntil = unixMs(context.at + visitWithinMs)
    const visit = { merchantId, environment, customerId, returnUrl }
    const invited = await portalSessions.invite(await hashOf(token), visit, validUntil, context.alongside)
    if (E.isLeft(invited)) return invited
    const url = `${publicUrl()}/portal/${token}`
    const expires_at = timestamp(validUntil)
    return E.right({ object: 'portal_session', url, token, expires_at, return_url: returnUrl })
  }
  return {
    open:
      (context, customerId, returnUrl = null) =>
      async () => {
        const allowed = allowedReturnUrl(context.environment, returnUrl)
        return E.isLeft(allowed) ? allowed : open(context, customerId, allowed.right)
      },
    challenge: (context, address) => () => askForProof(services, context, subjectOf(context), address),
    openByWallet:
      (context, transaction, customerId, returnUrl = null) =>
      async () => {
        const allowed = allowedReturnUrl(context.environment, returnUrl)
        if (E.isLeft(allowed)) return allowed
        const address = await takeProof(services, context, subjectOf(context), transaction)
        if (E.isLeft(address)) return address
        const owner = await ownerOf(services, context, address.right, customerId)
        return E.isLeft(owner) ? owner : open(context, owner.right, allowed.right)
      },
    entries: portalEntries(services),
    openByCode: (entryId, code) => async () => {
      const customer = await byCode(entryId, code)
      if (E.isLeft(customer)) return customer
      const { customerId, ...scope } = customer.right
      const opened = await open(customersContext(services, scope), customerId, null)
      const isGone = E.isLeft(opened) && opened.left._tag === 'CustomerNotFound'
      return isGone ? E.left({ _tag: 'CodeInvalid' }) : opened
    },
    isSecure: () => publicUrl().startsWith('https:'),
    enter: async (token) => {
      const secret = randomBytes(32).toString('base64url')
      return (await portalSessions.enter(await hashOf(token), await hashOf(secret), portalSessionMs, timesOf(clock)))
        ? secret
        : null
    },
    visitor: async (secret) => {
      const visitor = await portalSessions.find(await hashOf(secret), timesOf(clock))
      if (visitor === null || (await left.has(visitor.merchantId))) return null
      const customerId = await readModels.customerFamily.remaining(visitor.customerId)
      return { ...visitor, customerId, formToken: await vault.keyedHash('portal form', secret) }
    },
    view: (visitor, cursor) => () => portalView(services, visitor, cursor),
    askForEmailChange: (visitor, email) => () => askForEmailChange(services, visitor, email),
    confirmEmailChange: (visitor, id, codes) => () => confirmEmailChange(services, visitor, id, codes),
    change: (visitor, id, action) => () => change(visitor, id, action),
  }
}
