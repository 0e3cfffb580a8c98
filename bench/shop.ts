import { execFileSync } from 'node:child_process'
import { NewCustomers } from '@quittance/client/wire'
import { asText } from '@quittance/domain'
import { configFrom, openPlatform } from '@quittance/host'
import type { ServiceProcess } from '@quittance/http/testing/child-process'
import * as E from 'fp-ts/lib/Either.js'
import type { Load } from './load.ts'

const batch = 100
const batchesAtOnce = 128
/** More than a service remembers at once. */
const othersAsked = 6_000

const rightOf = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}

/** Makes a merchant with so many customers in a data directory, through the core, before it is served. */
export const withCustomers = async (dataDir: string, customers: number): Promise<void> => {
  const config = rightOf(configFrom({ QUITTANCE_DATA_DIR: dataDir, QUITTANCE_LOG_LEVEL: 'silent' }))
  const { billing, clock, close } = rightOf(await openPlatform(config))
  const context = () => {
    const commandId = billing.freshId()
    const rest = { correlationId: commandId, causationId: null, actor: 'bench', at: clock.now() }
    return { environment: 'testnet' as const, commandId, ...rest }
  }
  const { merchantId } = rightOf(await billing.merchants.create(context(), asText('Bench'))())
  let next = 0
  const work = async (): Promise<void> => {
    while (next < customers) {
      const from = next
      next += batch
      const bodies = Array.from({ length: batch }, (_, n) => ({ email: `c${from + n}@shop.example`, name: 'Ada' }))
      const { all } = rightOf(NewCustomers.decode(bodies))
      rightOf(await billing.customers.createAll({ ...context(), merchantId, isFirstRun: true }, all)())
    }
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, work))
  await close()
}

/** Ids of the newest customers of a shop. */
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
 * The requests that are measured, of a shop that has sold one product to one customer: by whom access is asked for again
 * and again. Where there are many other customers, also access of them in turn.
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

/** The memory that a process holds, in MiB. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
