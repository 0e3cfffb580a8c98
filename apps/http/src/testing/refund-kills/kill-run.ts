import { setTimeout as pause } from 'node:timers/promises'
import type { Faults } from '@quittance/sandbox'
import { eventually } from '../eventually.ts'
import { everyOne } from '../every-one.ts'
import { randomFrom } from '../random.ts'
import { ledgerIsWalked, openSale } from '../sale.ts'
import { fundedWallet, type Wallet } from '../wallet.ts'
import { type Death, drawDeaths, nameOf } from './deaths.ts'
import { askFor, isAnswered, sellAll, stray, type Wanted } from './merchant.ts'
import type { Stage } from './stage.ts'
import { outlive } from './victim.ts'

/** A shop whose payments are to be given back, and whose payers also send what goes back by itself. */
type Shop = {
  readonly account: string
  readonly wallets: ReadonlyArray<Wallet>
  readonly wanted: ReadonlyArray<Wanted>
  readonly apiKey: string
}

/** What a run leaves behind, when everything has come to its end. */
export type KillRun = {
  /** The account that the merchant is paid to, and pays from. */
  readonly account: string
  readonly wanted: ReadonlyArray<Wanted>
  /** Every refund that was made. */
  readonly refunds: ReadonlyArray<{ readonly id: string; readonly payment_id: string; readonly status: string }>
  /** How often a process was killed where. */
  readonly kills: Readonly<Record<string, number>>
}

const refundsEachRound = 2
const payers = 12
/** So many rounds in a row a second service is there, and then so many it is not. */
const roundsInCompany = 5
/** By then a victim has come to its step, or will not. */
const longestLifeMs = 7_000
/** Longer than a transaction of ours waits for a ledger. */
const lifetimeMs = 150_000
const endedWithinMs = 300_000

/**
 * Kills services, as real processes on one data directory, while they give money back: alone, each followed by the
 * next on the same store, and beside one that goes on. Then two of them bring everything to its end. The same seed draws
 * the same deaths; what a process is at when an unnamed moment comes is up to the machine.
 */
export const killWhileRefunding = async (stage: Stage, kills: number, seed: number): Promise<KillRun> => {
  const service = stage.at(await stage.listening('other'))
  const { destination: account } = await openSale(service)
  const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(stage.network.facts)))
  const wanted = await sellAll(service, wallets, kills * refundsEachRound)
  const shop: Shop = { account, wallets, wanted, apiKey: service.apiKey }
  const counts = await killAll(stage, shop, drawDeaths(kills, randomFrom(seed)), randomFrom(-seed))
  return { account, wanted, refunds: await endedAll(stage, wanted), kills: counts }
}

const isOfDeadTransaction = (death: Death): boolean =>
  death._tag === 'append' && ['TransactionDied', 'SequenceFreed', 'IntentDetached'].includes(death.step)

/** What the network does wrong while a victim lives: it loses all that is sent where a transaction has to die. */
const troubleFor = (death: Death, drawn: number): Faults => {
  if (isOfDeadTransaction(death)) return { drop: { times: 50 } }
  if (drawn < 0.15) return { lose_reply: { times: 1 } }
  if (drawn < 0.3) return { drop: { times: 1 } }
  return drawn < 0.45 ? { include_late: { ledgers: 4, times: 1 } } : {}
}

const killAll = async (
  stage: Stage,
  { account, wallets, wanted, apiKey }: Shop,
  deaths: ReadonlyArray<Death>,
  random: () => number,
): Promise<KillRun['kills']> => {
  const counts: Record<string, number> = {}
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  for (const [round, death] of deaths.entries()) {
    const isAlone = Math.floor(round / roundsInCompany) % 2 === 1
    if (isAlone) await stage.kill('other')
    else if (stage.living('other') === null) await stage.listening('other')
    stage.network.sandbox.faults.set(troubleFor(death, random()))
    const victim = stage.start('one', death)
    const asked = wanted.slice(round * refundsEachRound, (round + 1) * refundsEachRound)
    const asking = asked.map(async (each) => {
      const url = await (random() < 0.5 ? victim : (stage.living('other') ?? victim)).url
      if (url !== null) await askFor(url, apiKey, each)
    })
    const payer = wallets[round % wallets.length]
    if (payer !== undefined) asking.push(stray(stage.network, payer, account, round))
    if (isOfDeadTransaction(death))
      asking.push(victim.url.then(() => pause(2_000)).then(() => stage.network.skip(lifetimeMs)))
    const isAsDrawn = await outlive(victim, longestLifeMs)
    await Promise.all(asking)
    count(isAsDrawn ? nameOf(death) : 'where its step never came')
    count(isAlone ? 'while alone' : 'beside another service')
  }
  return counts
}

/** Has two services answer what is not answered yet, waits until no refund is pending and no exception open, asks for all again, and lists the refunds. */
const endedAll = async (stage: Stage, wanted: ReadonlyArray<Wanted>): Promise<KillRun['refunds']> => {
  stage.network.sandbox.faults.set({})
  for (const place of ['one', 'other'] as const) await stage.kill(place)
  const urls = [await stage.listening('one'), await stage.listening('other')]
  const { api, anyone, apiKey } = stage.at(urls[0] ?? '')
  await eventually(
    async () => {
      const open = wanted.filter((each) => !isAnswered(each))
      await Promise.all(open.map((each, index) => askFor(urls[index % 2] ?? '', apiKey, each)))
      return open.length
    },
    (open) => open === 0,
    endedWithinMs,
  )
  await ledgerIsWalked({ anyone })
  for (const unended of ['/refunds?status=pending&limit=1', '/exceptions?status=open&limit=1'])
    await eventually(
      async () => (await api(unended)).body.data.data,
      (left) => left.length === 0,
      endedWithinMs,
    )
  await Promise.all(wanted.map((each) => askFor(urls[1] ?? '', apiKey, each)))
  // Nothing may be on its way any more: a second payment of what has ended would come now.
  stage.network.skip(lifetimeMs)
  await eventually(
    async () => [...stage.histories('stellartx')].filter(([, types]) => types.at(-1) !== 'TransactionClosed'),
    (left) => left.length === 0,
    endedWithinMs,
  )
  return everyOne({ api }, '/refunds')
}
