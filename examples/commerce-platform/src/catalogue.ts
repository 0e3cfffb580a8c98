import type { Billing, CommandContext } from '@quittance/billing'
import { asText, CurrencyCode, count, ProductType, positiveCount, RecurringPeriod, unixMs } from '@quittance/domain'
import type { Orders, Sku } from './orders.ts'
import { decoded, done } from './results.ts'

/** A command under a name: the same name is the same command, also after a restart. */
export const named =
  (orders: Orders, merchantId: string) =>
  (name: string): CommandContext => {
    const { id, at } = orders.command(name)
    const common = { commandId: id, correlationId: id, causationId: null, actor: 'shop', at: unixMs(at) }
    return { ...common, merchantId, environment: 'testnet' }
  }

/** The shop as a merchant, and what it sells. Every start finds what the first one created. */
export const openCatalogue = async ({ merchants, products }: Billing, orders: Orders) => {
  const { merchantId } = await done(merchants.create(named(orders, '')('the merchant'), asText('Ada & Co')))
  const command = named(orders, merchantId)
  const common = {
    description: null,
    images: [],
    currency: decoded(CurrencyCode.decode('EUR')),
    assetId: null,
    trialDays: null,
    unit: null,
    unitsPerCredit: positiveCount(1),
    totalCredits: count(0),
    metadata: {},
  }
  const book = await done(
    products.create(command('the book'), {
      ...common,
      name: asText('The Art of the Ledger'),
      type: decoded(ProductType.decode('one_time')),
      price: { amount: '12.5', amountCents: null },
      recurringPeriod: null,
    }),
  )
  const club = await done(
    products.create(command('the club'), {
      ...common,
      name: asText('A book each month'),
      type: decoded(ProductType.decode('subscription')),
      price: { amount: '10', amountCents: null },
      recurringPeriod: decoded(RecurringPeriod.decode('month')),
    }),
  )
  const productIds: Readonly<Record<Sku, string>> = { book: book.id, club: club.id }
  return { scope: { merchantId, environment: 'testnet' } as const, command, productIds }
}
