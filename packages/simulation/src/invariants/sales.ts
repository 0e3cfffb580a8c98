import { shownStatus } from '@quittance/domain'
import { type Invariant, mismatches } from './invariant.ts'

export const saleRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every session has ended, with one confirmed payment if it is completed and otherwise none',
    broken: async ({ services: { readModels } }) => {
      const subscriptions = (await readModels.subscriptions.all()).map(({ row }) => row.details)
      const onTrial = new Set<string>(subscriptions.filter((each) => each.trialDays > 0).map((each) => each.checkoutId))
      const wrong: Array<string> = []
      for (const { id, row } of await readModels.checkouts.all()) {
        const status = shownStatus(row)
        // Renewals carry the checkout of their subscription.
        const own = (await readModels.payments.withKey(id)).filter(({ row }) => row.details.subscriptionId === null)
        const confirmed = own.filter(({ row }) => row.status === 'confirmed').map((payment) => payment.id)
        // With a trial, the mandate alone completes a session.
        const expected = status === 'completed' && !onTrial.has(id) ? [row.paymentId] : []
        const isRight = status !== 'open' && mismatches(id, confirmed, expected).length === 0
        if (!isRight) wrong.push(`${id} is ${status} with ${confirmed.length} confirmed payments`)
      }
      return wrong
    },
  },
  {
    rule: 'no payment is pending',
    broken: async ({ services: { readModels } }) =>
      (await readModels.payments.all()).flatMap(({ id, row }) => (row.status === 'pending' ? [id] : [])),
  },
  {
    rule: 'requests with one idempotency key make one resource and always get the same answer',
    broken: async ({ requests, givenUp, isPutBack, services: { readModels }, fixture }) => {
      const made = new Set(fixture.sold)
      const wrong = requests.flatMap(({ key, answers }) => {
        // A refused request leaves nothing behind and may succeed later.
        const ids = new Set(answers.filter((answer) => isId(answer)))
        for (const id of ids) made.add(id)
        return (answers.length > 0 || givenUp.some((each) => each.key === key)) && ids.size <= 1
          ? []
          : [`${key} was answered ${answers.join(', ') || 'nothing'}`]
      })
      // The operator collects fees, and asks for a sum, not for a payout.
      const byHand = (await readModels.payouts.all()).filter(
        ({ row: { details } }) => details.dueAt === undefined && details.purpose === undefined,
      )
      // A refund that a restored log recovers from the ledger has another id.
      const refunds = isPutBack ? [] : await readModels.refunds.all()
      const all = [...(await readModels.checkouts.all()), ...refunds, ...byHand]
      const unrequested = all.flatMap(({ id }) => (made.has(id) ? [] : [`${id} was made without a request`]))
      return [...wrong, ...(unrequested.length > givenUp.length ? unrequested : [])]
    },
  },
]

const isId = (answer: string): boolean => /^(chk|rf|po)_/.test(answer)
