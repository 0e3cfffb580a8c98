import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import type { Client, HttpResponse } from './client.ts'
import { provenDestination } from './destination.ts'
import type { KeyedRequest } from './killable.ts'
import { newPlan, subscribe } from './subscriber.ts'

/**
 * The setting of a command: the key of a merchant, a customer with prepaid credits, a new open exception of 5 XLM for
 * each call, a payable wallet, and one that nobody proves.
 */
export type Shop = {
  readonly api: Client
  readonly credits: string
  readonly strayed: () => Promise<string>
  readonly elsewhere: string
  readonly payTo: { readonly address: string; readonly sign: (transaction: string) => string }
}

/** A command that takes an idempotency key. */
export type KeyedCommand = {
  readonly route: string
  readonly how: string
  /** Prepares the resources of the command, and its request. `tag` identifies all effects. */
  readonly given: (shop: Shop, tag: string) => Promise<Omit<KeyedRequest, 'key'>>
}

const send = (method: string, path: string, body?: object): Omit<KeyedRequest, 'key'> => ({
  method,
  path,
  body: body === undefined ? undefined : JSON.stringify(body),
})

const made = async (answer: Promise<HttpResponse>): Promise<HttpResponse['body']> => {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

const book = (tag: string) => ({ name: tag, type: 'one_time', currency_code: 'EUR', price_amount: 12.5 })
const person = (tag: string) => ({ email: `${tag}@kill.example`, name: tag })
const hook = (tag: string) => ({ name: tag, url: `https://${tag}.example/hook`, events: ['payment.confirmed'] })
const amount = (tag: string) => ({ amount: 5, currency_code: 'USD', metadata: { tag } })
const dearer = { price_amount: 9, effective_at: '2099-01-01T00:00:00Z' }
const phoneOf = (tag: string) => `+1555${Buffer.from(tag).toString('hex').replace(/\D/g, '').padStart(20, '0')}`

const newProduct = async ({ api }: Shop, tag: string) =>
  `/product/${(await made(api('/product', { body: book(tag) }))).id}`
const newPerson = async ({ api }: Shop, tag: string) => (await made(api('/customers', { body: person(tag) }))).id
const pathOfNew = async (shop: Shop, tag: string) => `/customers/${await newPerson(shop, tag)}`
/** Suspended, so that nothing is delivered. */
const newSilentHook = async (shop: Shop, tag: string) => {
  const path = await newHook(shop, tag)
  await made(shop.api(path, { method: 'PUT', body: { is_disabled: true } }))
  return path
}
const newHook = async ({ api }: Shop, tag: string) =>
  `/webhooks/${(await made(api('/webhooks', { body: hook(tag) }))).id}`
const newSubscription = async ({ api }: Shop, tag: string) =>
  `/subscriptions/${await subscribe(api, { customer_email: person(tag).email })}`

/** A customer and a signed wallet challenge. */
const newProof = async (shop: Shop, tag: string) => {
  const [path, owner] = [await pathOfNew(shop, tag), Keypair.random()]
  const asked = await made(shop.api(`${path}/wallets`, { body: { address: owner.publicKey() } }))
  return { path, transaction: signedBy(owner, asked), owner }
}
const signedBy = (owner: Keypair, asked: HttpResponse['body']): string => {
  const challenge = TransactionBuilder.fromXDR(asked.transaction, asked.network_passphrase)
  challenge.sign(owner)
  return challenge.toXDR()
}

/** An unproven payout destination, its address and its signed challenge. */
const newDestination = async ({ api }: Shop, tag: string) => {
  const owner = Keypair.random()
  const asked = await made(api('/payout_destinations', { body: { address: owner.publicKey(), label: tag } }))
  return { id: asked.id, transaction: signedBy(owner, asked.challenge) }
}

const direct = '/checkout?type=direct'

/**
 * Tested elsewhere, because runs would disturb each other: the worker may send a payout before its cancellation
 * (billing kills that), an asset has one schedule and a merchant one account (billing's own-account tests), and a limit
 * holds up the payouts of all (billing's tests of approvals). `PUT
 * /settlement` answers the current state of the ledger, not an earlier one.
 */
export const keyedElsewhere: ReadonlyArray<string> = [
  'POST /payouts/{id}/cancel',
  'DELETE /payout_schedules/{asset_id}',
  'POST /settlement/account/verify',
  'PUT /settlement',
  'PUT /limits',
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/reject',
]

/** Every effect of a keyed command. The test checks that all commands of the reference are here. */
export const keyedCommands: ReadonlyArray<KeyedCommand> = [
  { route: 'POST /product', how: 'created', given: async (_, tag) => send('POST', '/product', book(tag)) },
  {
    route: 'PUT /product/{id}',
    how: 'changed in three ways at once',
    given: async (shop, tag) =>
      send('PUT', await newProduct(shop, tag), { description: tag, price_amount: 9, status: 'archived' }),
  },
  {
    route: 'DELETE /product/{id}',
    how: 'archived',
    given: async (shop, tag) => send('DELETE', await newProduct(shop, tag)),
  },
  {
    route: 'POST /customers',
    how: 'one with email and phone',
    given: async (_, tag) => send('POST', '/customers', { ...person(tag), phone: phoneOf(tag) }),
  },
  {
    route: 'POST /customers',
    how: 'a batch of three',
    given: async (_, tag) =>
      send(
        'POST',
        '/customers',
        ['one', 'two', 'three'].map((n) => person(`${tag}.${n}`)),
      ),
  },
  {
    route: 'PUT /customers/{id}',
    how: 'with a new email',
    given: async (shop, tag) => send('PUT', await pathOfNew(shop, tag), { email: `${tag}@new.example` }),
  },
  {
    route: 'POST /customers/{id}/merge',
    how: 'into another',
    given: async (shop, tag) => {
      const into = await newPerson(shop, `${tag}.into`)
      return send('POST', `${await pathOfNew(shop, tag)}/merge`, { into, reason: tag })
    },
  },
  {
    route: 'DELETE /customers/{id}',
    how: 'with what is known of them',
    given: async (shop, tag) => send('DELETE', await pathOfNew(shop, tag)),
  },
  {
    route: 'POST /checkout',
    how: 'of a product, for a new email',
    given: async (shop, tag) => {
      const id = (await newProduct(shop, tag)).split('/')[2]
      const body = { product_id: id, customer_email: person(tag).email, metadata: { tag } }
      return send('POST', '/checkout?type=product', body)
    },
  },
  {
    route: 'POST /checkout',
    how: 'of an amount, for a new phone',
    given: async (_, tag) => send('POST', direct, { ...amount(tag), customer_phone: phoneOf(tag) }),
  },
  {
    route: 'POST /checkout',
    how: 'of an amount, for a customer by id',
    given: async (shop, tag) => send('POST', direct, { ...amount(tag), customer_id: await newPerson(shop, tag) }),
  },
  {
    route: 'POST /checkout',
    how: 'of an amount, for anyone',
    given: async (_, tag) => send('POST', direct, amount(tag)),
  },
  {
    route: 'POST /checkout/{id}/expire',
    how: 'ended',
    given: async ({ api }, tag) =>
      send('POST', `/checkout/${(await made(api(direct, { body: amount(tag) }))).id}/expire`),
  },
  {
    route: 'POST /customers/{id}/wallets',
    how: 'asked for a proof',
    given: async (shop, tag) =>
      send('POST', `${await pathOfNew(shop, tag)}/wallets`, { address: Keypair.random().publicKey() }),
  },
  {
    route: 'POST /customers/{id}/wallets/verify',
    how: 'proven',
    given: async (shop, tag) => {
      const { path, transaction } = await newProof(shop, tag)
      return send('POST', `${path}/wallets/verify`, { transaction })
    },
  },
  {
    route: 'DELETE /customers/{id}/wallets/{wallet}',
    how: 'unlinked',
    given: async (shop, tag) => {
      const { path, transaction } = await newProof(shop, tag)
      const { id } = await made(shop.api(`${path}/wallets/verify`, { body: { transaction } }))
      return send('DELETE', `${path}/wallets/${id}`)
    },
  },
  {
    route: 'POST /customers/{id}/portal',
    how: 'invited',
    given: async (shop, tag) => send('POST', `${await pathOfNew(shop, tag)}/portal`),
  },
  {
    route: 'POST /portal/wallets',
    how: 'asked to sign',
    given: async () => send('POST', '/portal/wallets', { address: Keypair.random().publicKey() }),
  },
  {
    route: 'POST /portal/wallets/verify',
    how: 'invited by a signature',
    given: async (shop, tag) => {
      const { path, transaction, owner } = await newProof(shop, tag)
      await made(shop.api(`${path}/wallets/verify`, { body: { transaction } }))
      const asked = await made(shop.api('/portal/wallets', { body: { address: owner.publicKey() } }))
      return send('POST', '/portal/wallets/verify', { transaction: signedBy(owner, asked) })
    },
  },
  {
    route: 'POST /customers/{id}/credits/{product}/consume',
    how: 'consumed',
    given: async ({ credits }, tag) => send('POST', `${credits}/consume`, { units: 3, metadata: { tag } }),
  },
  {
    route: 'POST /refunds',
    how: 'asked for',
    given: async ({ api }, tag) => {
      const { id } = await made(api(direct, { body: amount(tag) }))
      await made(api('/sandbox/pay', { body: { checkout_id: id } }))
      const { payment_id } = await made(api(`/checkout/${id}`))
      return send('POST', '/refunds', { payment_id, reason: tag })
    },
  },
  {
    route: 'POST /refunds/{id}/cancel',
    how: 'canceled while it waits',
    given: async ({ api, elsewhere }, tag) => {
      const { id } = await made(api(direct, { body: amount(tag) }))
      await made(api('/sandbox/pay', { body: { checkout_id: id } }))
      const { payment_id } = await made(api(`/checkout/${id}`))
      const wanted = { payment_id, wallet_address: elsewhere, reason: tag }
      return send('POST', `/refunds/${(await made(api('/refunds', { body: wanted }))).id}/cancel`)
    },
  },
  {
    route: 'POST /exceptions/{id}/cancel_return',
    how: 'canceled while it waits',
    given: async ({ api, elsewhere, strayed }, tag) => {
      const path = `/exceptions/${await strayed()}`
      await made(api(`${path}/resolve`, { body: { action: 'refund', destination: elsewhere, note: tag } }))
      return send('POST', `${path}/cancel_return`)
    },
  },
  {
    route: 'POST /exceptions/{id}/resolve',
    how: 'applied to a checkout',
    given: async ({ api, strayed }, tag) => {
      const { id } = await made(api(direct, { body: { amount: 5, currency_code: 'XLM', metadata: { tag } } }))
      return send('POST', `/exceptions/${await strayed()}/resolve`, { action: 'apply', checkout_id: id, note: tag })
    },
  },
  {
    route: 'POST /exceptions/{id}/resolve',
    how: 'kept',
    given: async ({ strayed }, tag) =>
      send('POST', `/exceptions/${await strayed()}/resolve`, { action: 'accept', note: tag }),
  },
  {
    route: 'PUT /subscriptions/{id}',
    how: 'changed in three ways at once',
    given: async (shop, tag) =>
      send('PUT', await newSubscription(shop, tag), {
        metadata: { tag },
        cancel_at_period_end: true,
        product_id: await newPlan(shop.api, { name: tag }),
      }),
  },
  {
    route: 'POST /subscriptions/{id}/cancel',
    how: 'ended now',
    given: async (shop, tag) => send('POST', `${await newSubscription(shop, tag)}/cancel`, { at: 'now' }),
  },
  {
    route: 'POST /subscriptions/{id}/pause',
    how: 'paused',
    given: async (shop, tag) => send('POST', `${await newSubscription(shop, tag)}/pause`),
  },
  {
    route: 'POST /subscriptions/{id}/resume',
    how: 'resumed',
    given: async (shop, tag) => {
      const path = await newSubscription(shop, tag)
      await made(shop.api(`${path}/pause`, { method: 'POST' }))
      return send('POST', `${path}/resume`)
    },
  },
  {
    route: 'POST /subscriptions/{id}/change_wallet',
    how: 'asked for another wallet',
    given: async (shop, tag) => send('POST', `${await newSubscription(shop, tag)}/change_wallet`),
  },
  {
    route: 'PUT /merchant',
    how: 'changed who it is',
    given: async (_, tag) => send('PUT', '/merchant', { legal_name: tag, tax_id: null }),
  },
  {
    route: 'POST /price_changes',
    how: 'announced to a subscriber',
    given: async (shop, tag) => {
      const { product_id } = await made(shop.api(await newSubscription(shop, tag)))
      return send('POST', '/price_changes', { ...dearer, product_id })
    },
  },
  {
    route: 'POST /price_changes/{id}/cancel',
    how: 'canceled',
    given: async (shop, tag) => {
      const { product_id } = await made(shop.api(await newSubscription(shop, tag)))
      const { id } = await made(shop.api('/price_changes', { body: { ...dearer, product_id } }))
      return send('POST', `/price_changes/${id}/cancel`)
    },
  },
  {
    route: 'POST /settlement/account',
    how: 'asked for a proof',
    given: async () => send('POST', '/settlement/account', { address: Keypair.random().publicKey() }),
  },
  {
    route: 'POST /payout_destinations',
    how: 'registered',
    given: async (_, tag) =>
      send('POST', '/payout_destinations', { address: Keypair.random().publicKey(), label: tag }),
  },
  {
    route: 'POST /payout_destinations/{id}/verify',
    how: 'proven',
    given: async (shop, tag) => {
      const { id, transaction } = await newDestination(shop, tag)
      return send('POST', `/payout_destinations/${id}/verify`, { transaction })
    },
  },
  {
    route: 'DELETE /payout_destinations/{id}',
    how: 'removed',
    given: async (shop, tag) => send('DELETE', `/payout_destinations/${(await newDestination(shop, tag)).id}`),
  },
  {
    route: 'POST /payouts',
    how: 'asked for',
    given: async (shop, tag) => {
      const destination = await provenDestination(shop, shop.payTo)
      return send('POST', '/payouts', { asset_id: 'native', amount: '0.5', destination, metadata: { tag } })
    },
  },
  {
    route: 'PUT /payout_schedules',
    how: 'set',
    given: async (shop) => {
      const destination = await provenDestination(shop, shop.payTo)
      const reserve = '100000000'
      return send('PUT', '/payout_schedules', { asset_id: 'native', interval: 'daily', reserve, destination })
    },
  },
  { route: 'POST /webhooks', how: 'created', given: async (_, tag) => send('POST', '/webhooks', hook(tag)) },
  {
    route: 'PUT /webhooks/{id}',
    how: 'changed and suspended at once',
    given: async (shop, tag) => send('PUT', await newHook(shop, tag), { name: `${tag} again`, is_disabled: true }),
  },
  {
    route: 'POST /webhooks/{id}/rotate_secret',
    how: 'given a new secret',
    given: async (shop, tag) => send('POST', `${await newHook(shop, tag)}/rotate_secret`),
  },
  {
    route: 'POST /webhooks/{id}/test',
    how: 'tried out',
    given: async (shop, tag) => send('POST', `${await newSilentHook(shop, tag)}/test`),
  },
  {
    route: 'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver',
    how: 'delivered again',
    given: async (shop, tag) => {
      const path = await newSilentHook(shop, tag)
      const { id } = await made(shop.api(`${path}/test`, { method: 'POST' }))
      return send('POST', `${path}/deliveries/${id}/redeliver`)
    },
  },
  {
    route: 'DELETE /webhooks/{id}',
    how: 'deleted',
    given: async (shop, tag) => send('DELETE', await newHook(shop, tag)),
  },
]
