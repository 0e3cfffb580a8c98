import { hourMs, minuteMs, secondMs } from '@quittance/domain'
import type { Faults } from '@quittance/sandbox'
import type { Move } from './move.ts'
import { processes, type Stage, workers } from './stage.ts'

const knobs: ReadonlyArray<Faults> = [
  { lag: { ledgers: 1, times: 4 } },
  { lag: { ledgers: 3, every: 2, times: 6 } },
  { prune: { keep: 2, times: 3 } },
  { drop: { times: 1 } },
  { lose_reply: { times: 1 } },
  { include_late: { ledgers: 2, times: 2 } },
  { fee_surge: { base_fee: 2_000, for_ledgers: 3 } },
  { fee_surge: { base_fee: 2_000, accepts_less: true, for_ledgers: 9 } },
  { ledger_room: { operations: 5, contract_transactions: 1, for_ledgers: 9 } },
  { ledger_gap: { times: 1 } },
  { server_error: { times: 3 } },
]

/** Days, up to a long time without any work. */
const longer = [1, 1, 7, 28, 31, 95].map((days) => days * 24 * hourMs)

/** Time and machines: ledgers close, workers step, and faults occur. */
export const faultMoves = ({ random, fixture, network, step, restart, note }: Stage): ReadonlyArray<Move> => [
  { name: 'a worker step', weight: 10, act: () => step(random.oneOf(workers)) },
  { name: 'a ledger', weight: 8, act: () => network.wait(random.oneOf([1, 1, 5]) * secondMs) },
  { name: 'time', weight: 2, act: () => network.wait(random.oneOf([3 * minuteMs, 6 * minuteMs, hourMs, 13 * hourMs])) },
  ...(fixture.plans.length === 0
    ? []
    : [{ name: 'much time', weight: 4, act: () => network.wait(random.oneOf(longer)) }]),
  { name: 'a restart', weight: 1, act: () => restart(random.oneOf(processes)) },
  {
    name: 'a fault',
    weight: 2,
    act: () => {
      const [account, asset_id] = [random.oneOf(fixture.wallets), random.oneOf([network.usdc, network.eurc]).assetId]
      const deauthorise = { account, asset_id, for_ledgers: 3 }
      const faults = random.oneOf([{}, ...knobs, { deauthorise }])
      network.sandbox.faults.set(faults)
      note(`the network gets the knobs ${JSON.stringify(faults)}`)
    },
  },
  {
    name: 'rates',
    weight: 1,
    act: () => {
      network.rates.isOut = !network.rates.isOut
      network.rates.wereOut = true
    },
  },
]
