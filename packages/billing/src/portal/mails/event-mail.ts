import { exceptions, type PublicEvent, payments, subscriptions } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { livingCustomer } from '../../features/customers/living.ts'
import { retrieve, type StoreUnavailable } from '../../kernel/load.ts'
import { exceptionResource } from '../../resources/exception.ts'
import { paymentResource } from '../../resources/payment.ts'
import { openProfile } from '../../resources/profile.ts'
import { receiptUrl } from '../../resources/receipt-link.ts'
import type { Services } from '../../services/services.ts'
import type { Mail } from '../../stores/mail/mailer.ts'
import { type MailedType, mailedType } from './kinds.ts'
import { type Letter, nameIn, wordsOf } from './letter.ts'
import { type MailSettings, mailSettings } from './settings.ts'
import { subscriptionLetter } from './subscription-letter.ts'
import { exceptionLetter } from './templates/exception-waits.ts'
import { receiptLetter } from './templates/receipt.ts'

export type EventMailServices = Pick<
  Services,
  'store' | 'readModels' | 'vault' | 'clock' | 'mailers' | 'left' | 'publicUrl'
>

type Written<A> = Promise<E.Either<StoreUnavailable, A | null>>
/** A letter to a customer. */
type ToCustomer = { readonly customerId: string; readonly letter: Letter }

/** The mail about a public event, as of now; null where nobody is told, or it is of no use any more. */
export const eventMail = async (services: EventMailServices, eventId: string): Written<Mail> => {
  const event = await services.readModels.publicEvents.withId(eventId)
  const type = event === null ? null : mailedType(event.type)
  const settings = event === null ? null : await mailSettings(services)(event)
  if (event === null || type === null || settings === null) return E.right(null)
  if (type === 'exception.opened') return toMerchant(services, event, settings)
  if (!settings.customerMails) return E.right(null)
  const written = await letterOf(services, event, type, settings)
  if (E.isLeft(written) || written.right === null) return E.map(() => null)(written)
  return toCustomer(services, event, settings, written.right)
}

const letterOf = (
  services: EventMailServices,
  event: PublicEvent,
  type: Exclude<MailedType, 'exception.opened'>,
  { merchant }: MailSettings,
): Written<ToCustomer> =>
  type === 'payment.confirmed'
    ? receiptOf(services, event, nameIn(merchant))
    : subscriptionOf(services, event, type, nameIn(merchant))

const receiptOf = async (services: EventMailServices, event: PublicEvent, merchant: string): Written<ToCustomer> => {
  const found = await retrieve(services.store)(payments, event.resourceId, event)
  if (E.isLeft(found)) return found
  const payment = O.toNullable(found.right)
  if (payment === null || payment.row.details.customerId === null) return E.right(null)
  const { customerId, productId } = payment.row.details
  const { amount } = await paymentResource(services, null)(payment)
  const product = productId === null ? null : await productName(services, productId)
  const letter = receiptLetter(merchant, amount, product, await receiptUrl(services, payment.id))
  return E.right({ customerId, letter })
}

const subscriptionOf = async (
  services: EventMailServices,
  event: PublicEvent,
  type: Parameters<typeof subscriptionLetter>[0],
  merchant: string,
): Written<ToCustomer> => {
  const { store, clock, publicUrl } = services
  const found = await retrieve(store)(subscriptions, event.resourceId, event)
  if (E.isLeft(found)) return found
  const subscription = O.toNullable(found.right)
  if (subscription === null) return E.right(null)
  const { details, terms } = subscription.row
  const product = (await productName(services, terms.productId)) ?? 'what you have subscribed to'
  const now = clock.now(event.environment)
  const letter = subscriptionLetter(type, subscription, { merchant, product, publicUrl: publicUrl(), now })
  return E.right(letter && { customerId: details.customerId, letter })
}

const productName = async ({ readModels }: EventMailServices, id: string): Promise<string | null> => {
  const product = await readModels.products.withId(id)
  return product === null ? null : nameIn(product.row.details.name)
}

/** Goes to the address alone: a stranger may have typed the name of a new customer. */
const toCustomer = async (
  { store, readModels, vault, publicUrl }: EventMailServices,
  { merchantId, environment }: PublicEvent,
  { merchant, profile }: MailSettings,
  { customerId, letter }: ToCustomer,
): Written<Mail> => {
  const remaining = await readModels.customerFamily.remaining(customerId)
  const customer = await livingCustomer({ store }, { merchantId, environment }, remaining)
  if (E.isLeft(customer)) return customer.left._tag === 'CustomerNotFound' ? E.right(null) : E.left(customer.left)
  const person = O.toNullable(await openProfile(vault, remaining, customer.right.row.record.profile))
  if (person === null || person.email === null) return E.right(null)
  const entry = `${publicUrl()}/portal/entry?${new URLSearchParams({ merchant: merchantId, environment })}`
  const all = { ...letter, more: [{ label: 'See and change what you have', url: entry }] }
  const footer = [
    `From ${nameIn(profile.legalName ?? merchant)}`,
    ...(profile.address?.split('\n').map(nameIn) ?? []),
    ...(profile.supportContact === null ? [] : [`Help: ${nameIn(profile.supportContact)}`]),
    ...(environment === 'testnet' ? ['Testnet: no real money'] : []),
    'You get this because of what you have bought there.',
  ]
  return E.right({ merchantId, to: { name: null, address: person.email }, ...wordsOf(all, footer) })
}

const toMerchant = async (
  { store }: EventMailServices,
  event: PublicEvent,
  { noticesTo }: MailSettings,
): Written<Mail> => {
  if (noticesTo === null) return E.right(null)
  const { merchantId, environment } = event
  const found = await retrieve(store)(exceptions, event.resourceId, event)
  if (E.isLeft(found)) return found
  const exception = O.toNullable(found.right)
  if (exception === null) return E.right(null)
  const { amount, kind, status, id } = exceptionResource(exception)
  if (status !== 'open') return E.right(null)
  const footer = [`For merchant ${merchantId} on ${environment}`, 'Change the address with PUT /merchant, notices_to.']
  return E.right({
    merchantId,
    to: { name: null, address: noticesTo },
    ...wordsOf(exceptionLetter(amount, kind.replaceAll('_', ' '), id), footer),
  })
}
