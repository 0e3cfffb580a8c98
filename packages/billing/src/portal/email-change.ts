import { randomBytes } from 'node:crypto'
import { type KeyedHash, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { CustomerFailure } from '../features/customers/create.ts'
import { type CustomerNotFound, livingCustomer } from '../features/customers/living.ts'
import { emailHash } from '../features/customers/look-up.ts'
import { updateCustomer } from '../features/customers/update.ts'
import { timesOf } from '../kernel/clock.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { MailedCode } from '../stores/mail/mailed-codes.ts'
import type { Visitor } from '../stores/portal-sessions.ts'
import type { Vault } from '../stores/vault/port.ts'
import { customersContext } from './customers-context.ts'
import { type CodeInvalid, codeLastsMs, type MailNotConfigured, type TooManyCodes } from './entry.ts'
import { isCodeOf } from './mailed-code.ts'
import type { PortalServices } from './services.ts'

/** Another customer has the address: which one is not told. */
export type AddressTaken = { readonly _tag: 'AddressTaken' }
/** The customer has no email, so nobody could be asked whether it may change. */
export type NoEmailToChange = { readonly _tag: 'NoEmailToChange' }

type AskFailure = StoreUnavailable | CustomerNotFound | MailNotConfigured | NoEmailToChange | TooManyCodes
export type EmailChangeFailure =
  | AskFailure
  | CodeInvalid
  | AddressTaken
  | Exclude<CustomerFailure, { _tag: 'EmailTaken' }>

/** The codes of one change are derived from its id; that for the present address also from that address. */
export const newEmailCodeId = (id: string): string => `${id} new`
export const oldEmailCodeId = (id: string, address: KeyedHash): string => `${id} old ${address}`

const NewEmail = t.strict({ email: t.string })

/** The address that a customer wants; null once the customer is erased. */
export const newEmailOf = async (vault: Vault, { customerId, newEmail }: MailedCode): Promise<string | null> => {
  if (customerId === null || newEmail === null) return null
  const opened = await vault.unseal(customerId, newEmail)
  return O.isNone(opened) ? null : decodeOrThrow(NewEmail, opened.value).email
}

/**
 * Sends one code to the new address and one to the present address, and answers the id of the change. Whether another
 * customer has the new address is not told before both codes are right.
 */
export const askForEmailChange = async (
  services: PortalServices,
  { customerId, ...scope }: Visitor,
  email: string,
): Promise<E.Either<AskFailure, string>> => {
  const { mailers, vault, mailedCodes, outbox, clock } = services
  const { environment } = scope
  const customer = await livingCustomer(services, scope, customerId)
  if (E.isLeft(customer)) return customer
  if (mailers[environment] === null) return E.left({ _tag: 'MailNotConfigured' })
  if (customer.right.row.record.emailHash === null) return E.left({ _tag: 'NoEmailToChange' })
  const sealed = await vault.seal(customerId, { email: email.trim() })
  if (O.isNone(sealed)) return E.left({ _tag: 'CustomerNotFound' })
  const id = randomBytes(16).toString('base64url')
  const now = clock.now(environment)
  const endsAt = unixMs(now + codeLastsMs)
  const address = await emailHash(vault, scope, email)
  const change = { ...scope, id, address, customerId, newEmail: sealed.value }
  if (!(await mailedCodes.issue(change, await vault.keyedHash('client', customerId), now, endsAt)))
    return E.left({ _tag: 'TooManyCodes' })
  for (const kind of ['old_email_code', 'new_email_code'] as const)
    await outbox.add({ environment, kind, about: id }, now, endsAt)
  return E.right(id)
}

/** Changes the visitor's email once, by the codes of both addresses. */
export const confirmEmailChange = async (
  services: PortalServices,
  { customerId, ...scope }: Visitor,
  id: string,
  codes: { readonly ofNew: string; readonly ofOld: string },
): Promise<E.Either<EmailChangeFailure, void>> => {
  const { vault, mailedCodes, clock } = services
  const invalid = E.left<CodeInvalid>({ _tag: 'CodeInvalid' })
  const customer = await livingCustomer(services, scope, customerId)
  if (E.isLeft(customer)) return customer
  const present = customer.right.row.record.emailHash
  const isOwn = (await mailedCodes.find(id, timesOf(clock)))?.customerId === customerId
  const code = isOwn ? await mailedCodes.tryOnce(id, timesOf(clock)) : null
  if (code === null || present === null) return invalid
  const isOfNew = await isCodeOf(vault, newEmailCodeId(id), codes.ofNew)
  const isOfOld = await isCodeOf(vault, oldEmailCodeId(id, present), codes.ofOld)
  const email = await newEmailOf(vault, code)
  if (!isOfNew || !isOfOld || email === null || !(await mailedCodes.spend(id, timesOf(clock)))) return invalid
  const updated = await updateCustomer(services, customersContext(services, scope), customerId, { email })
  if (E.isRight(updated)) return E.right(undefined)
  return E.left(updated.left._tag === 'EmailTaken' ? { _tag: 'AddressTaken' } : updated.left)
}
