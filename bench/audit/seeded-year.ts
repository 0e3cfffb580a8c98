import { type Client, createClient, QuittanceError } from '@quittance/client'
import { minuteMs } from '@quittance/domain'
import { hurryOn, openService } from '@quittance/http/testing/service'
import { seededRandom } from '@quittance/simulation'
import { inGroups } from './in-groups.ts'
import { emptyWallet, invoicePayment, join, type Member, memberOf, refillWallet, renewAllowance } from './members.ts'

/** How a year is made. The same seed makes the same lives; ids, keys and hashes are new each time. */
export type YearPlan = {
  readonly dataDir: string
  readonly subscriptions: number
  readonly seed: string
  readonly report: (what: string) => void
}

/** What an auditor's questions are about. */
export type AskedAbout = {
  /** Pays 13.50 USDC on 3 March. */
  readonly subscription: string
  /** The customer of a subscription whose overdue invoice is paid on 17 June at 11:50, which the service learns after noon. */
  readonly paidLate: string
  readonly product: string
}

const year = 2027
const atOnce = 20
const refundsAMonth = 2
/** An advance works off all that is due. */
const longestAdvanceMs = 10 * minuteMs

/** The first two have a day of their own: the one who pays on 3 March, and the one who pays late. */
const firstDays: ReadonlyArray<number> = [3, 2]

const timeOf = (month: number, day: number, hour = 9, minute = 0): string =>
  new Date(Date.UTC(year, month - 1, day, hour, minute)).toISOString()

type Life = { readonly id: string; readonly customerId: string; readonly member: Member }

/** Signs mandates, and waits until the subscriptions have begun. */
const joined = async (
  client: Client,
  members: ReadonlyArray<Member>,
  productId: string,
): Promise<ReadonlyArray<Life>> => {
  const begun = await inGroups(members, atOnce, async (member) => ({
    member,
    id: await join(client, member, productId),
  }))
  await client.sandbox.advance({ seconds: 12 })
  return inGroups(begun, atOnce, async ({ member, id }) => {
    const { subscription_id, customer_id } = await client.checkouts.retrieve(id)
    if (subscription_id === null || customer_id === null) throw new Error(`checkout ${id} has not begun a subscription`)
    return { id: subscription_id, customerId: customer_id, member }
  })
}

/** What the state of a subscription forbids is left out of its life. */
const unlessRefused = async (request: Promise<unknown>): Promise<void> => {
  try {
    await request
  } catch (cause) {
    if (!(cause instanceof QuittanceError)) throw cause
  }
}

/**
 * The year 2027 of a club in a sandbox. Members join in January for EUR 12.50 a month, which is 13.50 USDC. Each month some
 * cancel, some pause until the next, some have an empty wallet for some days or for good, and some get their latest payment
 * back. Allowances are renewed in May and September. From July on the club costs EUR 13.
 */
export const writeYear = async ({ dataDir, subscriptions, seed, report }: YearPlan): Promise<AskedAbout> => {
  const random = seededRandom(seed)
  const service = await openService(dataDir, { QUITTANCE_PAYER_RATE_LIMIT: '1000000' })
  const facts = { ...service.facts, hurry: hurryOn(service.api) }
  const client = createClient({ baseUrl: service.url, apiKey: facts.api_key, timeoutMs: longestAdvanceMs })
  const advanceTo = async (to: string): Promise<void> => {
    await client.sandbox.advance({ to })
    report(to)
  }
  try {
    await advanceTo(timeOf(1, 1))
    const product = await client.products.create({
      ...{
        name: 'The club',
        type: 'subscription',
        recurring_period: 'month',
        currency_code: 'EUR',
        price_amount: 12.5,
      },
    })
    const members = await inGroups([...Array(subscriptions).keys()], atOnce, (n) => memberOf(facts, seed, n))
    report(`${subscriptions} wallets`)
    const days = members.map((_, n) => firstDays[n] ?? 2 + random.below(27))
    const lives: Array<Life> = []
    for (let day = 2; day <= 28; day += 1) {
      await advanceTo(timeOf(1, day))
      lives.push(
        ...(await joined(
          client,
          members.filter((_, n) => days[n] === day),
          product.id,
        )),
      )
    }
    const lifeOf = (member: Member | undefined): Life => {
      const found = lives.find((life) => life.member === member)
      if (found === undefined) throw new Error('a year has at least two subscriptions')
      return found
    }
    const [charged, late] = [lifeOf(members[0]), lifeOf(members[1])]
    const others = lives.filter((life) => life !== charged && life !== late)
    const paused: Array<Life> = []
    const empty: Array<Life> = []

    for (let month = 2; month <= 12; month += 1) {
      for (const { id } of paused.splice(0)) await unlessRefused(client.subscriptions.resume(id))
      if (month === 5 || month === 9)
        await inGroups(lives, atOnce, async ({ id, member }) => {
          const { status, authorization } = await client.subscriptions.retrieve(id)
          if (status !== 'canceled' && authorization !== null)
            await renewAllowance(member, authorization.contract_id, authorization.mandate_id)
        })
      if (month === 5)
        await client.priceChanges.create({
          ...{ product_id: product.id, price_amount: 13, effective_at: timeOf(7, 1), without_consent: 'keep' },
        })
      const broke = others.filter(() => random.onceIn(25))
      await inGroups(month === 6 ? [...broke, late] : broke, atOnce, ({ member }) => emptyWallet(facts, member))
      empty.push(...broke)
      for (let day = 1; day <= 28; day += 3) {
        await advanceTo(timeOf(month, day))
        const refilled = empty.filter(() => random.onceIn(8))
        await inGroups(refilled, atOnce, ({ member }) => refillWallet(facts, member))
        empty.splice(0, empty.length, ...empty.filter((life) => !refilled.includes(life)))
        if (month === 6 && day === 16) await payLate(client, facts, late, advanceTo)
      }
      for (const life of others) {
        const act = random.below(60)
        if (act === 0) await unlessRefused(client.subscriptions.cancel(life.id))
        if (act === 1) {
          await unlessRefused(client.subscriptions.pause(life.id))
          paused.push(life)
        }
      }
      for (let n = 0; n < refundsAMonth; n += 1) {
        const { customerId } = random.oneOf(others)
        for await (const { id } of client.payments.list({ customer_id: customerId, limit: 1 })) {
          await unlessRefused(client.refunds.create({ payment_id: id, reason: 'a member was on holiday' }))
          break
        }
      }
    }
    await advanceTo(timeOf(12, 31))
    return { subscription: charged.id, paidLate: late.customerId, product: product.id }
  } finally {
    await service.close()
  }
}

/** The node tells of ledgers late while an invoice is paid, so the service learns of the payment after noon. */
const payLate = async (
  client: Client,
  facts: Parameters<typeof memberOf>[0],
  { id, member }: Life,
  advanceTo: (to: string) => Promise<void>,
): Promise<void> => {
  await advanceTo(timeOf(6, 17, 11, 50))
  const { invoice_url } = await client.subscriptions.retrieve(id)
  if (invoice_url === null) throw new Error('the late subscription has no invoice')
  await refillWallet(facts, member)
  const order = await client.payer.quote(invoice_url.split('/').at(-1) ?? '')
  const send = await invoicePayment(member, order)
  await client.sandbox.setFaults({ lag: { ledgers: 200 } })
  await send()
  await advanceTo(timeOf(6, 17, 12, 10))
  await client.sandbox.setFaults({})
  await advanceTo(timeOf(6, 17, 12, 15))
}
