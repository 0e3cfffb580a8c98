import { setTimeout as pause } from 'node:timers/promises'
import type { LastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { askFor, type Wanted } from '@quittance/http/testing/refund-kills/merchant'
import type { Wallet } from '@quittance/http/testing/wallet'
import { TransactionBuilder } from '@stellar/stellar-sdk'
import type { Asking } from './asking.ts'

/** A sale that a client began. Amounts are unique, so that the ledger alone tells which one was paid. */
export type Order = {
  readonly number: number
  readonly payer: string
  /** As a ledger writes it. */
  readonly amount: string
  checkoutId: string | null
  paymentId: string | null
}

const usualRefundShare = 0.6
const submittedShare = 0.5
const betweenLooksMs = 200
const completedWithinMs = 180_000

/** Payers who buy one thing after the other, through any server, and a merchant who refunds a share of it, by default most. */
export const openShop = (
  { insist, ask }: Asking,
  { sandbox, facts }: LastingNetwork,
  random: () => number,
  payers: ReadonlyArray<Wallet>,
  { refundShare = usualRefundShare, betweenQuestionsMs = betweenLooksMs } = {},
) => {
  const orders: Array<Order> = []
  const wanted: Array<Wanted> = []
  const wrong: Array<string> = []
  const asking = new Set<Promise<void>>()
  let account = ''

  const dataOf = async (...request: Parameters<typeof insist>) => {
    const { status, body } = await insist(...request)
    if (status !== 200) throw new Error(`${request[0]} was answered ${status} ${JSON.stringify(body)}`)
    return body.data
  }
  const isIncluded = (hash: string): boolean => {
    const held = sandbox.read.findTransaction(hash)
    if (held !== undefined && !held.succeeded) throw new Error('a payment failed on the ledger')
    return held !== undefined
  }
  /** Sends the same bytes again until a ledger holds them. */
  const send = async (xdr: string, submit: () => Promise<unknown>): Promise<void> => {
    const hash = Buffer.from(TransactionBuilder.fromXDR(xdr, facts.network_passphrase).hash()).toString('hex')
    for (let looks = 0; !isIncluded(hash); looks++) {
      if (looks % 20 === 0) await submit()
      await pause(betweenLooksMs)
    }
  }
  const pay = async (id: string, order: Order, wallet: Wallet, isSubmitted: boolean): Promise<void> => {
    const quote = await dataOf(`/pay/${id}/quote`)
    account ||= quote.destination
    if (isSubmitted) {
      const built = await dataOf(`/pay/${id}/transaction`, { body: { source_account: wallet.address } })
      const transaction_xdr = wallet.sign(built.transaction_xdr)
      return send(transaction_xdr, () => insist(`/pay/${id}/submit`, { body: { transaction_xdr } }))
    }
    const { destination, asset_id: assetId, memo } = quote
    const transaction = await wallet.payment({ destination, assetId, amount: order.amount, memo })
    return send(transaction.toXDR(), async () => sandbox.submit(transaction.toXDR()))
  }
  const sell = async (wallet: Wallet): Promise<void> => {
    const number = orders.length + 1
    const [isSubmitted, isRefunded] = [random() < submittedShare, random() < refundShare]
    const amount = ((1_000 + number) / 1_000).toFixed(7)
    const order: Order = { number, payer: wallet.address, amount, checkoutId: null, paymentId: null }
    orders.push(order)
    const body = { amount: Number(amount), currency_code: 'XLM' }
    const { id } = await dataOf('/checkout?type=direct', { body, key: `sale ${number}` })
    order.checkoutId = id
    await pay(id, order, wallet, isSubmitted)
    const deadline = AbortSignal.timeout(completedWithinMs)
    for (;;) {
      const { status, payment_id } = await dataOf(`/checkout/${id}`)
      if (status === 'completed') {
        order.paymentId = payment_id
        break
      }
      if (deadline.aborted) throw new Error(`it is ${status} after ${completedWithinMs} ms, but paid`)
      await pause(betweenQuestionsMs)
    }
    // The first key is sent again, and must name the same checkout.
    const again = await dataOf('/checkout?type=direct', { body, key: `sale ${number}` })
    if (again.id !== id) wrong.push(`sale ${number}: ${id} became ${again.id}`)
    if (isRefunded) refund(order)
  }
  const refund = ({ number, paymentId, payer, amount }: Order): void => {
    if (paymentId === null) return
    const keys = [`refund ${number}`, ...(number % 4 === 0 ? [`refund ${number} again`] : [])]
    const each: Wanted = { paymentId, payer, amount, keys, answers: new Map() }
    wanted.push(each)
    const asked = askFor(ask, each).finally(() => asking.delete(asked))
    asking.add(asked)
  }

  return {
    orders,
    wanted,
    wrong,
    account: () => account,
    /** The number of completed sales. */
    completed: (): number => orders.filter(({ paymentId }) => paymentId !== null).length,
    /** Buys until told to stop. `gate` is awaited before each sale. */
    work: async (isOver: () => boolean, gate: <A>(work: () => Promise<A>) => Promise<A>): Promise<void> => {
      const buy = async (wallet: Wallet): Promise<void> => {
        while (!isOver()) await gate(() => sell(wallet)).catch((cause: unknown) => void wrong.push(String(cause)))
      }
      await Promise.all(payers.map(buy))
      await Promise.all(asking)
    },
  }
}

export type Shop = ReturnType<typeof openShop>
