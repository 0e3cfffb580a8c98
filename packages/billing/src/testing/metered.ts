import { asText, count, positiveCount } from '@quittance/domain'
import { done, present } from './outcomes.ts'
import { book, command, options, someone } from './shop.ts'
import type { StoreFront } from './store-front.ts'
import { units } from './wallets.ts'

let customers = 0

/** A metered product: 100 credits of 10 calls each for 10 USDC. */
export const meteredShop = ({ platform, merchantId, billing, network, pay, scope }: StoreFront) => {
  const product = async (changed: { credits?: number; perCredit?: number } = {}) => {
    const { credits = 100, perCredit = 10 } = changed
    const created = await done(
      billing.products.create(command(platform, merchantId), {
        ...book(network.usdc.assetId),
        type: 'metered',
        unit: asText('call'),
        unitsPerCredit: positiveCount(perCredit),
        totalCredits: count(credits),
      }),
    )
    return created.id
  }
  const customer = async () => {
    const email = `customer-${customers++}@example.org`
    const [made] = await done(billing.customers.createAll(command(platform, merchantId), [someone(email)]))
    return present(made).id
  }
  const open = async (customerId: string, productId: string) =>
    (
      await done(
        billing.checkouts.createForProduct(
          command(platform, merchantId),
          productId,
          options({ id: customerId, email: null, phone: null }),
        ),
      )
    ).id
  return {
    product,
    customer,
    open,
    /** Lets a customer buy once, and answers the payment's id. */
    buy: async (customerId: string, productId: string): Promise<string> => {
      const checkoutId = await open(customerId, productId)
      await pay(checkoutId, [units(10)])
      return present((await done(billing.checkouts.retrieve(scope, checkoutId))).payment_id)
    },
  }
}
