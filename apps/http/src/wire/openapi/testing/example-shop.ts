import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import type { HttpResponse } from '../../../testing/client.ts'
import { provenDestination } from '../../../testing/destination.ts'
import { openKeyedShop } from '../../../testing/keyed-shop.ts'
import { codeTo } from '../../../testing/mails.ts'
import type { Operator } from '../../../testing/operator.ts'
import { completed, openSale } from '../../../testing/sale.ts'
import type { Service } from '../../../testing/service.ts'
import { newPlan, subscribe } from '../../../testing/subscriber.ts'
import { fundedWallet } from '../../../testing/wallet.ts'
import { exampleTeam } from './example-team.ts'

const dataOf = async (answer: Promise<HttpResponse>): Promise<HttpResponse['body']> => {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

const signedBy = (owner: Keypair, { transaction, network_passphrase }: HttpResponse['body']): string => {
  const challenge = TransactionBuilder.fromXDR(transaction, network_passphrase)
  challenge.sign(owner)
  return challenge.toXDR()
}

/** A merchant's shop, and the resources that examples of requests are about, made anew for each. */
export const openExampleShop = async (service: Service, operator: Operator) => {
  const { api, anyone, facts, url } = service
  const shop = await openKeyedShop(service)
  let made = 0
  const newEmail = (): string => `person-${++made}@example-shop.example`
  const product = async (): Promise<string> =>
    (
      await dataOf(
        api('/product', { body: { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 } }),
      )
    ).id
  const customer = async (email = newEmail()): Promise<string> =>
    (await dataOf(api('/customers', { body: { email, name: 'A person' } }))).id
  const checkout = async (): Promise<string> =>
    (await dataOf(api('/checkout?type=direct', { body: { amount: 5, currency_code: 'USD' } }))).id
  const payment = async (): Promise<string> => {
    const id = await checkout()
    await dataOf(api('/sandbox/pay', { body: { checkout_id: id } }))
    return (await completed(service, id)).payment_id
  }
  const funded = async (): Promise<void> => {
    const sale = await openSale(service, { amount: 50, currency_code: 'XLM' })
    const wallet = await fundedWallet(facts)
    await wallet.pay(sale)
    await completed(service, sale.id)
  }
  const walletProof = async () => {
    const [path, owner] = [`/customers/${await customer()}`, Keypair.random()]
    const asked = await dataOf(api(`${path}/wallets`, { body: { address: owner.publicKey() } }))
    return { path, owner, transaction: signedBy(owner, asked) }
  }
  const visit = async (email = newEmail(), owner?: string) => {
    const id = owner ?? (await customer(email))
    const session = await dataOf(api(`/customers/${id}/portal`, { method: 'POST' }))
    const entered = await fetch(session.url, { redirect: 'manual' })
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await (await fetch(`${url}/portal`, { headers: { cookie } })).text()
    return { email, cookie, form_token: /name="form_token" value="(\w+)"/.exec(page)?.[1] ?? '' }
  }
  const approval = async (): Promise<string> => {
    await funded()
    await dataOf(api('/limits', { method: 'PUT', body: { scope: 'merchant', amount: '0.01' } }))
    const destination = await provenDestination(service, shop.payTo)
    return (await dataOf(api('/payouts', { body: { asset_id: 'native', amount: '5', destination } }))).approval_id
  }
  return {
    merchant_id: facts.merchant_id,
    product,
    plan: () => newPlan(api),
    customer,
    checkout,
    payment,
    credits: shop.credits,
    exception: shop.strayed,
    subscription: () => subscribe(api, { customer_email: newEmail() }),
    webhook: async (): Promise<string> =>
      (await dataOf(api('/webhooks', { body: { name: 'E', url: 'https://shop.example/hook', events: ['*'] } }))).id,
    destination: () => provenDestination(service, shop.payTo),
    funded,
    walletProof,
    /** The signature of a wallet that a customer has proven before. */
    portalProof: async (): Promise<string> => {
      const { path, owner, transaction } = await walletProof()
      await dataOf(api(`${path}/wallets/verify`, { body: { transaction } }))
      return signedBy(owner, await dataOf(api('/portal/wallets', { body: { address: owner.publicKey() } })))
    },
    destinationProof: async () => {
      const owner = Keypair.random()
      const asked = await dataOf(api('/payout_destinations', { body: { address: owner.publicKey() } }))
      return { id: asked.id, transaction: signedBy(owner, asked.challenge) }
    },
    /** The signature of an account that holds all assets. */
    accountProof: async (): Promise<string> => {
      const owner = Keypair.random()
      const assets = facts.assets.flatMap(({ asset_id }) => (asset_id === 'native' ? [] : [asset_id]))
      await fundedWallet(facts, assets, owner)
      return signedBy(owner, await dataOf(api('/settlement/account', { body: { address: owner.publicKey() } })))
    },
    payer: async (): Promise<string> => shop.payTo.address,
    signedPayment: async () => {
      const id = await checkout()
      const body = { source_account: shop.payTo.address }
      const { transaction_xdr } = await dataOf(anyone(`/pay/${id}/transaction`, { body }))
      return { id, transaction_xdr: shop.payTo.sign(transaction_xdr) }
    },
    visit,
    subscriber: async () => {
      const id = await subscribe(api, { customer_email: newEmail() })
      const { customer_id } = await dataOf(api(`/subscriptions/${id}`))
      return { id, ...(await visit(undefined, customer_id)) }
    },
    /** A change of email that waits for both codes. */
    emailChange: async () => {
      const { email, cookie, form_token } = await visit()
      const to = newEmail()
      const body = new URLSearchParams({ email: to, form_token })
      const asked = await fetch(`${url}/portal/email`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body,
      })
      const change_id = new URLSearchParams(asked.headers.get('location')?.split('?')[1]).get('change_id') ?? ''
      const [new_code, old_code] = [await codeTo(service, to), await codeTo(service, email)]
      return { cookie, fields: { change_id, new_code, old_code, form_token } }
    },
    code: async () => {
      const email = newEmail()
      await customer(email)
      const body = { merchant_id: facts.merchant_id, environment: 'testnet', email }
      const { id } = await dataOf(anyone('/portal/entry', { body }))
      return { entry_id: id, code: await codeTo(service, email) }
    },
    approval,
    team: exampleTeam(service, operator),
    /** The token of another person, who decides. */
    clerk: async (): Promise<string> =>
      (await operator.createKey(facts.merchant_id, { scopes: ['approvals:read', 'approvals:write'] })).secret,
  }
}

export type ExampleShop = Awaited<ReturnType<typeof openExampleShop>>
