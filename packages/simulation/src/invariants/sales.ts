import type { Invariant } from './invariant.ts'

export const saleRules: ReadonlyArray<Invariant> = [
  {
    rule: 'a session has ended, and has one confirmed payment if it is completed, none otherwise',
    broken: async ({ services: { readModels } }) =>
      readModels.checkouts.all().flatMap(({ id, row }) => {
        const own = readModels.payments.withKey(id)
        const confirmed = own.filter((each) => each.row.status === 'confirmed')
        const isRight =
          row.status === 'completed'
            ? confirmed.length === 1 && confirmed[0]?.id === row.paymentId
            : confirmed.length === 0 && row.status !== 'open'
        return isRight ? [] : [`${id} is ${row.status} with ${confirmed.length} confirmed payments`]
      }),
  },
  {
    rule: 'no payment is pending',
    broken: async ({ services: { readModels } }) =>
      readModels.payments.all().flatMap(({ id, row }) => (row.status === 'pending' ? [id] : [])),
  },
  {
    rule: 'a request under one key makes one thing, and once it has, is always answered alike',
    broken: async ({ requests, services: { readModels }, fixture }) => {
      const made = new Set(fixture.sold)
      const wrong = requests.flatMap(({ key, answers }) => {
        // A refusal leaves nothing behind, and is judged anew.
        const ids = new Set(answers.filter((answer) => isId(answer)))
        for (const id of ids) made.add(id)
        return answers.length > 0 && ids.size <= 1 ? [] : [`${key} was answered ${answers.join(', ') || 'nothing'}`]
      })
      const all = [...readModels.checkouts.all(), ...readModels.refunds.all()]
      return [...wrong, ...all.flatMap(({ id }) => (made.has(id) ? [] : [`${id} was made for nobody`]))]
    },
  },
]

const isId = (answer: string): boolean => /^(chk|rf)_/.test(answer)
