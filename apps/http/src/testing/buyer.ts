import { setTimeout as pause } from 'node:timers/promises'
import { type Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import type { HttpResponse } from './client.ts'
import type { Service } from './service.ts'
import { walletOn } from './wallet.ts'

/** How a sale is paid: directly on the ledger, or through the service, in one part or two. */
export type Way = 'rpc' | 'rpc in parts' | 'signed and submitted' | 'built and submitted'
export const ways: ReadonlyArray<Way> = ['rpc', 'rpc in parts', 'signed and submitted', 'built and submitted']

/** The knowledge of merchant and payer about a sale, which survives the service. */
export type Sale = {
  readonly name: string
  readonly way: Way
  productId: string | null
  checkoutId: string | null
  customerId: string | null
  /** Signed envelopes, in the order of sending. None is ever replaced. */
  readonly envelopes: Array<{ readonly xdr: string; readonly hash: string }>
  isCompleted: boolean
}

export const newSale = (name: string, way: Way): Sale => ({
  name,
  way,
  productId: null,
  checkoutId: null,
  customerId: null,
  envelopes: [],
  isCompleted: false,
})

type Reached = Pick<Service, 'api' | 'anyone' | 'facts'>

const dataOf = ({ status, body }: HttpResponse): HttpResponse['body'] => {
  if (status === 200) return body.data
  throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
}

/** An answer that repeated requests must get again. */
const same = (known: string | null, answered: string): string => {
  if (known !== null && known !== answered) throw new Error(`${known} became ${answered}`)
  return answered
}

const halves = (amount: string): ReadonlyArray<string> => {
  const stroops = Math.round(Number(amount) * 1e7)
  const first = Math.floor(stroops / 3)
  return [first, stroops - first].map((part) => (part / 1e7).toFixed(7))
}

/**
 * Completes a sale from any state: repeats requests under their keys, and resends the same signed bytes. Throws when
 * the service is gone; the caller then starts again with the next one.
 */
export const drive = async ({ api, anyone, facts }: Reached, sale: Sale, keypair: Keypair): Promise<void> => {
  const wallet = walletOn(facts, keypair)
  const keyed = (step: string, path: string, body: object) =>
    api(path, { body, headers: { 'idempotency-key': `${sale.name} ${step}` } })

  const product = { name: sale.name, type: 'one_time', currency_code: 'EUR', price_amount: 2 }
  const productId = same(sale.productId, dataOf(await patiently(() => keyed('product', '/product', product))).id)
  sale.productId = productId
  const session = { product_id: productId, customer_email: `${sale.name}@kill.example` }
  const open = () => keyed('checkout', '/checkout?type=product', session)
  const checkout = dataOf(await patiently(open))
  const checkoutId = same(sale.checkoutId, checkout.id)
  sale.checkoutId = checkoutId
  sale.customerId = same(sale.customerId, checkout.customer_id)

  const keep = (xdr: string) => {
    const transaction = TransactionBuilder.fromXDR(xdr, facts.network_passphrase)
    sale.envelopes.push({ xdr, hash: Buffer.from(transaction.hash()).toString('hex') })
  }
  const quote = dataOf(await patiently(() => anyone(`/pay/${checkoutId}/quote`)))
  const parts: ReadonlyArray<string> = sale.way === 'rpc in parts' ? halves(quote.amount) : [quote.amount]
  for (const [index, amount] of parts.entries()) {
    if (sale.envelopes[index] === undefined) {
      const order = { destination: quote.destination, assetId: quote.asset_id, amount, memo: quote.memo }
      const source = { body: { source_account: wallet.address } }
      keep(
        sale.way === 'built and submitted'
          ? wallet.sign(dataOf(await patiently(() => anyone(`/pay/${checkoutId}/transaction`, source))).transaction_xdr)
          : (await wallet.payment(order)).toXDR(),
      )
    }
    const envelope = sale.envelopes[index]
    if (envelope === undefined) throw new Error('nothing was signed')
    const send = sale.way.startsWith('rpc')
      ? () => wallet.ledger.sendTransaction(TransactionBuilder.fromXDR(envelope.xdr, facts.network_passphrase))
      : () => anyone(`/pay/${checkoutId}/submit`, { body: { transaction_xdr: envelope.xdr } })
    await included(send, async () => (await wallet.ledger.getTransaction(envelope.hash)).status)
  }
  while (dataOf(await api(`/checkout/${checkoutId}`)).status === 'open') await pause(50)
  sale.isCompleted = true
}

/** Retries while an earlier run holds the key, or the service cannot answer. */
const patiently = async (ask: () => Promise<HttpResponse>): Promise<HttpResponse> => {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 && answer.body.code !== 'request_in_progress') return answer
    await pause(100)
  }
}

/** Resends the same bytes until a ledger holds them. */
const included = async (send: () => Promise<unknown>, statusOf: () => Promise<string>): Promise<void> => {
  for (let looks = 0; looks < 600; looks++) {
    if (looks % 20 === 0) await send()
    const status = await statusOf()
    if (status === 'SUCCESS') return
    if (status === 'FAILED') throw new Error('a payment failed on the ledger')
    await pause(50)
  }
  throw new Error('a payment never came to the ledger')
}
