/**
 * A first sale with HTTP and the Stellar SDK alone: a merchant creates a product and a checkout, a customer pays from
 * their own wallet, and the merchant sees the payment and the customer's access.
 *
 * Start the service first (`npm start`), then run `npm run example` beside it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Asset, BASE_FEE, Keypair, Operation, rpc, TransactionBuilder } from '@stellar/stellar-sdk'

const dataDir = process.env.QUITTANCE_DATA_DIR ?? 'data'
const service = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))

const api = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.base_url}${path}`, {
    method,
    headers: { 'x-api-key': service.api_key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.code}: ${answer.error}`)
  return answer
}

// The merchant sells a book for 12.50 EUR.
const { data: product } = await api('POST', '/product', {
  name: 'The Art of the Ledger',
  type: 'one_time',
  currency_code: 'EUR',
  price_amount: 12.5,
})
console.log(`product   ${product.id}  ${product.name}, ${product.price_amount} ${product.currency_code}`)

const { data: checkout } = await api('POST', '/checkout?type=product', {
  product_id: product.id,
  customer_email: `ada.${Date.now()}@example.com`,
})
console.log(`checkout  ${checkout.id}  ${checkout.payment_url}`)

// The customer has a wallet: funded, and holding the asset that the checkout settles in.
const { data: quote } = await api('GET', `/pay/${checkout.id}/quote`)
const [code, issuer] = quote.asset_id.split(':')
console.log(`quote     ${quote.amount} ${code} to ${quote.destination}, memo ${quote.memo}`)

const wallet = Keypair.random()
const ledger = new rpc.Server(service.rpc_url, { allowHttp: true })
const friendbot = (asset = '') => fetch(`${service.friendbot_url}?addr=${wallet.publicKey()}${asset}`)

const onTheLedger = async (hash: string) => {
  for (let tries = 0; tries < 60; tries++) {
    const { status } = await ledger.getTransaction(hash)
    if (status === 'SUCCESS') return
    if (status === 'FAILED') throw new Error(`transaction ${hash} failed`)
    await pause(250)
  }
  throw new Error(`transaction ${hash} was not seen in time`)
}

await friendbot()
const { closeTime } = await ledger.getLatestLedger()
const trust = new TransactionBuilder(await ledger.getAccount(wallet.publicKey()), {
  fee: BASE_FEE,
  networkPassphrase: service.network_passphrase,
  timebounds: { minTime: 0, maxTime: Number(closeTime) + 300 },
})
  .addOperation(Operation.changeTrust({ asset: new Asset(code, issuer) }))
  .build()
trust.sign(wallet)
await onTheLedger((await ledger.sendTransaction(trust)).hash)
await friendbot(`&asset=${quote.asset_id}`)
console.log(`wallet    ${wallet.publicKey()}  holds ${code}`)

// The service builds the payment, the wallet signs it, the service relays it. A wallet can also send the amount to the
// address with the memo by itself.
const { data: built } = await api('POST', `/pay/${checkout.id}/transaction`, { source_account: wallet.publicKey() })
const transaction = TransactionBuilder.fromXDR(built.transaction_xdr, built.network_passphrase)
transaction.sign(wallet)
const { data: sent } = await api('POST', `/pay/${checkout.id}/submit`, { transaction_xdr: transaction.toXDR() })
console.log(`sent      ${sent.transaction_hash}`)

let paid = checkout
for (let tries = 0; paid.status === 'open' && tries < 120; tries++) {
  await pause(250)
  paid = (await api('GET', `/checkout/${checkout.id}`)).data
}
if (paid.status !== 'completed') throw new Error(`the checkout is ${paid.status}`)

const { data: payment } = await api('GET', `/payment/${paid.payment_id}`)
console.log('payment  ', JSON.stringify(payment, null, 2))
const access = await api('GET', `/customers/${paid.customer_id}/access/${product.id}`)
console.log('access   ', JSON.stringify(access, null, 2))
if (payment.status !== 'confirmed' || access.has_access !== true) process.exit(1)
