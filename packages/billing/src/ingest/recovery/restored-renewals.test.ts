import { dayMs } from '@quittance/domain'
import { clubIn } from '../../testing/club.ts'
import { present } from '../../testing/outcomes.ts'
import { backUp } from '../../testing/restored.ts'
import { recoveryStage } from './testing/recovery-stage.ts'

const stage = recoveryStage()
const { front, pass, goBackTo, held, reconciled } = stage

describe('a renewal that the ledger holds', () => {
  it('is confirmed by a log that knows no period of more than a year before', async () => {
    const club = await clubIn(front())
    const session = await club.join(await club.club({ recurringPeriod: 'day' }), 'ada@example.com')
    await club.enrol(session, front().payer)
    const [subscription] = await (await front().platform.shown()).subscriptions.all()
    const id = present(subscription).id
    const backup = backUp(front())
    front().network.wait(500 * dayMs)
    await pass()
    expect(await club.subscription(id)).toMatchObject({ covered: { kind: 'paid', n: 500 } })
    const before = await held()

    await goBackTo(backup)
    await pass()
    expect(await clubIn(front()).subscription(id)).toMatchObject({
      status: 'active',
      covered: { kind: 'paid', n: 500 },
    })
    expect((await held()) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('is confirmed by a log that has lost the attempt, and the next period is charged once', async () => {
    const club = await clubIn(front())
    const session = await club.join(await club.club(), 'ada@example.com')
    await club.enrol(session, front().payer)
    const [subscription] = await (await front().platform.shown()).subscriptions.all()
    const id = present(subscription).id
    const backup = backUp(front())
    front().network.wait(31 * dayMs)
    await pass()
    const charged = await club.subscription(id)
    expect(charged).toMatchObject({ covered: { kind: 'paid', n: 1 } })
    const before = await held()

    await goBackTo(backup)
    const recovered = await clubIn(front()).subscription(id)
    expect(recovered).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
    expect((await held()) - before).toBe(0n)
    const payments = await (await front().platform.shown()).payments.withKey(id)
    expect(payments.map(({ row }) => [row.status, row.details.period])).toEqual([['confirmed', 1]])
    front().network.wait(31 * dayMs)
    await pass()
    expect(await clubIn(front()).subscription(id)).toMatchObject({ covered: { n: 2 } })
    expect((await held()) - before).toBe(-100_000_000n)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it.each([
    ['lost both', 0],
    ['lost the second, while the first was under way', 1],
  ])('is confirmed with the one after it by a log that has %s, each for its period', async (_, attempted) => {
    const club = await clubIn(front())
    const session = await club.join(await club.club(), 'ada@example.com')
    await club.enrol(session, front().payer)
    const [subscription] = await (await front().platform.shown()).subscriptions.all()
    const id = present(subscription).id
    front().network.wait(31 * dayMs)
    if (attempted > 0) await front().step()
    const backup = backUp(front())
    await pass()
    front().network.wait(31 * dayMs)
    await pass()
    expect(await club.subscription(id)).toMatchObject({ covered: { kind: 'paid', n: 2 } })
    const before = await held()

    await goBackTo(backup)
    await pass()
    expect(await clubIn(front()).subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 2 } })
    const payments = await (await front().platform.shown()).payments.withKey(id)
    expect(payments.map(({ row }) => [row.status, row.details.period])).toEqual([
      ['confirmed', 1],
      ['confirmed', 2],
    ])
    expect(await front().exceptions()).toEqual([])
    expect((await held()) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })
})
