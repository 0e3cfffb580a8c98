import { createBilling } from '@quittance/billing'
import type { Wallet } from '@quittance/billing/testing/wallets'
import { dayMs, decimalFromStroops, hourMs, secondMs, stroops } from '@quittance/domain'
import { Asset, Keypair, Operation, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { ownTransaction } from '../own-transactions.ts'
import { peopleOf, type Subscribed } from '../people.ts'
import type { Stage } from '../stage.ts'
import type { Enemy } from './enemy.ts'

/** How long access may outlast its period while a charge settles, and while none is decided for a cause on our side. */
const settlementWindowMs = hourMs
const graceMs = 7 * dayMs

/**
 * A subscriber who sees the transactions sent for a ledger. When a charge is among them, he moves his money to an
 * accomplice in that same ledger, where payments go before contract calls, and gets it back a ledger later; sometimes he
 * drops his trustline too. He tries the door all the time.
 */
export const evader = (stage: Stage): Enemy => {
  const { random, fixture, network, note, submitDirectly, faultFree, wrongAccess } = stage
  const { subscribed, wallets } = peopleOf(stage)
  const [evading, accomplice] = [random.oneOf(wallets.slice(0, -1)), wallets.at(-1)]
  if (accomplice === undefined) throw new Error('nobody helps the evader')
  const { access } = createBilling(faultFree)
  const [code = '', issuer = ''] = network.usdc.assetId.split(':')
  const usdc = new Asset(code, issuer)
  const dropsTrust = random.onceIn(2)
  /** Payments that he evaded. */
  const evaded = new Set<string>()
  let taken = 0n
  let isActive = true

  /** The balance of an account; null without a trustline. */
  const balanceOf = ({ secret }: Wallet): bigint | null => {
    const accountId = Keypair.fromSecret(secret).xdrAccountId()
    const key = new xdr.LedgerKeyTrustLine({ accountId, asset: usdc.toTrustLineXdrObject() })
    const entry = network.sandbox.read.findEntry(xdr.LedgerKey.trustline(key))
    return entry?.data.type === 'trustline' ? entry.data.trustLine.balance : null
  }
  const send = ({ secret }: Wallet, operations: Parameters<typeof ownTransaction>[2]): void => {
    const envelope = ownTransaction(network, Keypair.fromSecret(secret), operations)
    if (envelope !== null) submitDirectly(envelope)
  }
  const payment = ({ account }: Wallet, amount: bigint) =>
    Operation.payment({ destination: account, asset: usdc, amount: decimalFromStroops(stroops(amount)) })

  const own = (): ReadonlyArray<Subscribed> =>
    subscribed().filter(({ state }) => state.authorization.mandate.customer === evading.account)
  const chargedIn = (pending: ReadonlyArray<string>): ReadonlyArray<string> => {
    const sent = pending.map((envelope) => Buffer.from(envelope, 'base64'))
    const attempts = own().flatMap(({ state }) => state.attempts)
    return attempts.flatMap(({ status, mandateId, paymentId }) => {
      const id = Buffer.from(mandateId, 'hex')
      return status === 'under_way' && sent.some((bytes) => bytes.includes(id)) ? [paymentId] : []
    })
  }
  const getBack = (): void => {
    if (balanceOf(evading) === null) send(evading, [Operation.changeTrust({ asset: usdc })])
    else if (taken > 0n) {
      send(accomplice, [payment(evading, taken)])
      taken = 0n
    }
  }
  network.beforeEachLedger((pending) => {
    if (!isActive) return
    const charges = chargedIn(pending)
    const amount = balanceOf(evading) ?? 0n
    if (charges.length === 0) return getBack()
    if (amount === 0n) return
    note('the evader moves his money away')
    for (const paymentId of charges) evaded.add(paymentId)
    const drop = dropsTrust ? [Operation.changeTrust({ asset: usdc, limit: '0' })] : []
    send(evading, [payment(accomplice, amount), ...drop])
    taken += amount
  })
  const tryDoor = async (): Promise<void> => {
    const scope = { merchantId: fixture.merchantId, environment: 'testnet' as const }
    const now = network.now()
    for (const { id, state } of own()) {
      const { details, terms, covered, attempts } = state
      const tried = await access(scope, details.customerId, terms.productId)()
      if (E.isLeft(tried) || tried.right.grant?.type !== 'subscription') continue
      if (tried.right.grant.subscription_id !== id) continue
      const lateMs = now - covered.period.end
      const hasEvaded = attempts.some(
        ({ paymentId, status, includedAt }) =>
          evaded.has(paymentId) && status === 'failed' && (includedAt ?? 0) >= covered.period.end,
      )
      const limitMs = hasEvaded ? settlementWindowMs : graceMs
      if (lateMs >= limitMs)
        wrongAccess.add(`${id} gave access more than ${limitMs / hourMs} hours after what was paid`)
    }
  }
  return {
    moves: [
      { name: 'the evader tries the door', weight: 20, act: tryDoor },
      { name: 'a charge of the evader is due', weight: 8, act: () => network.wait(random.oneOf([1, 7]) * dayMs) },
      { name: 'the evader waits', weight: 8, act: () => network.wait(random.oneOf([5 * secondMs, 2 * hourMs])) },
    ],
    rest: () => {
      isActive = false
      getBack()
    },
    attend: getBack,
  }
}
