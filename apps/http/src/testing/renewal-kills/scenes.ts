import { hourMs } from '@quittance/domain'
import type { Ask } from '../kills/ask.ts'
import type { Round } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isSent } from '../kills/trouble.ts'
import { fundedWallet } from '../wallet.ts'
import { join, type Member, type Plan, sellPlans, sign, usdcOn } from './joining.ts'
import { pass } from './time.ts'
import { walletMovesOn } from './wallet-moves.ts'

const dayMs = 24 * hourMs
/** After a failed charge: past the final notice and before the last retry, by the usual policy. */
const dunningMs = 13.5 * dayMs

/** Takes the next action towards a step of a subscription. */
export type Scene = (round: Round, look: number) => Promise<unknown>

/** A subscriber plays each role until their subscription ends; then somebody else joins. */
type Role = 'fickle' | 'guest' | 'hasty' | 'debtor' | 'weekly' | 'trying'

const idIn = (url: string): string => url.replace(/^.*\/pay\//, '')

/** The actions that lead to each step of a subscription other than its renewal. */
export const openScenes = async (stage: Stage, asking: Ask) => {
  const products = await sellPlans(asking)
  const moves = walletMovesOn(stage)
  const rich = await fundedWallet(stage.network.facts, [usdcOn(stage)])
  const players = new Map<Role, Member>()

  type Occasion = { readonly member: Member; readonly round: Round; readonly look: number; readonly leave: () => void }
  type Found = ReturnType<typeof JSON.parse>
  /** Runs an action with the current state of the subscription. */
  const played =
    (role: Role, plan: Plan, play: (now: Found, occasion: Occasion) => unknown): Scene =>
    async (round, look) => {
      const member = players.get(role) ?? (await join(stage, round.ask, products[plan]))
      if (member === null) return
      players.set(role, member)
      const found = await round.ask(`/subscriptions/${member.id}`)
      const leave = (): void => void players.delete(role)
      if (found?.status !== 200) return
      const now = found.body.data
      return now.status === 'canceled' ? leave() : play(now, { member, round, look, leave })
    }
  const post = ({ member, round }: Occasion, path: string, body: object = {}) =>
    round.ask(`/subscriptions/${member.id}/${path}`, { body })
  const put = ({ member, round }: Occasion, body: object) =>
    round.ask(`/subscriptions/${member.id}`, { method: 'PUT', body })
  const later = (ms: number, { look }: Pick<Occasion, 'look'>): void => pass(stage, ms, look)
  const clock = (): number => stage.network.sandbox.clock().now

  const pausing = played('fickle', 'plain', (now, occasion) =>
    post(occasion, now.status === 'paused' ? 'resume' : 'pause'),
  )
  /** After the paid period, resuming needs a charge first. */
  const resumingLate = played('fickle', 'plain', (now, occasion) => {
    if (now.status !== 'paused') return post(occasion, 'pause')
    return clock() < Date.parse(now.current_period_end) ? later(dayMs, occasion) : post(occasion, 'resume')
  })
  const wavering = played('fickle', 'plain', (now, occasion) =>
    now.cancel_at_period_end ? put(occasion, { cancel_at_period_end: false }) : post(occasion, 'cancel'),
  )
  const swapping = played('fickle', 'plain', (now, occasion) =>
    put(occasion, { product_id: now.product_id === products.plain ? products.twin : products.plain }),
  )
  const outgrowing = played('guest', 'plain', (now, occasion) =>
    now.pending_update === null && now.product_id === products.plain
      ? put(occasion, { product_id: products.dearer })
      : occasion.leave(),
  )
  const signingAnew = played('guest', 'plain', ({ authorization, product_id }, occasion) => {
    const { round, member } = occasion
    if (product_id !== products.plain) return occasion.leave()
    return authorization.update_url === null
      ? put(occasion, { product_id: products.dearer })
      : sign(round.ask, idIn(authorization.update_url), member.wallet)
  })
  const revoking = played('guest', 'plain', ({ authorization }, occasion) =>
    authorization.status === 'revoked'
      ? occasion.leave()
      : moves.revoke(occasion.member.wallet, authorization.mandate_id),
  )
  /** Cancels now or at the end of the period. */
  const leaving = played('guest', 'plain', (now, occasion) =>
    now.cancel_at_period_end
      ? later(dayMs, occasion)
      : post(occasion, 'cancel', { at: occasion.round.number % 2 === 0 ? 'now' : 'period_end' }),
  )
  /** Cancels while a charge is under way, so that its money is returned: ledgers include it late. */
  const hurrying = played('hasty', 'plain', (now, occasion) => {
    stage.network.sandbox.faults.set({ include_late: { ledgers: 12 } })
    return now.last_attempt?.status === 'pending' && isSent(stage)
      ? post(occasion, 'cancel', { at: 'now' })
      : later(dayMs / 2, occasion)
  })
  /** Has somebody else pay the invoice of an overdue subscription, and starts again. */
  const owing = (whenLate: (occasion: Occasion) => unknown) =>
    played('debtor', 'plain', async (now, occasion) => {
      const { member, round } = occasion
      if (now.invoice_url !== null) return sign(round.ask, idIn(now.invoice_url), rich)
      if (now.status !== 'active') return whenLate(occasion)
      await moves.empty(member.wallet, rich.address)
      return later(dayMs, occasion)
    })
  const sinking = owing((occasion) => later(dunningMs, occasion))
  /** Fills the wallet; the charge is retried an hour later. */
  const recovering = owing(async (occasion) => {
    await moves.fill(occasion.member.wallet)
    later(2 * hourMs, occasion)
  })
  const renewing = played('weekly', 'weekly', (_, occasion) => later(dayMs, occasion))
  const trying = played('trying', 'tried', (now, occasion) =>
    now.status === 'trialing' ? later(dayMs, occasion) : occasion.leave(),
  )
  /** Sleeps for whole periods, which nobody is charged for. */
  const sleeping: Scene = async (_, look) => later(3 * dayMs, { look })

  const scenes: Readonly<Record<string, Scene>> = {
    TrialEndAnnounced: trying,
    RenewalAnnounced: renewing,
    PeriodsForgiven: sleeping,
    ChargeFailed: sinking,
    FinalNoticeGiven: sinking,
    BecameOverdue: sinking,
    'CheckoutCreated of invoice': sinking,
    InvoiceSettled: sinking,
    RetryRequested: recovering,
    Paused: pausing,
    Resumed: pausing,
    ResumeRequested: resumingLate,
    ProductSwapped: swapping,
    SwapPending: outgrowing,
    AuthorizationRequested: outgrowing,
    MandateReplaced: signingAnew,
    AuthorizationRevoked: revoking,
    CancellationScheduled: wavering,
    CancellationUndone: wavering,
    SubscriptionCanceled: leaving,
    PaymentSetAside: hurrying,
    ReturnClaimed: hurrying,
    ExceptionOpened: hurrying,
    ReturnStarted: hurrying,
    ExceptionResolved: hurrying,
    MandateCancellationSent: leaving,
    MandateEnded: leaving,
  }
  return { products, scenes }
}
