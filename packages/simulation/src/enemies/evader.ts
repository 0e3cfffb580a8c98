import { createBilling } from '@quittance/billing'
import type { Wallet } from '@quittance/billing/testing/wallets'
import { dayMs, decimalFromStroops, hourMs, minuteMs, secondMs, stroops } from '@quittance/domain'
import { Asset, Keypair, Operation, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { type PreparedApproval, preparedApproval } from '../approvals.ts'
import { ownTransaction } from '../own-transactions.ts'
import { peopleOf, type Subscribed } from '../people.ts'
import type { Player } from '../player.ts'
import type { Stage } from '../stage.ts'

/** How long access may outlast its period while a charge settles, and while none is decided for a cause on our side. */
const settlementWindowMs = hourMs
const graceMs = 7 * dayMs

/** What evades a charge. In a ledger payments go before contract calls; of those, anybody's may be the first. */
const tricks = ['moves his money away', 'drops his trustline', 'revokes his allowance', 'lowers his allowance'] as const

/** What an allowance is lowered to, below all prices, and raised to. */
const [low, plenty] = [5_000_000n, 1_000_000_000n]

/**
 * A subscriber who sees the transactions sent for a ledger. When a charge is among them, he moves his money to an
 * accomplice in that same ledger, with his trustline or without, or takes back what his wallet has approved. A ledger
 * later everything is as before. He tries the door all the time.
 */
type ContentOfOwn = Parameters<typeof ownTransaction> extends [unknown, unknown, ...infer Rest] ? Rest : never

export const evader = (stage: Stage): Player => {
  const { random, fixture, network, note, submitDirectly, faultFree, wrongAccess } = stage
  const { subscribed, wallets } = peopleOf(stage)
  const [evading, accomplice] = [random.oneOf(wallets.slice(0, -1)), wallets.at(-1)]
  if (accomplice === undefined) throw new Error('nobody helps the evader')
  const { access } = createBilling(faultFree)
  const [code = '', issuer = ''] = network.usdc.assetId.split(':')
  const usdc = new Asset(code, issuer)
  /** Payments that he evaded. */
  const evaded = new Set<string>()
  let taken = 0n
  let isWithdrawn = false
  let isActive = true

  /** The balance of an account; null without a trustline. */
  const balanceOf = ({ secret }: Wallet): bigint | null => {
    const accountId = Keypair.fromSecret(secret).xdrAccountId()
    const key = new xdr.LedgerKeyTrustLine({ accountId, asset: usdc.toTrustLineXdrObject() })
    const entry = network.sandbox.read.findEntry(xdr.LedgerKey.trustline(key))
    return entry?.data.type === 'trustline' ? entry.data.trustLine.balance : null
  }
  const send = ({ secret }: Wallet, ...content: ContentOfOwn): void => {
    const envelope = ownTransaction(network, Keypair.fromSecret(secret), ...content)
    if (envelope !== null) submitDirectly(envelope)
  }
  /** Approvals of the wallet, prepared while there is time. */
  const approvals = new Map<bigint, PreparedApproval | null>()
  const prepare = async (): Promise<void> => {
    for (const amount of [0n, low, plenty])
      approvals.set(amount, await preparedApproval(network, evading.account, network.usdc.assetId, amount))
  }
  const approve = (amount: bigint): boolean => {
    const prepared = approvals.get(amount) ?? null
    if (prepared === null) return false
    send(evading, prepared.operations, { sorobanData: prepared.sorobanData })
    return true
  }
  const payment = ({ account }: Wallet, amount: bigint) =>
    Operation.payment({ destination: account, asset: usdc, amount: decimalFromStroops(stroops(amount)) })

  const own = async (): Promise<ReadonlyArray<Subscribed>> =>
    (await subscribed()).filter(({ state }) => state.authorization.mandate.customer === evading.account)
  const chargedIn = async (pending: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const sent = pending.map((envelope) => Buffer.from(envelope, 'base64'))
    const attempts = (await own()).flatMap(({ state }) => state.attempts)
    return attempts.flatMap(({ status, mandateId, paymentId }) => {
      const id = Buffer.from(mandateId, 'hex')
      return status === 'under_way' && sent.some((bytes) => bytes.includes(id)) ? [paymentId] : []
    })
  }
  const getBack = (): void => {
    if (balanceOf(evading) === null) send(evading, [Operation.changeTrust({ asset: usdc })])
    else if (isWithdrawn) isWithdrawn = !approve(plenty)
    else if (taken > 0n) {
      send(accomplice, [payment(evading, taken)])
      taken = 0n
    }
  }
  network.beforeEachLedger(async (pending) => {
    if (!isActive) return
    const charges = await chargedIn(pending)
    const amount = balanceOf(evading) ?? 0n
    if (charges.length === 0) return getBack()
    if (amount === 0n || isWithdrawn) return
    const trick = random.oneOf(tricks)
    note(`the evader ${trick}`)
    for (const paymentId of charges) evaded.add(paymentId)
    if (trick === 'revokes his allowance' || trick === 'lowers his allowance') {
      isWithdrawn = approve(trick === 'revokes his allowance' ? 0n : low)
      return
    }
    const drop = trick === 'drops his trustline' ? [Operation.changeTrust({ asset: usdc, limit: '0' })] : []
    send(evading, [payment(accomplice, amount), ...drop])
    taken += amount
  })
  const tryDoor = async (): Promise<void> => {
    const scope = { merchantId: fixture.merchantId, environment: 'testnet' as const }
    const now = network.now()
    for (const { id, state } of await own()) {
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
  const waitAtDoor = async (ms: number): Promise<void> => {
    await network.wait(ms)
    await tryDoor()
  }
  /** Sleeps until his next period ends, or waits a little for the charge of the last one. */
  const passTime = async (): Promise<void> => {
    await prepare()
    const running = (await own()).filter(({ state }) => state.lifecycle._tag === 'running')
    const isCharged = running.some(({ state }) => state.attempts.at(-1)?.status === 'under_way')
    const ends = running.map(({ state }) => state.covered.period.end - network.now())
    const next = Math.min(...ends.filter((ms) => ms > 0))
    if (isCharged) await network.wait(random.oneOf([5 * secondMs, 5 * secondMs, 10 * minuteMs]))
    else if (ends.some((ms) => ms <= 0)) await waitAtDoor(40 * minuteMs)
    else if (Number.isFinite(next)) await network.wait(next + secondMs)
  }
  return {
    moves: [
      { name: 'the evader tries the door', weight: 20, act: tryDoor },
      { name: 'a charge of the evader is due', weight: 8, act: passTime },
      { name: 'the evader waits', weight: 8, act: () => waitAtDoor(random.oneOf([5 * secondMs, 2 * hourMs])) },
    ],
    siege: 20,
    rest: () => {
      isActive = false
      getBack()
    },
    attend: async () => {
      if (isActive) await passTime()
      else getBack()
    },
  }
}
