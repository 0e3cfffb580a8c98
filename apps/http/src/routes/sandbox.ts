import type { Billing } from '@quittance/billing'
import { Advance, PaidFromSandbox, SandboxClock, SandboxMail, SandboxPayment } from '@quittance/client/wire'
import type { AssetId, Stroops } from '@quittance/domain'
import type { BackgroundWork, CatchUp, SandboxInbox, SandboxWallet } from '@quittance/host'
import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { keyAlone } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofBuilding, ofRelaying } from '../wire/declared-codes.ts'
import { HttpError, invalid, notFound } from '../wire/errors.ts'
import { type Route, route } from '../wire/route.ts'
import { FaultKnobs } from './fault-schema.ts'
import { caughtUp } from './payments.ts'

const longestMs = 10 * 366 * 24 * 60 * 60 * 1000

type Sandboxed = {
  readonly sandbox: Sandbox
  readonly inbox: Pick<SandboxInbox, 'of'>
  /** Runs while the clock moves. */
  readonly work: Pick<BackgroundWork, 'forAdvance'>
  readonly pay: SandboxWallet
  readonly catchUp: CatchUp
}

/** The sandbox's clock, its fault knobs, and a wallet that pays. */
export const sandboxRoutes = (
  { payer }: Billing,
  { sandbox, inbox, work, pay, catchUp }: Sandboxed,
): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/sandbox/clock',
    summary: "Tell the sandbox's time",
    auth: keyAlone,
    answer: SandboxClock,
    handler: async () => reading(sandbox.clock()),
  }),
  route({
    method: 'POST',
    path: '/sandbox/advance',
    summary: "Move the sandbox's clock, and do all that becomes due",
    auth: keyAlone,
    body: Advance,
    answer: SandboxClock,
    problems: ['target_in_the_past'],
    handler: async (_, body) => {
      const target = targetIn(body, sandbox.clock().now)
      const advanced = await sandbox.advance({ ...target, ...work.forAdvance() })()
      if (E.isLeft(advanced))
        throw new HttpError(400, 'target_in_the_past', 'The target lies before now', { param: 'to' })
      return reading(advanced.right)
    },
  }),
  route({
    method: 'GET',
    path: '/sandbox/faults',
    summary: 'Tell the fault knobs that are on, with what is left of them',
    auth: keyAlone,
    answer: FaultKnobs,
    handler: async () => sandbox.faults.present(),
  }),
  route({
    method: 'POST',
    path: '/sandbox/faults',
    summary: 'Set fault knobs, and turn off all others',
    auth: keyAlone,
    body: FaultKnobs,
    answer: FaultKnobs,
    handler: async (_, body) => {
      const set = sandbox.faults.set(body)
      if (E.isLeft(set)) throw invalid(set.left.knob, `No such ${set.left.field} in the sandbox`)
      return set.right
    },
  }),
  route({
    method: 'GET',
    path: '/sandbox/mail',
    summary: "List the newest mails of the key's merchant, which the sandbox keeps instead of sending them",
    auth: keyAlone,
    answer: t.readonlyArray(SandboxMail),
    problems: ['not_found'],
    // A browser sends no key.
    refused: (_, reply) => reply.code(303).header('location', '/sandbox/inbox').send(''),
    handler: async ({ principal }) => {
      const { merchantId, environment } = principal()
      if (environment !== 'testnet') throw notFound('sandbox')
      return inbox.of(merchantId).map(({ to, subject, text, html, sentAt }) => {
        return { to: to.address, name: to.name, subject, text, html, sent_at: new Date(sentAt).toISOString() }
      })
    },
  }),
  route({
    method: 'POST',
    path: '/sandbox/pay',
    summary: 'Pay or sign what is at a payment address, from a new wallet with test money, and wait for the ledger',
    auth: keyAlone,
    body: SandboxPayment,
    answer: PaidFromSandbox,
    problems: ['not_found', ...ofBuilding, ...ofRelaying],
    handler: async ({ principal, request }, { checkout_id, asset_id, amount }) => {
      const { merchantId, environment } = principal()
      const owner = await answerOf(payer.owner(checkout_id), { checkout: 'checkout_id' })
      const isOwn = owner.merchantId === merchantId && owner.environment === environment
      if (!isOwn || environment !== 'testnet') throw notFound('checkout', 'checkout_id')
      const paid = await answerOf(pay(checkout_id, sentAs(sandbox, asset_id, amount)))
      await caughtUp(catchUp, 'testnet', request.log)
      return paid
    },
  }),
]

const sentAs = (sandbox: Sandbox, assetId: AssetId | null, amount: Stroops | null): Parameters<SandboxWallet>[1] => {
  if (assetId === null) return amount === null ? { _tag: 'Due' } : { _tag: 'Amount', amount }
  if (amount !== null) throw invalid('amount', 'Give "amount" or "asset_id", not both')
  const known = sandbox.assets().map((asset) => asset.assetId)
  if (!known.includes(assetId)) throw invalid('asset_id', `"asset_id" must be one of ${known.join(', ')}`)
  return { _tag: 'OtherAsset', assetId }
}

const reading = ({ now, ledger }: { readonly now: number; readonly ledger: number }) => ({
  now: new Date(now).toISOString(),
  ledger,
})

const targetIn = (
  { seconds, to }: t.TypeOf<typeof Advance>,
  now: number,
): { readonly seconds: number } | { readonly to: number } => {
  if (seconds !== null && to === null) return { seconds }
  if (to === null || seconds !== null) throw invalid('seconds', 'Give "seconds" or "to"')
  if (Date.parse(to) - now > longestMs) throw invalid('to', '"to" must be at most ten years ahead')
  return { to: Date.parse(to) }
}
