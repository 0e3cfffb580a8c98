import { randomBytes } from 'node:crypto'
import { minuteMs, unixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { customerByEmail } from '../features/customers/by-email.ts'
import { emailHash } from '../features/customers/look-up.ts'
import type { MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import { timesOf } from '../kernel/clock.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestamp } from '../resources/fields.ts'
import { isCodeOf } from './mailed-code.ts'
import type { PortalServices } from './services.ts'

export type MailNotConfigured = { readonly _tag: 'MailNotConfigured' }
/** Of an address, of a client or of a merchant: which one is not told. */
export type TooManyCodes = { readonly _tag: 'TooManyCodes' }
/** Wrong, used, too old, tried too often, or of nobody: which one is not told. */
export type CodeInvalid = { readonly _tag: 'CodeInvalid' }

export type PortalEntry = { readonly object: 'portal_entry'; readonly id: string; readonly expires_at: string }

export type EntryFailure = MerchantNotFound | MailNotConfigured | TooManyCodes | CodeInvalid

/** Where customers ask for a code: the merchant's name, and whether mails go out. */
export type PortalDoor = Scope & { readonly merchant: string; readonly hasMail: boolean }

/** Entry by a code that goes to the customer's email. */
export interface PortalEntries {
  readonly door: (scope: Scope) => Promise<E.Either<MerchantNotFound, PortalDoor>>
  /** The door where a code was asked for that can still be used; null without one. */
  readonly doorOf: (entryId: string) => Promise<PortalDoor | null>
  /**
   * Issues a code. Nothing in the answer or in the time that it takes depends on whether a customer has the email: that is
   * looked up when the mail is sent. `client` is whoever asks, such as an address.
   */
  readonly ask: (
    scope: Scope,
    email: string,
    client: string,
  ) => Promise<E.Either<MerchantNotFound | MailNotConfigured | TooManyCodes, PortalEntry>>
}

/** The customer who has proven an address by its code. */
export type CustomerByCode = (
  entryId: string,
  code: string,
) => Promise<E.Either<StoreUnavailable | CodeInvalid, Scope & { readonly customerId: string }>>

export const codeLastsMs = 10 * minuteMs

export const portalEntries = (services: PortalServices): PortalEntries => {
  const { readModels, left, mailers, vault, mailedCodes, outbox, clock } = services
  const door: PortalEntries['door'] = async ({ merchantId, environment }) => {
    const merchant = (await readModels.merchants.withId(merchantId))?.row.name
    if (merchant === undefined || (await left.has(merchantId))) return E.left({ _tag: 'MerchantNotFound' })
    return E.right({ merchantId, environment, merchant, hasMail: mailers[environment] !== null })
  }
  return {
    door,
    doorOf: async (entryId) => {
      const code = await mailedCodes.find(entryId, timesOf(clock))
      return code === null || code.customerId !== null ? null : E.getOrElseW(() => null)(await door(code))
    },
    ask: async (scope, email, client) => {
      const at = await door(scope)
      if (E.isLeft(at)) return at
      if (!at.right.hasMail) return E.left({ _tag: 'MailNotConfigured' })
      const { merchantId, environment } = scope
      const now = clock.now(environment)
      const endsAt = unixMs(now + codeLastsMs)
      const id = randomBytes(16).toString('base64url')
      const code = {
        id,
        merchantId,
        environment,
        address: await emailHash(vault, scope, email),
        customerId: null,
        newEmail: null,
      }
      if (!(await mailedCodes.issue(code, await vault.keyedHash('client', client), now, endsAt)))
        return E.left({ _tag: 'TooManyCodes' })
      await outbox.add({ environment, kind: 'entry_code', about: id }, now, endsAt)
      return E.right({ object: 'portal_entry', id, expires_at: timestamp(endsAt) })
    },
  }
}

export const customerByCode =
  (services: PortalServices): CustomerByCode =>
  async (entryId, typed) => {
    const { vault, mailedCodes, clock } = services
    const invalid = E.left<CodeInvalid>({ _tag: 'CodeInvalid' })
    const isEntry = (await mailedCodes.find(entryId, timesOf(clock)))?.customerId === null
    const code = isEntry ? await mailedCodes.tryOnce(entryId, timesOf(clock)) : null
    if (code === null || !(await isCodeOf(vault, entryId, typed))) return invalid
    const customer = await customerByEmail(services, code, code.address)
    if (E.isLeft(customer)) return customer
    if (customer.right === null || !(await mailedCodes.spend(entryId, timesOf(clock)))) return invalid
    return E.right({ merchantId: code.merchantId, environment: code.environment, customerId: customer.right.id })
  }
