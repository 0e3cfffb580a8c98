import type { Move } from './move.ts'
import type { People } from './people.ts'
import type { Requests } from './requests.ts'
import type { Stage } from './stage.ts'

const nothingElse = { cancelAtPeriodEnd: null, metadata: undefined, productId: null }
const prices = ['0.8', '1', '1.05', '2']
const portalActions = ['cancel', 'keep', 'pause', 'resume'] as const

/** Changes to subscriptions by the merchant, or by customers in the portal. */
export const subscriptionCommandMoves = (
  stage: Stage,
  people: People,
  { put, send, requests }: Requests,
): ReadonlyArray<Move> => {
  const { random, fixture, visit } = stage
  const { anyOf } = people

  const ask = async (wanted: 'pause' | 'resume' | 'retry' | 'now' | 'period_end' | 'undo'): Promise<void> => {
    const { id } = await anyOf()
    put(`${wanted} of ${id}`, ({ subscriptions }, context) => {
      const asked = {
        pause: () => subscriptions.pause(context, id),
        resume: () => subscriptions.resume(context, id),
        retry: () => subscriptions.retry(context, id),
        now: () => subscriptions.cancel(context, id, 'now'),
        period_end: () => subscriptions.cancel(context, id, 'period_end'),
        undo: () => subscriptions.update(context, id, { ...nothingElse, cancelAtPeriodEnd: false }),
      }
      return asked[wanted]()
    })
  }
  /**
   * Swaps to any plan: the current one, which drops a pending swap, one within the cap, one beyond it, or one with
   * another interval.
   */
  const swap = async (): Promise<void> => {
    const [{ id }, productId] = [await anyOf(), random.oneOf(fixture.plans)]
    const cancelAtPeriodEnd = random.oneOf([null, null, null, true, false])
    const metadata = random.oneOf([{}, { swapped: 'yes' }])
    put(`a swap of ${id}`, ({ subscriptions }, context) =>
      subscriptions.update(context, id, { cancelAtPeriodEnd, metadata, productId }),
    )
  }
  const reprice = (): void => {
    const [id, amount] = [random.oneOf(fixture.plans), random.oneOf(prices)]
    put(`another price of ${id}`, ({ products }, context) =>
      products.update(context, id, { price: { amount, amountCents: null } }),
    )
  }
  const forget = async (): Promise<void> => {
    const { customerId } = (await anyOf()).state.details
    put(`the deletion of ${customerId}`, ({ customers }, context) => customers.remove(context, customerId))
  }
  const visitPortal = async (): Promise<void> => {
    const { id, state } = await anyOf()
    const { merchantId } = fixture
    const visitor = { merchantId, environment: 'testnet' as const, customerId: state.details.customerId }
    const action = random.oneOf(portalActions)
    visit(`${action} of ${id} in the portal`, ({ portal }) => portal.change(visitor, id, action))
  }
  return [
    { name: 'a pause', weight: 2, act: () => ask('pause') },
    { name: 'a resumption', weight: 6, act: () => ask('resume') },
    { name: 'a retry', weight: 2, act: () => ask('retry') },
    { name: 'a cancellation', weight: 1, act: () => ask('now') },
    { name: 'a cancellation for later', weight: 1, act: () => ask('period_end') },
    { name: 'a cancellation undone', weight: 3, act: () => ask('undo') },
    { name: 'a swap', weight: 6, act: swap },
    { name: 'another price', weight: 2, act: reprice },
    { name: 'a customer is deleted', weight: 1, act: forget },
    { name: 'a visit to the portal', weight: 3, act: visitPortal },
    { name: 'a request again', weight: 4, act: () => requests.length > 0 && send(random.oneOf(requests)) },
  ]
}
