import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { countedStore } from '@quittance/billing/testing/counted-store'
import { dustersOn } from '@quittance/billing/testing/dust'
import { openNextDoor, openStoreFront } from '@quittance/billing/testing/store-front'
import { units } from '@quittance/billing/testing/wallets'
import type { Benchmark, Report } from './report.ts'

const memos = ['open checkout', 'paid checkout', 'no memo'] as const
type Memo = (typeof memos)[number]

const dusterCount = 20
/** Payments with a transaction of their own; the others share one with 99 more. */
const mostSingle = 1_000

/**
 * A flood of `payments` for one merchant, then the sale of another in the ledger after it. Measures until that sale is
 * confirmed and until the worker is done, at most `limit` seconds.
 */
const run = async (memo: Memo, payments: number, limit: number): Promise<Report> => {
  const counted = countedStore()
  const front = await openStoreFront({}, undefined, counted.wrapped)
  const next = await openNextDoor(front)
  const dusters = await dustersOn(front, dusterCount)
  const asset = front.network.usdc.assetId
  const session = await front.sell()
  if (memo === 'paid checkout') await front.pay(session.id, [units(10)])
  const sale = await next.sell()
  await front.step()

  const single = Math.min(mostSingle, Math.ceil(payments / 3))
  const to = front.account
  const ledgers = dusters.flood({ payments, single, to, asset, memo: memo === 'no memo' ? null : session.id })
  next.payer.pay({ to: next.account, asset, parts: [units(10)], memo: sale.id })
  counted.take()
  const began = performance.now()
  let isDone = false
  const step = async (): ReturnType<typeof front.worker.step> => {
    const outcome = await front.worker.step()
    // The node has closed connections that were idle while the flood was made.
    return outcome._tag === 'Left' && outcome.left._tag === 'LedgerUnreachable' ? step() : outcome
  }
  const stepped = step().then((outcome) => {
    isDone = true
    return outcome
  })
  let confirmedAfter: number | null = null
  const seconds = () => (performance.now() - began) / 1_000
  const isConfirmed = async () =>
    (await front.services.readModels.checkouts.withId(sale.id))?.row.status === 'completed'
  while (!isDone && seconds() < limit) {
    await Promise.race([pause(20), stepped])
    if (confirmedAfter === null && (await isConfirmed())) confirmedAfter = seconds()
  }
  const took = seconds()
  if (confirmedAfter === null && (await isConfirmed())) confirmedAfter = took
  const ingested = counted.take()
  const isInTime = isDone
  if (!isInTime) counted.stop()
  const outcome = await stepped
  if (isInTime && outcome._tag === 'Left') throw new Error(`the step failed: ${JSON.stringify(outcome.left)}`)
  // What goes back, as long as anything does.
  if (isInTime) {
    for (let ledger = 0; ledger < 40 && seconds() < 2 * limit; ledger += 1) {
      front.network.wait(5_000)
      await front.worker.step()
    }
  }
  const later = counted.take()
  const paidOut = (await front.services.readModels.intents.all()).filter(
    ({ row }) => row.details.class === 'return',
  ).length
  await front.close()
  const name = `${memo}, ${payments} payments`
  return {
    [`${name}: ledgers`]: ledgers,
    [`${name}: s until another merchant's sale is confirmed`]: confirmedAfter ?? `not in ${limit} s`,
    [`${name}: s until all is ingested`]: isInTime ? took : `not in ${limit} s`,
    [`${name}: events/s`]: ingested.events / took,
    [`${name}: events`]: ingested.events + later.events,
    [`${name}: bytes of events per payment`]: isInTime ? (ingested.bytes + later.bytes) / payments : 'unknown',
    [`${name}: events read per payment`]: ingested.eventsRead / payments,
    [`${name}: returns`]: isInTime ? paidOut : 'unknown',
  }
}

/**
 * Floods of one-stroop payments of USDC for one merchant, a third of them (at most 1,000) in transactions of their own.
 * `--payments` (3000), `--limit` seconds for each kind (20), `--memo` one of the kinds.
 */
export const flood: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = { payments: text, limit: text, memo: text, json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...flags], options })
  let report: Report = {}
  for (const memo of memos)
    if (values.memo === undefined || values.memo === memo)
      report = { ...report, ...(await run(memo, Number(values.payments ?? 3_000), Number(values.limit ?? 20))) }
  return report
}
