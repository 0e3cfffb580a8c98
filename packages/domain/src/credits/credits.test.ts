import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { CreditTransactionId, PaymentId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { positiveCount } from '../shared/units.ts'
import { anyCreditsCommand } from '../testing/any-credits.ts'
import { exampleId } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { type CreditBalance, Credits, type CreditsCommand, type CreditsEvent, noCredits, units } from './index.ts'

const { given } = scenario(Credits.decider)
const [first, second] = [exampleId(PaymentId, 1), exampleId(PaymentId, 2)]
const entry = (number: number) => ({ transactionId: exampleId(CreditTransactionId, number) })

const grant = { type: 'GrantCredits', ...entry(1), paymentId: first, units: units(100n) } as const
const consume = { type: 'ConsumeCredits', ...entry(2), units: units(30n), metadata: noMetadata } as const
const reverse = { type: 'ReverseCredits', ...entry(3), paymentId: first } as const
const restore = { type: 'RestoreCredits', ...entry(6), paymentId: first, units: units(100n) } as const
const close = { type: 'CloseBooks', atEvents: positiveCount(2) } as const

const granted: CreditsEvent = {
  type: 'CreditsGranted',
  data: { ...entry(1), paymentId: first, units: units(100n) },
}
const grantedMore: CreditsEvent = {
  type: 'CreditsGranted',
  data: { ...entry(4), paymentId: second, units: units(50n) },
}
const consumed = (number: bigint, id = 2): CreditsEvent => ({
  type: 'CreditsConsumed',
  data: { ...entry(id), units: units(number), metadata: noMetadata },
})
const reversed: CreditsEvent = {
  type: 'CreditsReversed',
  data: { ...entry(3), paymentId: first, units: units(100n) },
}
const restored: CreditsEvent = {
  type: 'CreditsGranted',
  data: { ...entry(6), paymentId: first, units: units(100n) },
}
const balance: CreditBalance = {
  granted: units(150n),
  consumed: units(120n),
  reversed: units(0n),
  grants: [{ paymentId: second, units: units(50n), left: units(30n) }],
}
const closed: CreditsEvent = { type: 'BooksClosed', data: { balance } }
const opened: CreditsEvent = { type: 'BooksOpened', data: { carried: balance } }

describe('granting credits', () => {
  it('records the credits that a payment grants', () => given([]).when(grant).then([granted]))
  it('grants credits once for a payment, even after they were spent', () =>
    given([granted, consumed(100n)])
      .when({ ...grant, ...entry(9) })
      .then([]))
  it('grants credits once for a payment, even after they were taken back', () =>
    given([granted, reversed])
      .when({ ...grant, ...entry(9) })
      .then([]))
  it('records nothing when a payment grants no credits', () =>
    given([])
      .when({ ...grant, units: units(0n) })
      .then([]))
  it('records nothing under the id of an existing entry', () =>
    given([granted])
      .when({ ...grant, paymentId: second })
      .then([]))
  it('recognizes a grant in a later period', () =>
    given([opened])
      .when({ ...grant, paymentId: second })
      .then([]))
})

describe('consuming credits', () => {
  it('records the consumed units', () =>
    given([granted])
      .when(consume)
      .then([consumed(30n)]))
  it('consumes the balance down to zero', () =>
    given([granted, consumed(99n, 5)])
      .when({ ...consume, units: units(1n) })
      .then([consumed(1n)]))
  it('rejects consumption one unit above the balance', () =>
    given([granted, consumed(99n, 5)])
      .when({ ...consume, units: units(2n) })
      .rejects({ _tag: 'InsufficientCredits', wanted: units(2n), left: units(1n) }))
  it('rejects consumption when nothing was granted', () =>
    given([])
      .when(consume)
      .rejects({ _tag: 'InsufficientCredits', wanted: units(30n), left: units(0n) }))
  it('rejects consumption when all was taken back', () =>
    given([granted, reversed])
      .when(consume)
      .rejects({ _tag: 'InsufficientCredits', wanted: units(30n), left: units(0n) }))
  it('records nothing when the consumption is repeated', () =>
    given([granted, consumed(30n)])
      .when(consume)
      .then([]))
  it('consumes the oldest grant first', () =>
    given([granted, grantedMore, consumed(120n)])
      .when(close)
      .then([closed]))
})

describe('taking credits back', () => {
  it('takes back what the payment had granted', () => given([granted]).when(reverse).then([reversed]))
  it('records nothing when repeated', () => given([granted, reversed]).when(reverse).then([]))
  it('leaves the grants of other payments', () =>
    given([granted, grantedMore, reversed])
      .when({ ...consume, units: units(51n) })
      .rejects({ _tag: 'InsufficientCredits', wanted: units(51n), left: units(50n) }))
  it('rejects taking back a grant with one unit spent', () =>
    given([granted, consumed(1n)])
      .when(reverse)
      .rejects({ _tag: 'CreditsAreSpent', left: units(99n) }))
  it('rejects taking back a grant with all units spent', () =>
    given([granted, consumed(100n)])
      .when(reverse)
      .rejects({ _tag: 'CreditsAreSpent', left: units(0n) }))
  it.each([
    ['nothing', []],
    ['something else', [grantedMore]],
  ])('rejects taking credits back where %s was granted', (_, history) =>
    given(history).when(reverse).rejects({ _tag: 'GrantNotFound' }),
  )
})

describe('giving credits again after a refund has failed', () => {
  it('restores what was taken back', () => given([granted, reversed]).when(restore).then([restored]))
  it('records nothing when repeated', () => given([granted, reversed, restored]).when(restore).then([]))
  it('records nothing when nothing was taken back', () => given([granted]).when(restore).then([]))
  it('restores credits in a later period, which does not know the payment', () =>
    given([opened]).when(restore).then([restored]))
  it('lets the next refund take restored credits back', () =>
    given([granted, reversed, restored])
      .when({ ...reverse, ...entry(7) })
      .then([{ type: 'CreditsReversed', data: { ...entry(7), paymentId: first, units: units(100n) } }]))
})

describe('the books of a period', () => {
  it('closes long books with the balance', () =>
    given([granted, grantedMore, consumed(120n)])
      .when({ ...close, atEvents: positiveCount(3) })
      .then([closed]))
  it('keeps books open one event before the limit', () =>
    given([granted, grantedMore, consumed(120n)])
      .when({ ...close, atEvents: positiveCount(4) })
      .then([]))
  it('keeps empty books open', () => given([]).when(close).then([]))
  it('closes books once', () => given([granted, closed]).when(close).then([]))
  it('opens books with the carried balance', () =>
    given([]).when({ type: 'OpenBooks', carried: balance }).then([opened]))
  it('opens books once', () => given([opened]).when({ type: 'OpenBooks', carried: balance }).then([]))
  it('records nothing when closed books are opened again', () =>
    given([granted, closed]).when({ type: 'OpenBooks', carried: balance }).then([]))
  it.each<CreditsCommand>([grant, consume, reverse, restore])('rejects $type in closed books', (command) =>
    given([granted, closed]).when(command).rejects({ _tag: 'BooksAreClosed', balance }),
  )
})

describe('any history', () => {
  const { initial, evolve, decide } = Credits.decider
  type Entry = Exclude<CreditsCommand, { type: 'OpenBooks' | 'CloseBooks' }>
  const anyEntries = fc.array(
    anyCreditsCommand.filter((each): each is Entry => each.type !== 'OpenBooks' && each.type !== 'CloseBooks'),
    { maxLength: 60, size: 'max' },
  )
  /** Enters commands one after the other; each time that the books close, the next period's begin. */
  const balanceAfter = (entries: ReadonlyArray<Entry>, atEvents: number): CreditBalance => {
    let [state, carried, period] = [initial, noCredits, 1]
    const run = (command: CreditsCommand): void => {
      const decision = decide(command)(state)
      if (E.isRight(decision)) state = decision.right.reduce(evolve, state)
    }
    // Each entry has an id of its own; what repeats one is met by the stream's own commands before.
    for (const [index, each] of entries.entries()) {
      if (period > 1) run({ type: 'OpenBooks', carried })
      run({ ...each, ...entry(index + 1) })
      run({ type: 'CloseBooks', atEvents: positiveCount(atEvents) })
      if (state.status !== 'closed') continue
      ;[state, carried, period] = [initial, state.balance, period + 1]
    }
    return state.status === 'absent' ? carried : state.balance
  }
  /**
   * A payment grants once, in one of the books that a merge joins, which a process sees to that looks at earlier periods before
   * it asks; and only what was granted is given again.
   */
  const grantingOnce = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
    const once = entries.map((each, index) => {
      const payment = (place: number) => exampleId(PaymentId, 100 * place + index + 1)
      if (each.type === 'GrantCredits') return { ...each, paymentId: payment(0) }
      if (each.type !== 'TakeOverBooks') return each
      const grants = each.balance.grants.map((grant, place) => ({ ...grant, paymentId: payment(place + 1) }))
      return { ...each, balance: { ...each.balance, grants } }
    })
    const isGranted = (wanted: PaymentId, before: number): boolean =>
      once.slice(0, before).some((each) => each.type === 'GrantCredits' && each.paymentId === wanted)
    return once.filter((each, index) => each.type !== 'RestoreCredits' || isGranted(each.paymentId, index))
  }

  it('keeps the same balance however often the books are closed', () =>
    fc.assert(
      fc.property(anyEntries, fc.integer({ min: 1, max: 8 }), (entries, bound) => {
        const once = grantingOnce(entries)
        expect(balanceAfter(once, bound)).toEqual(balanceAfter(once, Number.MAX_SAFE_INTEGER))
      }),
      { numRuns: 500 },
    ))
  it('leaves exactly what the grants have left, and never a negative balance', () =>
    fc.assert(
      fc.property(anyEntries, fc.integer({ min: 1, max: 8 }), (entries, bound) => {
        const { granted, consumed, reversed, grants } = balanceAfter(grantingOnce(entries), bound)
        const left = grants.reduce((sum, each) => sum + each.left, 0n)
        expect(granted - consumed - reversed).toBe(left)
        expect(grants.every((each) => each.left > 0n && each.left <= each.units)).toBe(true)
      }),
    ))
})
