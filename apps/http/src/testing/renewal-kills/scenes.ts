import { hourMs } from '@quittance/domain'
import type { Asking } from '../kills/asking.ts'
import type { Round } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isSent } from '../kills/trouble.ts'
import { fundedWallet } from '../wallet.ts'
import { join, type Member, type Plan, sellPlans, sign, usdcOn } from './joining.ts'
import { pass } from './time.ts'
import { walletMovesOn } from './wallet-moves.ts'

const dayMs = 24 * hourMs
/** After a failed charge: past the final notice, before the last retry, by the usual policy. */
const dunningMs = 13.5 * dayMs

/** Does, at each look, what is next on the way to a step of a subscription. */
export type Scene = (round: Round, look: number) => Promise<unknown>

/** Each is played by somebody who stays until their subscription has ended; then somebody else joins for it. */
type Role = 'fickle' | 'guest' | 'hasty' | 'debtor' | 'weekly' | 'trying'

const idIn = (url: string): string => url.replace(/^.*\/pay\//, '')

/** How each step of a subscription comes about that is not its renewal: by people who do what leads to it. */
export const openScenes = async (stage: Stage, asking: Asking) => {
  const products = await sellPlans(asking)
  const moves = walletMovesOn(stage)
  const rich = await fundedWallet(stage.network.facts, [usdcOn(stage)])
  const players = new Map<Role, Member>()

  type Place = { readonly member: Member; readonly round: Round; readonly look: number; readonly leave: () => void }
  type Found = ReturnType<typeof JSON.parse>
  /** Plays with the subscription as the service tells of it. */
  const played =
    (role: Role, plan: Plan, play: (now: Found, place: Place) => unknown): Scene =>
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
  const post = ({ member, round }: Place, path: string, body: object = {}) =>
    round.ask(`/subscriptions/${member.id}/${path}`, { body })
  const put = ({ member, round }: Place, body: object) =>
    round.ask(`/subscriptions/${member.id}`, { method: 'PUT', body })
  const later = (ms: number, { look }: Pick<Place, 'look'>): void => pass(stage, ms, look)
  const clock = (): number => stage.network.sandbox.clock().now

  const pausing = played('fickle', 'plain', (now, place) => post(place, now.status === 'paused' ? 'resume' : 'pause'))
  /** Once what was paid is over, it has to be charged first. */
  const resumingLate = played('fickle', 'plain', (now, place) => {
    if (now.status !== 'paused') return post(place, 'pause')
    return clock() < Date.parse(now.current_period_end) ? later(dayMs, place) : post(place, 'resume')
  })
  const wavering = played('fickle', 'plain', (now, place) =>
    now.cancel_at_period_end ? put(place, { cancel_at_period_end: false }) : post(place, 'cancel'),
  )
  const swapping = played('fickle', 'plain', (now, place) =>
    put(place, { product_id: now.product_id === products.plain ? products.twin : products.plain }),
  )
  const outgrowing = played('guest', 'plain', (now, place) =>
    now.pending_update === null && now.product_id === products.plain
      ? put(place, { product_id: products.dearer })
      : place.leave(),
  )
  const signingAnew = played('guest', 'plain', ({ authorization, product_id }, place) => {
    const { round, member } = place
    if (product_id !== products.plain) return place.leave()
    return authorization.update_url === null
      ? put(place, { product_id: products.dearer })
      : sign(round.ask, idIn(authorization.update_url), member.wallet)
  })
  const revoking = played('guest', 'plain', ({ authorization }, place) =>
    authorization.status === 'revoked' ? place.leave() : moves.revoke(place.member.wallet, authorization.mandate_id),
  )
  /** At once, or with the period. */
  const leaving = played('guest', 'plain', (now, place) =>
    now.cancel_at_period_end
      ? later(dayMs, place)
      : post(place, 'cancel', { at: place.round.number % 2 === 0 ? 'now' : 'period_end' }),
  )
  /** Is canceled while a charge is on its way, the money of which then goes back: ledgers take their time to hold it. */
  const hurrying = played('hasty', 'plain', (now, place) => {
    stage.network.sandbox.faults.set({ include_late: { ledgers: 12 } })
    return now.last_attempt?.status === 'pending' && isSent(stage)
      ? post(place, 'cancel', { at: 'now' })
      : later(dayMs / 2, place)
  })
  /** Who is overdue has their invoice paid by somebody else, and begins anew. */
  const owing = (whenLate: (place: Place) => unknown) =>
    played('debtor', 'plain', async (now, place) => {
      const { member, round } = place
      if (now.invoice_url !== null) return sign(round.ask, idIn(now.invoice_url), rich)
      if (now.status !== 'active') return whenLate(place)
      await moves.empty(member.wallet, rich.address)
      return later(dayMs, place)
    })
  const sinking = owing((place) => later(dunningMs, place))
  /** What could not be charged although there was money is tried again an hour later. */
  const recovering = owing(async (place) => {
    await moves.fill(place.member.wallet)
    later(2 * hourMs, place)
  })
  const renewing = played('weekly', 'weekly', (_, place) => later(dayMs, place))
  const trying = played('trying', 'tried', (now, place) =>
    now.status === 'trialing' ? later(dayMs, place) : place.leave(),
  )
  /** So long that periods pass for which nobody is charged. */
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
