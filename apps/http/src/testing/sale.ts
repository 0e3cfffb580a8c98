import { eventually } from './eventually.ts'
import type { Service } from './service.ts'

/** A checkout to be paid, with its quote; of a fixed amount of an asset, unless it is of something else. */
export const openSale = async (
  { api, anyone }: Pick<Service, 'api' | 'anyone'>,
  body: object = { amount: 5, currency_code: 'XLM' },
  type: 'product' | 'direct' = 'direct',
) => {
  const { data: checkout } = (await api(`/checkout?type=${type}`, { body })).body
  const { data: quote } = (await anyone(`/pay/${checkout.id}/quote`)).body
  const id: string = checkout.id
  const destination: string = quote.destination
  return { id, checkout, quote, destination, assetId: String(quote.asset_id), amount: String(quote.amount_due) }
}

/** The checkout once it is completed. */
export const completed = async ({ api }: Pick<Service, 'api'>, id: string) =>
  (
    await eventually(
      () => api(`/checkout/${id}`),
      ({ body }) => body.data.status === 'completed',
    )
  ).body.data

/** Resolves once the service has read every ledger that was closed at the time of the call. */
export const ledgerIsIngested = async ({ anyone }: Pick<Service, 'anyone'>): Promise<void> => {
  const { latest } = (await anyone('/ready')).body.ledgers.testnet
  await eventually(
    () => anyone('/ready'),
    ({ body }) => body.ledgers.testnet.walked >= latest,
  )
}
