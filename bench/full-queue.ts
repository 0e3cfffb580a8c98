import { parseArgs } from 'node:util'
import { type Bidding, biddings } from '@quittance/billing/testing/bids'
import { right } from '@quittance/billing/testing/outcomes'
import { paymentsOn } from '@quittance/http/testing/kills/books'
import { crowdOn, randomFrom } from './crowd.ts'
import { openRefundShop } from './refund-shop.ts'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const channels = 20
const strangers = 40
/** About half of the demand fits, so the queue fills up too. */
const room = { operations: 20, contract_transactions: 10 }
/** The crowd bids low for so many ledgers, then high for as many. */
const waveLedgers = 15
const refundsEachLedger = 2

const countBy = (values: ReadonlyArray<number>): string =>
  [...new Set(values)]
    .sort((one, other) => one - other)
    .map((value) => `${value}: ${values.filter((each) => each === value).length}`)
    .join(', ')

const share = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(part * values.length) - 1] ?? Number.NaN

const reportOf = (all: ReadonlyArray<Bidding>, workers: number): Report => {
  const waits = all.flatMap((each) => each.waits)
  const taken = all.flatMap(({ takenIn }) => (takenIn === null ? [] : [takenIn]))
  const name = workers === 1 ? 'one worker' : `${workers} workers`
  return {
    [`${name}: transactions`]: all.length,
    [`${name}: included in a ledger`]: taken.length,
    [`${name}: never included`]: all.filter(({ end }) => end === 'dead').length,
    [`${name}: fee bumps`]: waits.length,
    [`${name}: ledgers between bids (0: refused at once)`]: countBy(waits),
    [`${name}: bumps within four ledgers`]: waits.filter((wait) => wait > 0 && wait < 4).length,
    [`${name}: bids above the cap`]: all.filter(({ bids, feeCap }) => bids.some((bid) => bid > feeCap)).length,
    [`${name}: ledgers until included, median`]: share(taken, 0.5),
    [`${name}: ledgers until included, 95 of 100`]: share(taken, 0.95),
    [`${name}: ledgers until included, most`]: share(taken, 1),
  }
}

const run = (refunds: number, workers: number, seed: number): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    const shop = await openRefundShop(folder, refunds, channels, workers)
    const crowd = await crowdOn(shop.sandbox, strangers)
    right(shop.sandbox.faults.set({ ledger_room: room }))
    // Lets the workers ingest the ledgers closed so far.
    for (let steps = 0; steps < strangers; steps += 1) await shop.step()
    const random = randomFrom(seed)
    const waiting = [...shop.ids]
    let ledger = 0
    const next = async (): Promise<void> => {
      const isDear = Math.floor(ledger / waveLedgers) % 2 === 1
      crowd.send(() => Math.round((isDear ? 3_000 : 100) * 10 ** random()))
      await shop.step()
      shop.closeLedger()
      ledger += 1
    }
    while (waiting.length > 0 || (await shop.isAnyPending())) {
      for (const id of waiting.splice(0, refundsEachLedger)) await shop.refund(id)
      await next()
    }
    const out = paymentsOn(shop.sandbox).filter(({ from }) => from === shop.account)
    const report = reportOf(await biddings(shop, 'testnet'), workers)
    shop.close()
    const twice = out.length - new Set(out.map(({ amount }) => amount)).size
    if (out.length !== refunds || twice > 0) process.exitCode = 1
    const name = workers === 1 ? 'one worker' : `${workers} workers`
    return { ...report, [`${name}: refunds paid`]: out.length, [`${name}: refunds paid twice`]: twice }
  })

/**
 * `--refunds` refunds (100; two per transaction) on a network whose ledgers and queue others fill, with bids that rise
 * and fall in waves; by one worker and by two at once. `--seed` (1) chooses the others' bids.
 */
export const fullQueue: Benchmark = async (flags) => {
  const options = { refunds: { type: 'string' }, seed: { type: 'string' }, json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...flags], options })
  const [refunds, seed] = [Number(values.refunds ?? 100), Number(values.seed ?? 1)]
  return { ...(await run(refunds, 1, seed)), ...(await run(refunds, 2, seed)) }
}
