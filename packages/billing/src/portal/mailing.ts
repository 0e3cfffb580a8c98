import { setTimeout as pause } from 'node:timers/promises'
import { type Environment, minuteMs, secondMs, unixMs } from '@quittance/domain'
import type { CustomerRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { customerByEmail } from '../features/customers/by-email.ts'
import { livingCustomer } from '../features/customers/living.ts'
import { timesOf } from '../kernel/clock.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { openProfile } from '../resources/profile.ts'
import type { Services } from '../services/services.ts'
import type { MailedCode } from '../stores/mail/mailed-codes.ts'
import type { Mail, MailFailure } from '../stores/mail/mailer.ts'
import type { MailToSend } from '../stores/mail/outbox.ts'
import { newEmailCodeId, newEmailOf, oldEmailCodeId } from './email-change.ts'
import { entryMail, newEmailMail, oldEmailMail } from './mail-text.ts'
import { codeOf } from './mailed-code.ts'
import { eventMail } from './mails/event-mail.ts'
import { mailFeed } from './mails/feed.ts'

/** Why a mail has not gone out; null once one has again. A refused mail is no trouble of others. */
export type MailTrouble = MailFailure | StoreUnavailable | null

/** Sends what the outbox holds, beside all other work. Several processes may send from one outbox. */
export interface Mailing {
  /**
   * Sends until the signal aborts. Tells each refused mail, and each change of other trouble; passes defects to `raise` and
   * goes on.
   */
  readonly run: (
    signal: AbortSignal,
    tell: (trouble: MailTrouble) => void,
    raise: (defect: unknown) => void,
  ) => Promise<void>
  /** Tries each mail that is due once. */
  readonly settle: () => Promise<void>
}

type MailingServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'vault'
  | 'clock'
  | 'mailers'
  | 'mailedCodes'
  | 'outbox'
  | 'logStanding'
  | 'left'
  | 'publicUrl'
  | 'toDo'
>

const atOnce = 5
const pollMs = 250
/** Longer than a mailer waits for its server. */
const leaseMs = minuteMs
const pausesMs = [5, 15, 30, 60].map((seconds) => seconds * secondMs)
const closingMs = 2 * secondMs

type Line = {
  readonly environment: Environment
  readonly underWay: Set<Promise<void>>
  readonly tell: (trouble: MailTrouble) => void
}

/** Environments send apart: a silent server of one holds no mail of the other up. */
const environments = ['mainnet', 'testnet'] as const

/** Makes what sends the mails of the outbox. */
export const createMailing = (services: MailingServices): Mailing => {
  const { clock, mailers, mailedCodes, outbox, logStanding } = services
  const feed = mailFeed(services)

  const send = async ({ environment, tell }: Line, waiting: MailToSend): Promise<void> => {
    const { id, kind, about, tries } = waiting
    const failed = async (failure: MailFailure | StoreUnavailable): Promise<void> => {
      tell(failure)
      const pauseMs = pausesMs[tries] ?? pausesMs.at(-1) ?? leaseMs
      if (failure._tag === 'MailRefused') await outbox.done(id)
      else await outbox.retryAt(id, unixMs(clock.now(environment) + pauseMs))
    }
    const mail = await mailOf(services, waiting)
    if (E.isLeft(mail)) return failed(mail.left)
    const mailer = mailers[environment]
    if (mail.right === null || mailer === null) return outbox.done(id)
    if (kind !== 'public_event' && !(await mailedCodes.mayMail(about, clock.now(environment)))) return outbox.done(id)
    const sent = await mailer.send(mail.right)()
    if (E.isLeft(sent)) return failed(sent.left)
    await outbox.done(id)
    tell(null)
  }

  /** A restored log may hold former addresses. */
  const isHeld = (): boolean => logStanding.now()._tag === 'RolledBack'

  /** Begins to send what is due, and answers how many mails that are. */
  const turn = async (line: Line, raise: (defect: unknown) => void): Promise<number> => {
    const { environment, underWay } = line
    if (isHeld() || underWay.size >= atOnce) return 0
    const taken = await outbox.take(environment, atOnce - underWay.size, leaseMs, clock.now(environment))
    for (const waiting of taken) {
      const sending: Promise<void> = send(line, waiting)
        .catch(raise)
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
    return taken.length
  }

  return {
    run: async (signal, tell, raise) => {
      const lines = environments.map((environment) => {
        return { environment, underWay: new Set<Promise<void>>(), tell: onChange(tell) }
      })
      while (!signal.aborted) {
        try {
          if (!isHeld()) await feed.read()
          for (const line of lines) await turn(line, raise)
        } catch (defect) {
          raise(defect)
        }
        await pause(pollMs, undefined, { signal }).catch(() => undefined)
      }
      const over = Promise.all(lines.flatMap(({ underWay }) => [...underWay]))
      await Promise.race([over, pause(closingMs, undefined, { ref: false })])
    },
    settle: async () => {
      const raise = (defect: unknown): never => {
        throw defect
      }
      if (!isHeld()) await feed.read()
      for (const environment of environments) {
        const line = { environment, underWay: new Set<Promise<void>>(), tell: () => undefined }
        while ((await turn(line, raise)) > 0) await Promise.all(line.underWay)
      }
    },
  }
}

/** Tells refusals, and other trouble when it changes. */
const onChange = (tell: (trouble: MailTrouble) => void): Line['tell'] => {
  let last: string | null = null
  return (trouble) => {
    if (trouble?._tag === 'MailRefused') return tell(trouble)
    const text = trouble?._tag ?? null
    if (text !== last) tell(trouble)
    last = text
  }
}

/** The text of a mail, as of now; null once there is nothing to say or nobody to say it to. */
const mailOf = async (
  services: MailingServices,
  { kind, about }: MailToSend,
): Promise<E.Either<StoreUnavailable, Mail | null>> => {
  switch (kind) {
    case 'entry_code':
      return entryCode(services, about)
    case 'new_email_code':
      return E.right(await newEmailCode(services, about))
    case 'old_email_code':
      return oldEmailCode(services, about)
    case 'public_event':
      return eventMail(services, about)
  }
}

/** The code goes to the address that the customer has, and not to what was typed: it may only look the same. */
const entryCode = async (
  services: MailingServices,
  entryId: string,
): Promise<E.Either<StoreUnavailable, Mail | null>> => {
  const code = await services.mailedCodes.find(entryId, timesOf(services.clock))
  if (code === null) return E.right(null)
  const customer = await customerByEmail(services, code, code.address)
  if (E.isLeft(customer)) return customer
  const words = entryMail(await merchantOf(services, code), await codeOf(services.vault, entryId))
  return E.right(customer.right === null ? null : await mailTo(services, customer.right, words))
}

/** To an address of which nobody knows yet whose it is: it names nobody. */
const newEmailCode = async (services: MailingServices, id: string): Promise<Mail | null> => {
  const { vault, mailedCodes, clock } = services
  const code = await mailedCodes.find(id, timesOf(clock))
  const address = code === null ? null : await newEmailOf(vault, code)
  if (code === null || address === null) return null
  const words = newEmailMail(await merchantOf(services, code), await codeOf(vault, newEmailCodeId(id)))
  return { merchantId: code.merchantId, to: { name: null, address }, ...words }
}

const oldEmailCode = async (
  services: MailingServices,
  id: string,
): Promise<E.Either<StoreUnavailable, Mail | null>> => {
  const { vault, mailedCodes, clock } = services
  const code = await mailedCodes.find(id, timesOf(clock))
  if (code?.customerId == null) return E.right(null)
  const customer = await livingCustomer(services, code, code.customerId)
  if (E.isLeft(customer)) return customer.left._tag === 'CustomerNotFound' ? E.right(null) : E.left(customer.left)
  const { emailHash } = customer.right.row.record
  if (emailHash === null) return E.right(null)
  const words = oldEmailMail(await merchantOf(services, code), await codeOf(vault, oldEmailCodeId(id, emailHash)))
  return E.right(await mailTo(services, customer.right, words))
}

const merchantOf = async ({ readModels }: MailingServices, { merchantId }: MailedCode): Promise<string> =>
  (await readModels.merchants.withId(merchantId))?.row.name ?? ''

/** A mail to the address that a customer has; null for one without, or erased. */
const mailTo = async (
  { vault }: MailingServices,
  { id, merchantId, row }: Found<CustomerRow>,
  words: Pick<Mail, 'subject' | 'text' | 'html'>,
): Promise<Mail | null> => {
  const profile = await openProfile(vault, id, row.record.profile)
  if (O.isNone(profile) || profile.value.email === null) return null
  return { merchantId, to: { name: profile.value.name, address: profile.value.email }, ...words }
}
