import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { openSandbox } from '@quittance/sandbox'
import { allRecords } from '../all-records.ts'
import { eventually } from '../eventually.ts'
import { historiesOf, paymentsOn } from '../kills/books.ts'
import { notEndedOnce, notProven } from '../kills/proofs.ts'
import { ledgerIsIngested } from '../sale.ts'
import type { RestoreRun } from './kill-run.ts'
import type { Order } from './shop.ts'

/** Sentences about what is wrong after a run, none when all is well, and counts of what could go wrong. */
export type Verdict = {
  readonly wrong: Readonly<Record<string, ReadonlyArray<string>>>
  readonly figures: Readonly<Record<string, number>>
}

const lifetimeSeconds = 150
const endedWithinMs = 120_000

/** What the log knows of an order in the end. */
type Kept = { readonly order: Order; readonly isKnown: boolean }

/** Lets the service complete everything, ends it, and judges by the ledger, the log and the command line. */
export const judge = async (run: RestoreRun): Promise<Verdict> => {
  const { service, shop } = run
  const sales = shop.orders.filter(({ checkoutId }) => checkoutId !== null)
  const kept = await Promise.all(sales.map((order) => askedAgain(run, order)))
  const unexplained = await decided(run)
  await service.api('/sandbox/advance', { body: { seconds: lifetimeSeconds } })
  const open = ['/refunds?status=pending&limit=1', '/exceptions?status=open&limit=1']
  for (const path of open)
    await eventually(
      async () => (await service.api(path)).body.data.data,
      (left) => left.length === 0,
      endedWithinMs,
    )
  await ledgerIsIngested(service)
  const unproven = await notProven(service.dataDir)
  await service.stop()
  const { figures, ...wrong } = byLedger(run, kept)
  return { wrong: { ...wrong, unexplained, unproven, broken: run.broken, problems: shop.problems }, figures }
}

/** Asks again for a refund that the merchant wanted, as far as the log still knows its checkout. */
const askedAgain = async ({ service }: RestoreRun, order: Order): Promise<Kept> => {
  const { status, body } = await service.api(`/checkout/${order.checkoutId}`)
  if (status === 404 || !order.isRefundWanted) return { order, isKnown: status !== 404 }
  const headers = { 'idempotency-key': `refund ${order.number}` }
  const asked = await service.api('/refunds', { body: { payment_id: body.data.payment_id }, headers })
  const isAnswered = asked.status === 200 || asked.body.code === 'refund_exists'
  if (!isAnswered) throw new Error(`the refund of ${order.checkoutId} was answered ${asked.status} ${asked.body.code}`)
  return { order, isKnown: true }
}

/** A person sends back what waits for a decision, and keeps what nobody can explain, which is answered. */
const decided = async ({ service }: RestoreRun): Promise<ReadonlyArray<string>> => {
  const exceptions = await allRecords(service, '/exceptions')
  const resolve = (id: string, action: string) => service.api(`/exceptions/${id}/resolve`, { body: { action } })
  const unexplained = exceptions.filter(({ kind }) => kind === 'unexplained')
  for (const { id, status } of unexplained) if (status === 'open') await resolve(id, 'accept')
  for (const { id, status, decision_needed } of exceptions) {
    if (status !== 'open' || decision_needed === null || unexplained.some((each) => each.id === id)) continue
    const { status: answered, body } = await resolve(id, 'refund')
    if (answered !== 200) throw new Error(`${id} (${decision_needed}) was answered ${answered} ${body.code}`)
  }
  return unexplained.map(({ amount, paid_to, memo }) => `${amount} to ${paid_to} with memo ${memo}`)
}

/** Money without a memo, and for a checkout that the log has lost, goes back once; a sale once if it is refunded. */
const byLedger = ({ service, account, shop }: RestoreRun, kept: ReadonlyArray<Kept>) => {
  const database = openDatabase(join(service.dataDir, 'sandbox.db'), { durability: 'full' })
  try {
    const sandbox = openSandbox({ database, wallClock: Date.now })
    const payments = paymentsOn(sandbox)
    const named = ({ payer, amount }: Order): string => `${amount} of ${payer}`
    const arrived = new Set(
      payments.filter(({ to }) => to === account).map(({ amount, from }) => `${amount} of ${from}`),
    )
    const out = payments.filter(({ from }) => from === account).map(({ amount, to }) => `${amount} of ${to}`)
    const mayStay = new Set(
      kept.filter(({ order, isKnown }) => isKnown && !order.isRefundWanted).map((each) => named(each.order)),
    )
    const due = shop.orders.map(named).filter((order) => arrived.has(order) && !mayStay.has(order))
    const strays = shop.orders.filter((order) => order.kind === 'stray' && arrived.has(named(order)))
    return {
      figures: {
        orders: shop.orders.length,
        'incoming payments': arrived.size,
        'of them without a memo': strays.length,
        'of them for checkouts that the log has lost': kept.filter(
          ({ order, isKnown }) => !isKnown && arrived.has(named(order)),
        ).length,
        'outgoing payments': out.length,
      },
      paidTwice: out.filter((what, index) => out.indexOf(what) !== index),
      lost: due.filter((what) => !out.includes(what)),
      paidForNothing: out.filter((what) => !due.includes(what)),
      notEndedOnce: notEndedOnce({
        histories: (category) => historiesOf(service.dataDir, category),
        network: { sandbox },
      }),
    }
  } finally {
    database.close()
  }
}
