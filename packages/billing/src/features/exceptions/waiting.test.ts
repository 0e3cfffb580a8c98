import { hourMs } from '@quittance/domain'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done } from '../../testing/outcomes.ts'
import { openStoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { waitingExceptions } from './waiting.ts'

const day = 24 * hourMs

it('counts waiting exceptions by age, and raises an alarm when the oldest has waited three days', async () => {
  const front = await openStoreFront()
  const exceptions = exceptionsIn(front)
  const exchange = await front.wallets.wallet(71)
  exchange.requireMemo()
  const wait = async (ms: number): Promise<void> => {
    front.network.wait(ms)
    await front.step()
  }
  const waiting = async () => exceptions.of(await front.pay(null, [units(3)], { from: exchange }))
  const ages = async () => (await waitingExceptions(front.services, 'testnet')).map(({ count }) => count)

  const first = await waiting()
  await front.pay('goes back', [units(3)])
  expect([await ages(), front.worker.troubles()]).toEqual([[1, 0, 0], []])
  await wait(2 * day)
  const second = await waiting()
  expect(await ages()).toEqual([1, 1, 0])
  await wait(day - 60_000)
  expect(front.worker.troubles()).toEqual([])
  await wait(60_000)
  expect([await ages(), front.worker.troubles()]).toEqual([
    [0, 1, 1],
    [{ _tag: 'ExceptionWaits', exceptionId: first.id }],
  ])
  await wait(3 * day)
  expect([await ages(), front.worker.troubles()]).toEqual([
    [0, 0, 2],
    [{ _tag: 'ExceptionWaits', exceptionId: first.id }],
  ])
  await done(exceptions.resolve(first, { action: 'accept', note: null }))
  await wait(1000)
  expect(front.worker.troubles()).toEqual([{ _tag: 'ExceptionWaits', exceptionId: second.id }])
  await done(exceptions.resolve(second, { action: 'accept', note: null }))
  await wait(1000)
  expect([await ages(), front.worker.troubles()]).toEqual([[0, 0, 0], []])
  await front.close()
})
