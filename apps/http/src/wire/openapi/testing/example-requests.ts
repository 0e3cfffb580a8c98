import type { ExampleShop } from './example-shop.ts'

/** What an example needs: where it is sent, what takes the place of the ids and signatures in it, and who sends it. */
export type Given = {
  readonly path: string
  readonly instead?: Readonly<Record<string, unknown>>
  readonly cookie?: string
  readonly appToken?: string
  readonly session?: string
}

type Prepare = (shop: ExampleShop, example: string) => Promise<Given>

const at =
  (path: string): Prepare =>
  async () => ({ path })

/** How the examples of each operation can be sent, in the order in which they are: the last ones change all others. */
export const exampleRequests: Readonly<Record<string, Prepare>> = {
  'POST /product': at('/product'),
  'PUT /product/{id}': async ({ product }) => ({ path: `/product/${await product()}` }),
  'POST /customers': at('/customers'),
  'PUT /customers/{id}': async ({ customer }) => ({ path: `/customers/${await customer()}` }),
  'POST /customers/{id}/merge': async ({ customer }) => ({
    path: `/customers/${await customer()}/merge`,
    instead: { into: await customer() },
  }),
  'POST /customers/{id}/wallets': async ({ customer }) => ({ path: `/customers/${await customer()}/wallets` }),
  'POST /customers/{id}/wallets/verify': async ({ walletProof }) => {
    const { path, transaction } = await walletProof()
    return { path: `${path}/wallets/verify`, instead: { transaction } }
  },
  'POST /customers/{id}/credits/{product}/consume': async ({ credits }) => ({ path: `${credits}/consume` }),
  'POST /customers/{id}/portal': async ({ customer }) => ({ path: `/customers/${await customer()}/portal` }),
  'POST /portal/wallets': at('/portal/wallets'),
  'POST /portal/wallets/verify': async ({ portalProof }) => ({
    path: '/portal/wallets/verify',
    instead: { transaction: await portalProof() },
  }),
  'POST /portal/subscriptions/{id}': async ({ subscriber }) => {
    const { id, cookie, form_token } = await subscriber()
    return { path: `/portal/subscriptions/${id}`, cookie, instead: { form_token } }
  },
  'POST /portal/email': async ({ visit }) => {
    const { cookie, form_token } = await visit()
    return { path: '/portal/email', cookie, instead: { form_token } }
  },
  'POST /portal/email/confirm': async ({ emailChange }) => {
    const { cookie, fields } = await emailChange()
    return { path: '/portal/email/confirm', cookie, instead: fields }
  },
  'POST /portal/entry': async ({ merchant_id }) => ({ path: '/portal/entry', instead: { merchant_id } }),
  'POST /portal/entry/verify': async ({ code }) => ({ path: '/portal/entry/verify', instead: await code() }),
  'POST /portal/entry/email': async ({ merchant_id }) => ({
    path: '/portal/entry/email',
    instead: { merchant: merchant_id },
  }),
  'POST /portal/entry/code': async ({ code }) => ({ path: '/portal/entry/code', instead: await code() }),
  'POST /checkout': async ({ product }, example) =>
    example === 'product'
      ? { path: '/checkout?type=product', instead: { product_id: await product() } }
      : { path: '/checkout?type=direct' },
  'POST /refunds': async ({ payment }) => ({ path: '/refunds', instead: { payment_id: await payment() } }),
  'POST /pay/{id}/customer': async ({ checkout }) => ({ path: `/pay/${await checkout()}/customer` }),
  'POST /pay/{id}/transaction': async ({ checkout, payer }) => ({
    path: `/pay/${await checkout()}/transaction`,
    instead: { source_account: await payer() },
  }),
  'POST /pay/{id}/submit': async ({ signedPayment }) => {
    const { id, transaction_xdr } = await signedPayment()
    return { path: `/pay/${id}/submit`, instead: { transaction_xdr } }
  },
  'PUT /subscriptions/{id}': async ({ subscription }) => ({ path: `/subscriptions/${await subscription()}` }),
  'POST /subscriptions/{id}/cancel': async ({ subscription }) => ({
    path: `/subscriptions/${await subscription()}/cancel`,
  }),
  'POST /price_changes': async ({ plan }) => ({ path: '/price_changes', instead: { product_id: await plan() } }),
  'POST /payouts': async ({ funded, destination }) => {
    await funded()
    return { path: '/payouts', instead: { destination: await destination() } }
  },
  'POST /payout_destinations': at('/payout_destinations'),
  'POST /payout_destinations/{id}/verify': async ({ destinationProof }) => {
    const { id, transaction } = await destinationProof()
    return { path: `/payout_destinations/${id}/verify`, instead: { transaction } }
  },
  'PUT /payout_schedules': async ({ destination }) => ({
    path: '/payout_schedules',
    instead: { destination: await destination() },
  }),
  'POST /exceptions/{id}/resolve': async ({ exception }) => ({ path: `/exceptions/${await exception()}/resolve` }),
  'PUT /merchant': at('/merchant'),
  'POST /webhooks': at('/webhooks'),
  'PUT /webhooks/{id}': async ({ webhook }) => ({ path: `/webhooks/${await webhook()}` }),
  'POST /sandbox/pay': async ({ checkout }) => ({ path: '/sandbox/pay', instead: { checkout_id: await checkout() } }),
  'POST /sandbox/advance': at('/sandbox/advance'),
  'POST /sandbox/faults': at('/sandbox/faults'),
  'PUT /limits': at('/limits'),
  'POST /approvals/{id}/approve': async ({ approval, clerk }) => ({
    path: `/approvals/${await approval()}/approve`,
    appToken: await clerk(),
  }),
  'POST /approvals/{id}/reject': async ({ approval, clerk }) => ({
    path: `/approvals/${await approval()}/reject`,
    appToken: await clerk(),
  }),
  'POST /session': async ({ team }) => {
    await team.member()
    return { path: '/session' }
  },
  'POST /session/passkey': async ({ team }) => ({
    path: '/session/passkey',
    instead: { credential: await team.signedPasskey() },
  }),
  'POST /session/recover': async ({ team }) => ({
    path: '/session/recover',
    instead: { recovery_code: await team.recoveryCode() },
  }),
  'POST /session/join': async ({ team }) => ({ path: '/session/join', instead: { token: await team.invitation() } }),
  'POST /members': async ({ team }) => ({ path: '/members', session: await team.owner() }),
  'POST /members/{id}': async ({ team }) => ({ path: `/members/${await team.member()}`, session: await team.owner() }),
  'POST /member/password': async ({ team }) => ({ path: '/member/password', session: await team.owner() }),
  'POST /member/totp/confirm': async ({ team }) => {
    const session = await team.owner()
    return { path: '/member/totp/confirm', session, instead: { code: await team.totpCode(session) } }
  },
  'POST /member/passkeys': async ({ team }) => {
    const session = await team.owner()
    return { path: '/member/passkeys', session, instead: { credential: await team.newPasskey(session) } }
  },
  'POST /api_keys': async ({ team }) => ({ path: '/api_keys', session: await team.owner() }),
  'POST /api_keys/{id}/replace': async ({ team }) => {
    const session = await team.owner()
    return { path: `/api_keys/${await team.apiKey(session)}/replace`, session }
  },
  'POST /settlement/account': at('/settlement/account'),
  'PUT /settlement': at('/settlement'),
  'POST /settlement/account/verify': async ({ accountProof }) => ({
    path: '/settlement/account/verify',
    instead: { transaction: await accountProof() },
  }),
}
