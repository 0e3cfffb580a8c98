import { eventually } from './eventually.ts'
import { readinessAt } from './readiness.ts'
import type { Service } from './service.ts'

/** A checkout with its quote; of a fixed amount, unless `body` says otherwise. */
export const openSale = async (
  { api, anyone }: Pick<Service, 'api' | 'anyone'>,
  body: object = { amount: 5, currency_code: 'XLM' },
  type: 'product' | 'direct' = 'direct',
) => {
  const { data: checkout } = (await api(`/checkout?type=${type}`, { body })).body
  const { data: quote } = (await anyone(`/pay/${checkout.id}/quote`)).body
  const id: string = checkout.id
  const destination: string = quote.destination
  const paid = { assetId: String(quote.asset_id), amount: String(quote.amount_due), memo: String(quote.memo) }
  return { id, checkout, quote, destination, ...paid }
}

/** Waits until the checkout is completed. */
export const completed = async ({ api }: Pick<Service, 'api'>, id: string) =>
  (
    await eventually(
      () => api(`/checkout/${id}`),
      ({ body }) => body.data.status === 'completed',
    )
  ).body.data

/** Waits until the service has ingested every ledger that is closed now. */
export const ledgerIsIngested = async ({ url }: Pick<Service, 'url'>): Promise<void> => {
  const { latest } = (await readinessAt(url)).body.ledgers.testnet
  await eventually(
    () => readinessAt(url),
    ({ body }) => body.ledgers.testnet.walked >= latest,
  )
}
