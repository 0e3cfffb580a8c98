import { payableReference } from '@quittance/billing/testing/internals'
import { options } from '@quittance/billing/testing/shop'
import { walletsOn } from '@quittance/billing/testing/wallets'
import { CheckoutId, decimalFromStroops, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { priceOf, walletNumbers } from './fixture.ts'
import type { Move } from './move.ts'
import type { Request, Requests } from './requests.ts'
import type { Stage } from './stage.ts'

/** Another merchant, whose customers pay the price at once. */
export const neighbourMoves = (
  { random, fixture: { neighbour }, network, faultFree, submitDirectly }: Stage,
  { put }: Requests,
): ReadonlyArray<Move> => {
  if (neighbour === null) return []
  const { merchantId, account: to } = neighbour
  const wallets = walletNumbers.map(walletsOn(network).again)
  const unpaid: Array<Request> = []
  // A price in the asset itself, which needs no rate.
  const price = { amount: decimalFromStroops(stroops(priceOf.USDC)), amountCents: null }
  const sell = (): void => {
    const request = put(
      'a session of the neighbour',
      ({ checkouts }, context) => checkouts.createDirect(context, price, network.usdc.assetId, options()),
      ({ id }) => id,
      merchantId,
    )
    unpaid.push(request)
  }
  const pay = async (): Promise<void> => {
    const index = unpaid.findIndex(({ answers }) => answers.length > 0)
    const [id] = unpaid.splice(index, index < 0 ? 0 : 1).flatMap(({ answers }) => answers)
    if (id === undefined) {
      sell()
      return
    }
    const memo = await payableReference(faultFree, 'testnet', decoded(CheckoutId, id))
    const payment = { to, asset: network.usdc.assetId, parts: [stroops(priceOf.USDC)], memo }
    submitDirectly(random.oneOf(wallets).signedPayment(payment, 0))
  }
  return [
    { name: 'a sale of the neighbour', weight: 4, act: sell },
    { name: 'a payment to the neighbour', weight: 10, act: pay },
  ]
}
