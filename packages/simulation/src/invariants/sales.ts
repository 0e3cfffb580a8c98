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
    rule: 'a request under one key makes one thing, and is always answered alike',
    broken: async ({ requests, services: { readModels } }) => {
      const made = new Set<string>()
      const wrong = requests.flatMap(({ key, answers }) => {
        const [first] = answers
        if (first?.startsWith('chk_')) made.add(first)
        return new Set(answers).size === 1 ? [] : [`${key} was answered ${answers.join(', ') || 'nothing'}`]
      })
      const unknown = readModels.checkouts.all().filter(({ id }) => !made.has(id))
      return [...wrong, ...unknown.map(({ id }) => `${id} was made for nobody`)]
    },
  },
]
