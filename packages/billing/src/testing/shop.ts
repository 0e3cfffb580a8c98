import { randomUUID } from 'node:crypto'
import { asText, CurrencyCode, count, MerchantId as Merchant, type MerchantId, positiveCount } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { NewProduct } from '../features/products/create.ts'
import type { CommandContext } from '../kernel/execute.ts'
import { done } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'

/** A command of a merchant, given now and for the first time. */
export const command = (
  { services }: TestPlatform,
  merchantId: string,
  changed: Partial<CommandContext> = {},
): CommandContext => {
  const commandId = randomUUID()
  return {
    merchantId,
    environment: 'testnet',
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'test',
    at: services.clock.now('testnet'),
    ...changed,
  }
}

export const openShop = async (platform: TestPlatform): Promise<MerchantId> => {
  const { merchantId: _, ...context } = command(platform, '')
  const { merchantId } = await done(platform.billing.merchants.create(context, asText('A Shop')))
  return decoded(Merchant, merchantId)
}

/** A book for 10 USD in the given asset; a test changes what it is about. */
export const book = (assetId: string | null = null): NewProduct => ({
  name: asText('A book'),
  description: null,
  images: [],
  type: 'one_time',
  currency: decoded(CurrencyCode, 'USD'),
  price: { amount: '10', amountCents: null },
  assetId,
  recurringPeriod: null,
  trialDays: null,
  unit: null,
  unitsPerCredit: positiveCount(1),
  totalCredits: count(0),
  metadata: {},
})

export const guest = { id: null, email: null, phone: null }
export const options = (customer: { id: string | null; email: string | null; phone: string | null } = guest) => ({
  customer,
  redirectUrl: null,
  description: null,
  metadata: {},
})

export const someone = (email: string | null, name = 'Ada Lovelace', phone: string | null = null) => ({
  email,
  name,
  phone,
  image: null,
  metadata: {},
})
