import type { Billing } from '@quittance/billing'
import { walletsOn } from '@quittance/billing/testing/wallets'
import { stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { walletNumbers } from '../fixture.ts'
import type { Player } from '../player.ts'
import type { Requests } from '../requests.ts'
import type { Stage } from '../stage.ts'

export const thief = 'thief@example.com'
const details = { email: thief, name: null, phone: null }

/** What looks like a name of ours in a transaction: in its memo, or in the arguments of a call. */
const names = /(?:q|chk|inv|auth|pay|sub|rf|ret|exc|po)_[0-9A-Za-z]{20,22}/g

/**
 * A stranger who reads all names in transactions, from when they are sent, and tries each on every public route, and who
 * asks for others' wallets.
 */
export const memoReader = (stage: Stage, { put }: Requests): Player => {
  const { random, fixture, network, visit, granted } = stage
  const wallets = walletNumbers.map(walletsOn(network).again)
  const [own, other] = random.onceIn(2) ? wallets : wallets.toReversed()
  if (own === undefined || other === undefined) throw new Error('two wallets are needed')
  const seen = new Set<string>()
  network.beforeEachLedger((pending) => {
    for (const envelope of pending)
      for (const [name] of Buffer.from(envelope, 'base64').toString('latin1').matchAll(names)) seen.add(name)
  })

  const routes: Readonly<Record<string, (billing: Billing, name: string) => TaskEither<unknown, unknown>>> = {
    page: ({ payer }, name) => payer.page(name),
    quote: ({ payer }, name) => payer.quote(name),
    status: ({ payer }, name) => payer.status(name),
    assets: ({ payer }, name) => payer.assets(name, own.account),
    customer: ({ payer }, name) => payer.attachCustomer(name, details),
    transaction: ({ payer }, name) => payer.transaction(name, own.account),
    submit: ({ payer }, name) => payer.submit(name, paymentFor(name)),
  }
  const paymentFor = (memo: string): string => {
    const payment = { to: fixture.account, asset: network.usdc.assetId, parts: [stroops(1n)], memo }
    return own.signedPayment(payment, Math.floor(network.now() / 1_000) + 300)
  }
  const tryName = (): void => {
    if (seen.size === 0) return
    const [name, [route, ask]] = [random.oneOf([...seen].slice(-5)), random.oneOf(Object.entries(routes))]
    visit(
      `the memo reader tries ${route} of ${name}`,
      (billing) => ask(billing, name),
      () => granted.add(`${name}, which is on the ledger, opened ${route}`),
    )
  }
  const askForWallet = (): void => {
    put('the proof of a wallet for a stranger', ({ customers, wallets: proofs }, context) => async () => {
      const id = await customers.resolve(context, { id: null, ...details })()
      if (E.isLeft(id) || id.right === null) return E.left({ _tag: 'Refused' })
      const challenge = await proofs.start(context, id.right, other.account)()
      if (E.isLeft(challenge)) return challenge
      return proofs.verify(context, id.right, own.sign(challenge.right.transaction))()
    })
  }
  return {
    moves: [
      { name: 'a name on the ledger is tried', weight: 20, act: tryName },
      { name: 'a stranger asks for a wallet', weight: 3, act: askForWallet },
    ],
    rest: () => undefined,
    attend: tryName,
  }
}
