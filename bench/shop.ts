import { execFileSync } from 'node:child_process'
import type { ServiceProcess } from '@quittance/http/testing/child-process'
import type { Load } from './load.ts'

/** The measured requests, in a shop that has sold one product to one customer, whose access is asked for repeatedly. */
export const loadsOf = async ({ api, url, facts }: ServiceProcess): Promise<Readonly<Record<string, Load>>> => {
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const product = (await api('/product', { body: book })).body.data
  const sold = { product_id: product.id, customer_email: 'ada@shop.example' }
  const checkout = (await api('/checkout?type=product', { body: sold })).body.data
  await api('/sandbox/pay', { body: { checkout_id: checkout.id } })
  const { payment_id: paymentId, status } = (await api(`/checkout/${checkout.id}`)).body.data
  if (status !== 'completed') throw new Error(`the sale is ${status}`)
  const headers = { 'x-api-key': facts.api_key }
  return {
    'GET access': { url: `${url}/customers/${checkout.customer_id}/access/${product.id}`, headers },
    'GET payment': { url: `${url}/payment/${paymentId}`, headers },
    'POST customers': { url: `${url}/customers`, headers, body: '{"email":"[<id>]@shop.example","name":"Ada"}' },
    'POST checkout': { url: `${url}/checkout?type=product`, headers, body: JSON.stringify({ product_id: product.id }) },
  }
}

/** A process's resident memory, in MiB. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
