import type { Ask } from '../kills/ask.ts'
import type { LastingNetwork } from '../kills/lasting-network.ts'
import { completed, openSale } from '../sale.ts'
import type { Service } from '../service.ts'
import type { Wallet } from '../wallet.ts'

/** A payment that is to be given back, and what was answered to whoever asked for that, under each of its keys. */
export type Wanted = {
  readonly paymentId: string
  readonly payer: string
  /** As a ledger writes it. No two sales are of one amount: so the ledger alone tells whose money went back. */
  readonly amount: string
  readonly keys: ReadonlyArray<string>
  /** Ids of refunds, or codes of problems, by key. */
  readonly answers: Map<string, Set<string>>
}

const amountOf = (number: number): number => (100 + number) / 100

/** Sells so many times, to wallets in turn. Of every fourth sale, two clerks will ask for the refund. */
export const sellAll = async (
  service: Pick<Service, 'api' | 'anyone'>,
  wallets: ReadonlyArray<Wallet>,
  sales: number,
): Promise<ReadonlyArray<Wanted>> => {
  const sell = async (wallet: Wallet, number: number): Promise<Wanted> => {
    const sale = await openSale(service, { amount: amountOf(number), currency_code: 'XLM' })
    await wallet.pay({ ...sale, memo: sale.id })
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

/** Sends money that names nothing, for whatever becomes of it: once it is in a ledger, it has to go back. */
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

/** Codes of an answer that leaves the question open: another run has the key, or there is nobody to ask just now. */
const isOpen = (status: number, code: unknown): boolean => status === 503 || code === 'request_in_progress'

/** Asks a service for a refund under each of its keys, and keeps what is answered; a service that dies answers nothing. */
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
