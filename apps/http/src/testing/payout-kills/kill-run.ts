import { hourMs } from '@quittance/domain'
import { allRecords } from '../all-records.ts'
import { eventually } from '../eventually.ts'
import type { Ask } from '../kills/ask.ts'
import { type Counts, killAll, type Play } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isOfDeadTransaction, letDie, lifetimeMs, troubleFor } from '../kills/trouble.ts'
import { usdcOn } from '../renewal-kills/joining.ts'
import { underWay } from '../renewal-kills/time.ts'
import { completed, ledgerIsIngested, openSale } from '../sale.ts'
import { fundedWallet } from '../wallet.ts'

/** The events of a payout in their usual order, and those of one whose transaction dies. */
const payoutSteps: ReadonlyArray<string> = [
  'PayoutClaimed',
  'PayoutRequested',
  'IntentRecorded',
  'TransactionPrepared',
  'SequenceTaken',
  'IntentAttached',
  'TransactionReleased',
  'TransactionSucceeded',
  'SequenceUsed',
  'IntentSettled',
  'TransactionClosed',
  'PayoutSucceeded',
  'PayoutClaimEnded',
  'IntentReported',
  'TransactionDied',
  'SequenceFreed',
  'IntentDetached',
]

const earned = 9_000
const patientLooks = 10
const endedWithinMs = 300_000

/** A payout that the merchant requests by hand, with the answers to its key: ids of payouts, or codes of problems. */
export type Wanted = {
  readonly key: string
  /** As a ledger writes it. Amounts are unique, and none is whole: schedules pay out whole ones. */
  readonly amount: string
  readonly answers: Set<string>
}

/** The facts of a completed run. */
export type KillRun = {
  readonly account: string
  readonly wanted: ReadonlyArray<Wanted>
  /** All payouts, by hand and by schedule. */
  readonly payouts: ReadonlyArray<{
    readonly id: string
    readonly status: string
    readonly amount: string
    readonly failure_code: string | null
  }>
  /** What the schedule must leave, and what is left. */
  readonly reserve: string
  readonly left: string
  readonly kills: Counts
}

/** Kills services while they pay out, by hand and by schedule in turn; then two of them complete everything. */
export const killWhilePayingOut = async (stage: Stage, kills: number, seed: number): Promise<KillRun> => {
  const service = stage.at(await stage.listening('other'))
  const usdc = usdcOn(stage)
  const wallet = await fundedWallet(stage.network.facts, [usdc])
  let account = ''
  for (const currency_code of ['XLM', 'USDC']) {
    const sale = await openSale(service, { amount: earned, currency_code })
    await wallet.pay(sale)
    await completed(service, sale.id)
    account = sale.destination
  }
  const made = (await service.api('/payout_destinations', { body: { address: wallet.address } })).body.data
  const transaction = wallet.sign(made.challenge.transaction)
  await service.api(`/payout_destinations/${made.id}/verify`, { body: { transaction } })
  const wanted: Array<Wanted> = []
  const counts = await killAll(stage, payingOut(stage, { destination: made.id, usdc, wanted }), kills, seed)
  return { account, wanted, kills: counts, ...(await endedAll(stage, made.id, usdc, wanted)) }
}

type Merchant = { readonly destination: string; readonly usdc: string; readonly wanted: Array<Wanted> }

/** Asks for a payout by hand and lowers the reserve of a schedule in turn; moves the clock to the schedule's hour. */
const payingOut = (stage: Stage, { destination, usdc, wanted }: Merchant): Play => {
  let reserve = earned
  let asked = 0
  return {
    steps: payoutSteps,
    troubleFor,
    occasion: async ({ death, ask }, look) => {
      if (isOfDeadTransaction(death) && letDie(stage)) return
      if (look > 0 && underWay(stage) > 0) {
        // Long enough for a transaction to arrive, unless the network lost it.
        if (look % patientLooks === 0) stage.network.skip(lifetimeMs)
        return
      }
      if (asked++ % 2 === 0) {
        const n = wanted.length + 1
        const one = { key: `payout ${n}`, amount: (1 + n / 100_000).toFixed(7), answers: new Set<string>() }
        wanted.push(one)
        return askFor(ask, destination, one)
      }
      reserve -= 1
      const body = { asset_id: usdc, interval: 'threshold', threshold: '1', reserve: String(reserve), destination }
      await ask('/payout_schedules', { method: 'PUT', body })
      stage.network.skip(hourMs)
    },
  }
}

/** Asks for a payout under its key, and records the answer; a service that dies or cannot answer now gives none. */
const askFor = async (ask: Ask, destination: string, { key, amount, answers }: Wanted): Promise<void> => {
  const answer = await ask('/payouts', { body: { asset_id: 'native', amount, destination }, key })
  if (answer === null || answer.status === 503 || answer.body.code === 'request_in_progress') return
  answers.add(answer.status === 200 ? answer.body.data.id : String(answer.body.code))
}

/** Lets two services answer all requests and end all payouts; a second payment would come in the hour that passes then. */
const endedAll = async (stage: Stage, destination: string, usdc: string, wanted: ReadonlyArray<Wanted>) => {
  stage.network.sandbox.faults.set({})
  for (const place of ['one', 'other'] as const) await stage.kill(place)
  const urls = [await stage.listening('one'), await stage.listening('other')]
  const { api, url } = stage.at(urls[0] ?? '')
  for (const skippedMs of [lifetimeMs, hourMs, lifetimeMs]) {
    await eventually(
      async () => {
        const open = wanted.filter(({ answers }) => answers.size === 0)
        await Promise.all(open.map((each, index) => askFor(stage.askAt(urls[index % 2] ?? ''), destination, each)))
        return open.length + underWay(stage)
      },
      (left) => left === 0,
      endedWithinMs,
    )
    stage.network.skip(skippedMs)
    await stage.walksOn(url)
    await ledgerIsIngested({ url })
  }
  await Promise.all(wanted.map((each) => askFor(stage.askAt(urls[1] ?? ''), destination, each)))
  const [schedule] = (await api('/payout_schedules')).body.data
  const balances: ReadonlyArray<{ readonly asset_id: string; readonly ledger: string }> = (await api('/balance')).body
    .data
  const left = balances.find(({ asset_id }) => asset_id === usdc)?.ledger ?? ''
  return { payouts: await allRecords({ api }, '/payouts'), reserve: String(schedule?.reserve), left }
}
