import {
  booksId,
  CreditTransactionId,
  noMetadata,
  PaymentId,
  positiveCount,
  type UnixMs,
  units,
  unitsLeft,
  unixMs,
} from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { servicesAt } from '../../audit/two-clocks/services-at.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { dyingAfter, ProcessDied } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { balanceOf, enter } from './books.ts'

type Act =
  | { readonly _tag: 'grant' | 'consume'; readonly units: number; readonly dies: boolean }
  | { readonly _tag: 'repeat'; readonly which: number }

const anyEntry = fc.record({
  _tag: fc.constantFrom('grant' as const, 'consume' as const, 'consume' as const),
  units: fc.integer({ min: 1, max: 9 }),
  dies: fc.boolean(),
})
const anyHistory = fc.array(
  fc.oneof({ weight: 3, arbitrary: anyEntry }, fc.record({ _tag: fc.constant('repeat' as const), which: fc.nat(30) })),
  { minLength: 1, maxLength: 25 },
)

describe('the credit books of a customer and a product', () => {
  let front: StoreFront
  let accounts = 0
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  /** As if the read model had not come to any later period yet. */
  const behind = (services: Services): Services => {
    const { creditBooks } = services.readModels
    const page = async () => ({ rows: [], hasMore: false })
    return { ...services, readModels: { ...services.readModels, creditBooks: { ...creditBooks, page } } }
  }

  it('credit books agree however short their periods, after a crash at any append and with repeated requests', async () => {
    const check = async (history: ReadonlyArray<Act>, bound: number, isBehind: boolean): Promise<void> => {
      const account = `${++accounts}`
      const of = { customerId: `cus_${account}`, productId: `prod_${account}` }
      const services = isBehind ? behind(front.services) : front.services
      const entries: Array<{ act: Exclude<Act, { _tag: 'repeat' }>; context: CommandContext; left: bigint | null }> = []
      const run = ({ act, context }: Pick<(typeof entries)[number], 'act' | 'context'>, store = services.store) => {
        const number = entries.findIndex((each) => each.context.commandId === context.commandId) + 1
        const transactionId = exampleId(CreditTransactionId, number)
        const amount = units(BigInt(act.units))
        const entry =
          act._tag === 'grant'
            ? { type: 'GrantCredits' as const, transactionId, paymentId: exampleId(PaymentId, number), units: amount }
            : { type: 'ConsumeCredits' as const, transactionId, units: amount, metadata: noMetadata }
        return enter({ ...services, store }, context, of, entry, 0n, positiveCount(bound))
      }
      let left = 0n
      const wasAt: Array<{ at: UnixMs; left: bigint }> = []
      /** What the model says of an entry that is made now, or was made before. */
      const expected = (each: (typeof entries)[number]): bigint | null => {
        const after = each.act._tag === 'grant' ? left + BigInt(each.act.units) : left - BigInt(each.act.units)
        if (each.left === null && after >= 0n) each.left = left = after
        return each.left
      }
      for (const act of history) {
        front.network.wait(1000)
        if (act._tag === 'repeat') {
          const again = entries[act.which % Math.max(1, entries.length)]
          // What was refused may come to pass later; its time is that of its first try, and not one to ask for.
          if (again === undefined || again.left === null) continue
          const outcome = await run(again)
          expect(E.isRight(outcome) ? unitsLeft(outcome.right.balance) : null).toBe(expected(again))
          continue
        }
        const made = { act, context: command(front.platform, front.merchantId), left: null }
        entries.push(made)
        if (act.dies) await run(made, dyingAfter(1)(services.store)).catch(alive)
        const outcome = await run(made)
        const says = expected(made)
        if (E.isRight(outcome)) expect(unitsLeft(outcome.right.balance)).toBe(says)
        else expect([outcome.left._tag, says]).toEqual(['InsufficientCredits', null])
        wasAt.push({ at: made.context.at, left })
      }
      const now = await done(() => balanceOf(services, front.scope, of))
      expect(unitsLeft(now)).toBe(left)
      expect(now.grants.reduce((sum, each) => sum + each.left, 0n)).toBe(left)
      for (const [index, { at, left: then }] of wasAt.entries()) {
        const balanceAt = async (moment: UnixMs) =>
          unitsLeft(await done(() => balanceOf(servicesAt(services, { at: moment, knownAt: null }), front.scope, of)))
        expect(await balanceAt(at)).toBe(then)
        expect(await balanceAt(unixMs(at - 1))).toBe(wasAt[index - 1]?.left ?? 0n)
      }
      const slice = await done(services.store.readStream(`credits-${booksId(of, positiveCount(1))}`))
      expect(slice.events.length).toBeLessThanOrEqual(bound + 1)
    }
    await fc.assert(fc.asyncProperty(anyHistory, fc.integer({ min: 1, max: 7 }), fc.boolean(), check), {
      numRuns: 60,
      seed: 20_261_120,
    })
  })

  it('a payment grants credits once, even after the open books have dropped it', async () => {
    const of = { customerId: 'cus_once', productId: 'prod_once' }
    const atEvents = positiveCount(2)
    const { isFirstRun: _, ...granting } = command(front.platform, front.merchantId)
    const paymentId = exampleId(PaymentId, 1)
    const grant = { type: 'GrantCredits' as const, transactionId: exampleId(CreditTransactionId, 1), paymentId }
    const give = () => done(() => enter(front.services, granting, of, { ...grant, units: units(2n) }, 0n, atEvents))
    await give()
    for (const number of [2, 3]) {
      const transactionId = exampleId(CreditTransactionId, number)
      const entry = { type: 'ConsumeCredits' as const, transactionId, units: units(1n), metadata: noMetadata }
      await done(() => enter(front.services, command(front.platform, front.merchantId), of, entry, 0n, atEvents))
    }
    await give()
    expect(present(await done(() => balanceOf(front.services, front.scope, of)))).toEqual({
      granted: 2n,
      consumed: 2n,
      reversed: 0n,
      grants: [],
    })
  })
})

const alive = (defect: unknown): void => {
  if (!(defect instanceof ProcessDied)) throw defect
}
