import { type AccountId, type AssetId, type Stroops, stroops } from '@quittance/domain'
import { right } from './outcomes.ts'
import type { StoreFront } from './store-front.ts'
import type { Wallet } from './wallets.ts'

/** The most operations of a transaction, and of a ledger. */
const [mostParts, ledgerOperations] = [100, 1_000]

/** Payments of a stroop each to one account. The first `single` of them have a transaction of their own. */
export type Flood = {
  readonly payments: number
  readonly single: number
  readonly to: AccountId
  readonly asset: AssetId
  readonly memo: string | null
  readonly amount?: Stroops
}

const firstDuster = 100

/** People who send dust: `count` wallets. In each ledger, each of them can send one transaction. */
export const dustersOn = async ({ network, wallets }: Pick<StoreFront, 'network' | 'wallets'>, count: number) => {
  const dusters: Array<Wallet> = []
  for (let number = firstDuster; number < firstDuster + count; number += 1) dusters.push(await wallets.wallet(number))
  return {
    /** Sends a flood in as few ledgers as these wallets can, and answers how many. */
    flood: ({ payments, single, to, asset, memo, amount = stroops(1n) }: Flood): number => {
      let [left, singlesLeft, ledgers] = [payments, single, 0]
      while (left > 0) {
        let room = ledgerOperations
        for (const duster of dusters) {
          const parts = singlesLeft > 0 ? 1 : Math.min(mostParts, left, room)
          if (parts === 0) break
          room -= parts
          const sending = { to, asset, parts: Array.from({ length: parts }, () => amount), memo }
          const sent = right(network.sandbox.submit(duster.signedPayment(sending, 0)))
          if (sent.status !== 'PENDING') throw new Error(`a duster's payment was not queued: ${sent.status}`)
          left -= parts
          singlesLeft -= singlesLeft > 0 ? 1 : 0
        }
        network.sandbox.close()
        ledgers += 1
      }
      return ledgers
    },
  }
}

export type Dusters = Awaited<ReturnType<typeof dustersOn>>
