import { shownStatus } from '@quittance/domain'
import { type Invariant, mismatches } from './invariant.ts'

export const saleRules: ReadonlyArray<Invariant> = [
  {
    rule: 'a session has ended, and has one confirmed payment if it is completed, none otherwise',
    broken: async ({ services: { readModels } }) => {
      const subscriptions = readModels.subscriptions.all().map(({ row }) => row.details)
      const onTrial = new Set<string>(subscriptions.filter((each) => each.trialDays > 0).map((each) => each.checkoutId))
      return readModels.checkouts.all().flatMap(({ id, row }) => {
        const status = shownStatus(row)
        // Renewals have the checkout of their subscription.
        const own = readModels.payments.withKey(id).filter(({ row }) => row.details.subscriptionId === null)
        const confirmed = own.filter(({ row }) => row.status === 'confirmed').map((payment) => payment.id)
        // With a trial, the mandate alone completes it.
        const expected = status === 'completed' && !onTrial.has(id) ? [row.paymentId] : []
        const isRight = status !== 'open' && mismatches(id, confirmed, expected).length === 0
        return isRight ? [] : [`${id} is ${status} with ${confirmed.length} confirmed payments`]
      })
    },
  },
  {
    rule: 'no payment is pending',
    broken: async ({ services: { readModels } }) =>
      readModels.payments.all().flatMap(({ id, row }) => (row.status === 'pending' ? [id] : [])),
  },
  {
    rule: 'a request under one key makes one thing, and once it has, is always answered alike',
    broken: async ({ requests, givenUp, services: { readModels }, fixture }) => {
      const made = new Set(fixture.sold)
      const wrong = requests.flatMap(({ key, answers }) => {
        // A refusal leaves nothing behind, and is judged anew.
        const ids = new Set(answers.filter((answer) => isId(answer)))
        for (const id of ids) made.add(id)
        return (answers.length > 0 || givenUp.some((each) => each.key === key)) && ids.size <= 1
          ? []
          : [`${key} was answered ${answers.join(', ') || 'nothing'}`]
      })
      const byHand = readModels.payouts.all().filter(({ row }) => row.details.dueAt === undefined)
      const all = [...readModels.checkouts.all(), ...readModels.refunds.all(), ...byHand]
      const forNobody = all.flatMap(({ id }) => (made.has(id) ? [] : [`${id} was made for nobody`]))
      return [...wrong, ...(forNobody.length > givenUp.length ? forNobody : [])]
    },
  },
]

const isId = (answer: string): boolean => /^(chk|rf|po)_/.test(answer)
