import { createBilling } from '@quittance/billing'
import { done } from '@quittance/billing/testing/outcomes'
import { secondMs } from '@quittance/domain'
import { processes, type Stage } from './stage.ts'

const maxRounds = 400
const maxEffects = 20_000
/** By the wall clock: the leases of dead processes have expired after this time. */
export const leaseIsOverMs = 61 * secondMs

/** Performs one random effect, which takes a moment, and waits until no process can continue by itself. */
export const effectRunner =
  ({ scheduler, random, wall, watch }: Stage, isQuiescent: () => Promise<void>) =>
  async () => {
    wall.advance(1 + random.below(20))
    await scheduler.runEffect(random.below(scheduler.waiting()))
    await isQuiescent()
    await watch.look()
  }

/** Every process delivers until nothing is due. */
export const deliverAll = async (
  stage: Stage,
  goOn: () => Promise<void>,
  isQuiescent: () => Promise<void>,
): Promise<void> => {
  const { scheduler, deliver } = stage
  for (const name of processes) deliver(name)
  await isQuiescent()
  let effects = 0
  while (scheduler.waiting() > 0 && scheduler.defects.length === 0 && effects++ < maxEffects) await goOn()
  if (effects >= maxEffects) scheduler.defects.push('deliveries never end')
  if (scheduler.defects.length === 0) for (const name of scheduler.stuck()) scheduler.defects.push(`${name} is stuck`)
}

/** Ends all failures, enables all endpoints, and lets time pass until nothing is due. */
export const settle = async (stage: Stage, deliverNow: () => Promise<void>): Promise<void> => {
  const { faultFree, fixture, network, scheduler, wall, processNamed, contextNow } = stage
  const { webhooks } = createBilling(faultFree)
  const page = { merchantId: fixture.merchantId, environment: 'testnet', status: 'living', limit: 100 } as const
  for (const { id, row } of (await faultFree.readModels.webhooks.page(page)).rows)
    if (row.isDisabled) await done(webhooks.update(contextNow(), id, { changed: {}, isDisabled: false }))
  for (let round = 0; round < maxRounds && scheduler.defects.length === 0; round++) {
    wall.advance(leaseIsOverMs)
    await deliverNow()
    const due = await processNamed(processes[0] ?? '').deliverer.nextDue('testnet')
    if (due === null) return
    await network.wait(due - network.now())
  }
  if (scheduler.defects.length === 0) scheduler.defects.push('the run does not settle')
}
