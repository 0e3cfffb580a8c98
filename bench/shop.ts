import { execFileSync } from 'node:child_process'
import { done, right } from '@quittance/billing/testing/outcomes'
import { NewCustomers } from '@quittance/client/wire'
import type { ServiceProcess } from '@quittance/http/testing/child-process'
import type { Load } from './load.ts'
import { openBenchPlatform } from './platform.ts'

const batch = 100
const batchesAtOnce = 128
/** More than a service caches. */
const othersAsked = 6_000

/** Creates a merchant with this many customers in a data directory, through billing, before it is served. */
export const withCustomers = async (dataDir: string, customers: number): Promise<void> => {
  const { billing, newContext, close } = await openBenchPlatform(dataDir)
  let next = 0
  const work = async (): Promise<void> => {
    while (next < customers) {
      const from = next
      next += batch
      const bodies = Array.from({ length: batch }, (_, n) => ({ email: `c${from + n}@shop.example`, name: 'Ada' }))
      const { all } = right(NewCustomers.decode(bodies))
      await done(billing.customers.createAll(newContext(), all))
    }
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, work))
  await close()
}

/** Ids of a shop's newest customers. */
const newestCustomers = async (api: ServiceProcess['api']): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let hasMore = true; hasMore && ids.length < othersAsked; ) {
    const after = ids.length === 0 ? '' : `&starting_after=${ids.at(-1)}`
    const { data, has_more } = (await api(`/customers?limit=100${after}`)).body.data
    for (const { id } of data) ids.push(String(id))
    hasMore = has_more
  }
  return ids
}

/**
 * The measured requests, in a shop that has sold one product to one customer, whose access is asked for repeatedly;
 * with many other customers, also theirs in turn.
 */
export const loadsOf = async ({ api, url, facts }: ServiceProcess): Promise<Readonly<Record<string, Load>>> => {
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const product = (await api('/product', { body: book })).body.data
  const sold = { product_id: product.id, customer_email: 'ada@shop.example' }
  const checkout = (await api('/checkout?type=product', { body: sold })).body.data
  await api('/sandbox/pay', { body: { checkout_id: checkout.id } })
  const { payment_id: paymentId, status } = (await api(`/checkout/${checkout.id}`)).body.data
  if (status !== 'completed') throw new Error(`the sale is ${status}`)
  const headers = { 'x-api-key': facts.api_key }
  const others = await newestCustomers(api)
  const paths = others.map((id) => `/customers/${id}/access/${product.id}`)
  return {
    ...(paths.length < othersAsked ? {} : { 'GET access in turn': { url, paths, headers } }),
    'GET access': { url: `${url}/customers/${checkout.customer_id}/access/${product.id}`, headers },
    'GET payment': { url: `${url}/payment/${paymentId}`, headers },
    'POST customers': { url: `${url}/customers`, headers, body: '{"email":"[<id>]@shop.example","name":"Ada"}' },
    'POST checkout': { url: `${url}/checkout?type=product`, headers, body: JSON.stringify({ product_id: product.id }) },
  }
}

/** A process's resident memory, in MiB. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
