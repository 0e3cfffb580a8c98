import { setTimeout as pause } from 'node:timers/promises'
import type { Keypair } from '@stellar/stellar-sdk'
import type { ServiceProcess } from '../child-process.ts'
import { readinessAt } from '../readiness.ts'
import { completed, openSale } from '../sale.ts'
import { walletOn } from '../wallet.ts'

/** Money that a payer meant to send: for a checkout, or without a memo. */
export type Order = {
  readonly number: number
  readonly payer: string
  /** As a ledger writes it. Amounts are unique, so that the ledger alone tells which order was paid, and what went back. */
  readonly amount: string
  readonly kind: 'sale' | 'stray'
  checkoutId: string | null
  /** Whether the merchant has asked for the refund, heard or not. */
  isRefundWanted: boolean
}

const strayShare = 0.35
const refundShare = 0.7
const noticedWithinMs = 2_000

/** Whether the service has ended; its connections may end a moment earlier. */
const hasEnded = ({ ended }: ServiceProcess): Promise<boolean> =>
  Promise.race([ended.then(() => true), pause(noticedWithinMs, false, { ref: false })])

export const isRolledBack = async ({ url }: ServiceProcess): Promise<boolean> =>
  (await readinessAt(url)).body.log.status === 'rolled_back'

/** A merchant who sells and refunds, and payers who also send money without a memo. */
export const openShop = (random: () => number, payers: ReadonlyArray<Keypair>, destination: string) => {
  const orders: Array<Order> = []
  const problems: Array<string> = []
  const sell = async (service: ServiceProcess, payer: Keypair): Promise<void> => {
    const number = orders.length + 1
    const kind = random() < strayShare ? 'stray' : 'sale'
    const isRefunded = random() < refundShare
    const amount = ((1_000 + number) / 1_000).toFixed(7)
    const order: Order = { number, payer: payer.publicKey(), amount, kind, checkoutId: null, isRefundWanted: false }
    orders.push(order)
    const wallet = walletOn(service.facts, payer)
    if (kind === 'stray') return void (await wallet.pay({ destination, assetId: 'native', amount, memo: null }))
    const sale = await openSale(service, { amount: Number(amount), currency_code: 'XLM' })
    order.checkoutId = sale.id
    await wallet.pay(sale)
    const { payment_id } = await completed(service, sale.id)
    order.isRefundWanted = isRefunded
    if (!isRefunded) return
    const headers = { 'idempotency-key': `refund ${number}` }
    const { status, body } = await service.api('/refunds', { body: { payment_id }, headers })
    if (status !== 200) throw new Error(`the refund of ${payment_id} was answered ${status} ${body.code}`)
  }
  return {
    orders,
    /** What went wrong while a service lived. */
    problems,
    /** Sells until told to stop, or until the service has ended. */
    work: async (service: ServiceProcess, isOver: () => boolean): Promise<void> => {
      const busy = payers.map(async (payer) => {
        while (!isOver())
          try {
            await sell(service, payer)
          } catch (cause) {
            if (!isOver() && !(await hasEnded(service)) && !(await isRolledBack(service))) problems.push(String(cause))
            return
          }
      })
      await Promise.all(busy)
    },
  }
}

export type Shop = ReturnType<typeof openShop>
