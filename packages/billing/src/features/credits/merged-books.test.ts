import {
  asText,
  CreditTransactionId,
  CustomerId,
  CustomerMerges,
  noMetadata,
  PaymentId,
  type Units,
  units,
  unitsLeft,
} from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { balanceOf, enter } from './books.ts'

/** `dies`: the first try ends after so many appends, and is repeated; 0 for none. */
type Entry = {
  readonly _tag: 'grant' | 'consume'
  readonly who: number
  readonly units: number
  readonly dies: number
}
type Act =
  | Entry
  | { readonly _tag: 'merge'; readonly from: number; readonly into: number }
  | { readonly _tag: 'repeat'; readonly which: number }
  | { readonly _tag: 'at once'; readonly first: Entry; readonly second: Entry }

const people = 4
const person = fc.nat(people - 1)
const anEntry = (...kinds: ReadonlyArray<Entry['_tag']>): fc.Arbitrary<Entry> =>
  fc.record({
    _tag: fc.constantFrom(...kinds),
    who: person,
    units: fc.integer({ min: 1, max: 9 }),
    dies: fc.nat(4),
  })
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: anEntry('grant', 'consume') },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant('merge' as const), from: person, into: person }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant('repeat' as const), which: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant('at once' as const),
      first: anEntry('grant'),
      second: anEntry('grant'),
    }),
  },
)

describe('the credit books of merged customers', () => {
  let front: StoreFront
  let numbers = 0
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())
  const now = () => command(front.platform, front.merchantId)

  it('hold what was granted to any of them and not consumed, whatever dies, is repeated or comes at once', async () => {
    const check = async (history: ReadonlyArray<Act>): Promise<void> => {
      const { services } = front
      const ids = Array.from({ length: people }, () => exampleId(CustomerId, ++numbers))
      const of = (who: number) => ({ customerId: present(ids[who]), productId: 'prod_1' })
      // The model: whose units each person's are, and how many of them are left.
      const owner = ids.map((_, index) => index)
      const left = ids.map(() => 0n)
      const entries: Array<{ entry: Entry; context: CommandContext; number: number; isDone: boolean }> = []
      const run = ({ entry, context, number }: (typeof entries)[number], store = services.store) => {
        const transactionId = exampleId(CreditTransactionId, number)
        const amount: Units = units(BigInt(entry.units))
        const made =
          entry._tag === 'grant'
            ? { type: 'GrantCredits' as const, transactionId, paymentId: exampleId(PaymentId, number), units: amount }
            : { type: 'ConsumeCredits' as const, transactionId, units: amount, metadata: noMetadata }
        return enter({ ...services, store }, context, of(entry.who), made, 0n)
      }
      const make = (entry: Entry) => {
        const made = { entry, context: now(), number: ++numbers, isDone: false }
        entries.push(made)
        return made
      }
      const enteredAs = (made: (typeof entries)[number], outcome: E.Either<unknown, unknown>): void => {
        const whose = present(owner[made.entry.who])
        const change = BigInt(made.entry._tag === 'grant' ? made.entry.units : -made.entry.units)
        const isAllowed = present(left[whose]) + change >= 0n
        expect(E.isRight(outcome)).toBe(isAllowed)
        if (isAllowed) left[whose] = present(left[whose]) + change
        made.isDone = isAllowed
      }
      const alive = (defect: unknown): void => {
        if (!(defect instanceof ProcessDied)) throw defect
      }
      for (const act of history) {
        front.network.wait(1000)
        switch (act._tag) {
          case 'grant':
          case 'consume': {
            const made = make(act)
            if (act.dies > 0) await run(made, dyingAfter(act.dies)(services.store)).catch(alive)
            enteredAs(made, await run(made))
            break
          }
          case 'repeat': {
            const again = entries[act.which % Math.max(1, entries.length)]
            if (again?.isDone === true) await done(run(again))
            break
          }
          case 'at once': {
            const both = [make(act.first), make(act.second)]
            const outcomes = await Promise.all(both.map((each) => run(each)))
            for (const [index, outcome] of outcomes.entries()) enteredAs(present(both[index]), outcome)
            break
          }
          case 'merge': {
            // Of those who remain: the rules of what may be merged have tests of their own.
            const remaining = [...new Set(owner)]
            const was = present(remaining[act.from % remaining.length])
            const becomes = present(remaining[act.into % remaining.length])
            if (was === becomes) break
            const merge = {
              from: present(ids[was]),
              into: present(ids[becomes]),
              by: asText('Ada'),
              reason: asText('one'),
            }
            const decide = CustomerMerges.decider.decide({ type: 'MergeCustomers', ...merge })
            await done(execute(services.store)(CustomerMerges, `${front.merchantId}/testnet`, now(), decide))
            await front.platform.shown()
            left[becomes] = present(left[becomes]) + present(left[was])
            left[was] = 0n
            for (const [index, whose] of owner.entries()) if (whose === was) owner[index] = becomes
          }
        }
        for (const who of ids.keys()) {
          const balance = await done(() => balanceOf(services, front.scope, of(who)))
          const expected = present(left[present(owner[who])])
          expect(unitsLeft(balance)).toBe(expected)
          expect(balance.grants.reduce((sum, each) => sum + each.left, 0n)).toBe(expected)
        }
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), check), {
      numRuns: 40,
      seed: 20_261_124,
    })
  })
})
