import type { UnixMs } from '@quittance/domain'
import fc from 'fast-check'
import { right } from '../../../testing/outcomes.ts'
import { openStoreFront } from '../../../testing/store-front.ts'
import { answersOf, type Ids, idsIn, knowable } from './answers.ts'
import { type ActName, actNames, actsOf } from './life.ts'

type Recorded = { readonly at: UnixMs; readonly ids: Ids; readonly answers: ReadonlyMap<string, unknown> }
type Act = { readonly name: ActName; readonly first: number; readonly second: number }

const often: ReadonlyArray<ActName> = [
  'new customer',
  'buy a book',
  'subscribe',
  'buy calls',
  'consume',
  'refund',
  'moments',
]
const number = fc.noBias(fc.nat(1_000))
const anyAct = fc.record({ name: fc.noBias(fc.constantFrom(...often, ...actNames)), first: number, second: number })

/** What happens in a shop, after it has sold something. */
export const lifeOfActs = (minLength: number, maxLength: number): fc.Arbitrary<ReadonlyArray<Act>> =>
  fc.array(anyAct, { minLength, maxLength, size: 'max' }).map((acts) => [...beginning, ...acts])

const beginning: ReadonlyArray<Act> = (['new customer', 'new customer', 'buy a book', 'subscribe'] as const).map(
  (name, index) => ({ name, first: index, second: index }),
)

/** Records every answer after every act, and asks again at the end by what was known then. */
export const expectBelieved = async (life: ReadonlyArray<Act>): Promise<void> => {
  const front = await openStoreFront()
  const { platform, network, billing, scope } = front
  const acts = await actsOf(front)
  const recorded: Array<Recorded> = []
  for (const { name, first, second } of life) {
    await acts[name](first, second)
    const ids = await idsIn(platform)
    // Whoever asks for a subscription lets the service look at its mandate.
    for (const id of ids.subscriptions) await billing.subscriptions.retrieve(scope, id)()
    network.wait(1)
    recorded.push({ at: network.now(), ids, answers: await answersOf(billing, scope, ids) })
    network.wait(1)
  }
  const erased = new Set(await platform.services.vault.erased())
  for (const { at, ids, answers } of recorded) {
    const believed = await answersOf(right(billing.asOf({ at: null, knownAt: at })), scope, ids)
    for (const [question, answer] of answers) {
      const then = knowable(erased, believed.get(question))
      expect({ question, at, answer: then }).toEqual({ question, at, answer: knowable(erased, answer) })
    }
  }
  await front.close()
}
