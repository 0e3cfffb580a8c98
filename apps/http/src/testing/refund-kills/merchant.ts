import type { Ask } from '../kills/ask.ts'
import type { LastingNetwork } from '../kills/lasting-network.ts'
import { completed, openSale } from '../sale.ts'
import type { Service } from '../service.ts'
import type { Wallet } from '../wallet.ts'

/** A payment to refund, with the answers for each of its keys. */
export type Wanted = {
  readonly paymentId: string
  readonly payer: string
  /** As a ledger writes it. Amounts are unique, so that the ledger alone tells which payment was refunded. */
  readonly amount: string
  readonly keys: ReadonlyArray<string>
  /** Ids of refunds, or codes of problems, by key. */
  readonly answers: Map<string, Set<string>>
}

const amountOf = (number: number): number => (100 + number) / 100

/** Makes a number of sales, to wallets in turn. Two clerks will ask for the refund of every fourth sale. */
export const sellAll = async (
  service: Pick<Service, 'api' | 'anyone'>,
  wallets: ReadonlyArray<Wallet>,
  sales: number,
): Promise<ReadonlyArray<Wanted>> => {
  const sell = async (wallet: Wallet, number: number): Promise<Wanted> => {
    const sale = await openSale(service, { amount: amountOf(number), currency_code: 'XLM' })
    await wallet.pay(sale)
    const { payment_id: paymentId } = await completed(service, sale.id)
    const keys = [`refund ${number}`, ...(number % 4 === 0 ? [`refund ${number} again`] : [])]
    return { paymentId, payer: wallet.address, amount: Number(sale.amount).toFixed(7), keys, answers: new Map() }
  }
  const inTurn = async (wallet: Wallet, index: number): Promise<ReadonlyArray<Wanted>> => {
    const sold: Array<Wanted> = []
    for (let number = index; number < sales; number += wallets.length) sold.push(await sell(wallet, number))
    return sold
  }
  return (await Promise.all(wallets.map(inTurn))).flat()
}

/** Sends money without a reference, whatever the network does with it. Once a ledger holds it, it must be returned. */
export const stray = async (
  { sandbox }: LastingNetwork,
  wallet: Wallet,
  destination: string,
  number: number,
): Promise<void> => {
  const amount = (100 + number / 100).toFixed(2)
  const payment = await wallet.payment({ destination, assetId: 'native', amount, memo: null })
  sandbox.submit(payment.toXDR())
}

/** Whether an answer leaves the outcome open: another run has the key, or the service cannot answer now. */
const isOpen = (status: number, code: unknown): boolean => status === 503 || code === 'request_in_progress'

/** Asks for a refund under each of its keys, and records the answers; a service that dies gives none. */
export const askFor = async (ask: Ask, { paymentId, keys, answers }: Wanted): Promise<void> => {
  const askUnder = async (key: string): Promise<void> => {
    const answer = await ask('/refunds', { body: { payment_id: paymentId }, key })
    if (answer === null) return
    const { status, body } = answer
    if (isOpen(status, body.code)) return
    answers.set(key, (answers.get(key) ?? new Set()).add(status < 300 ? body.data.id : String(body.code)))
  }
  await Promise.all(keys.map(askUnder))
}

export const isAnswered = ({ keys, answers }: Wanted): boolean => keys.every((key) => answers.has(key))
