import { dayMs, PaymentId, unixMs } from '@quittance/domain'
import type { PublicEvent } from '@quittance/projections'
import type { Services } from '../../services/services.ts'
import { recipientOf } from './kinds.ts'
import { mailSettings } from './settings.ts'

const readAtOnce = 500
/** Nobody wants to hear of older events. */
const usefulForMs = 7 * dayMs

/** Reads public events, and adds a mail to the outbox for each that somebody is told of. */
export type MailFeed = { readonly read: () => Promise<void> }

type FeedServices = Pick<Services, 'store' | 'readModels' | 'outbox' | 'mailers' | 'clock' | 'left' | 'toDo'>

/**
 * A new outbox begins where the feed of webhooks is, so that an older log is not told anew. One whose last event is gone, as
 * after a log that was put back, reads all again, and tells of the last week.
 */
export const mailFeed = (services: FeedServices): MailFeed => {
  const { readModels, outbox, mailers, clock, toDo } = services
  const settingsOf = mailSettings(services)
  const isAnySender = mailers.testnet !== null || mailers.mainnet !== null

  const isWanted = async ({ type, merchantId, environment, occurredAt, resourceId }: PublicEvent): Promise<boolean> => {
    const to = recipientOf(type)
    if (to === null || mailers[environment] === null) return false
    if (occurredAt + usefulForMs <= clock.now(environment)) return false
    const settings = await settingsOf({ merchantId, environment })
    if (settings === null) return false
    if (to === 'merchant') return settings.noticesTo !== null
    return settings.customerMails && !(await isOfNobody(resourceId))
  }

  /** Whether it is a payment without a customer: nobody has an address. */
  const isOfNobody = async (resourceId: string): Promise<boolean> =>
    PaymentId.is(resourceId) && (await readModels.payments.withId(resourceId))?.row.details.customerId === null

  /** Answers whether more are left. */
  const readSome = async (): Promise<boolean> => {
    const from = await outbox.lastRead(await toDo.sql.run(toDo.lastLooked))
    const place = from === null ? null : ((await readModels.publicEvents.withId(from))?.place ?? null)
    const found = await readModels.publicEvents.next(place, readAtOnce)
    const last = found.at(-1)
    if (last === undefined) return false
    const wanted: Array<PublicEvent> = []
    for (const each of found) if (await isWanted(each)) wanted.push(each)
    const mails = wanted.map(({ id, environment }) => {
      const now = clock.now(environment)
      return { id, environment, now, endsAt: unixMs(now + usefulForMs) }
    })
    await outbox.readOn(from, last.id, mails)
    return found.length === readAtOnce
  }

  return {
    read: async () => {
      while (isAnySender && (await readSome()));
    },
  }
}
