import { type AccountId, asText, ExceptionId, type IntentId, type Stroops, type Text } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { recordIntent } from '../features/outgoing/record-intent.ts'
import type { Network } from '../services/services.ts'
import { done, present } from './outcomes.ts'
import { openStoreFront } from './store-front.ts'
import { units } from './wallets.ts'

/** A shop with money to give back: XLM of its settlement account goes to its payers. */
export const openTill = async () => {
  const front = await openStoreFront()
  const { network, services, scope, account, payer, platform } = front
  let owners = 0
  /** Wants an amount paid to an account, and answers the intent's id. */
  const want = (
    to: AccountId = payer.account,
    amount: Stroops = units(1),
    changed: { readonly memo?: Text | null; readonly assetId?: typeof network.xlm.assetId } = {},
  ): Promise<IntentId> => {
    owners += 1
    const owner = asText(exampleId(ExceptionId, owners))
    const action = {
      _tag: 'payment' as const,
      destination: to,
      assetId: changed.assetId ?? network.xlm.assetId,
      amount,
    }
    const details = { class: 'return' as const, owner, source: account, action, memo: changed.memo ?? null }
    return done(recordIntent(services, scope, { ...details, at: services.clock.now('testnet') }))
  }
  const eventsOf = async (stream: string) => (await done(platform.log.readStream(stream))).events
  const typesOf = async (stream: string) => (await eventsOf(stream)).map(({ type }) => type)
  const intent = async (id: IntentId) => present(await (await platform.shown()).intents.withId(id)).row
  const transactions = async () => (await platform.shown()).ledgerTransactions.all()
  const balanceOf = async (of: AccountId): Promise<bigint> =>
    present(await done(network.gateway.accountView(of, []))).nativeBalance
  /** Lets a ledger close, and the worker see it. */
  const pass = async (ms = 1_000): Promise<void> => {
    network.wait(ms)
    await front.step()
  }
  return { ...front, want, eventsOf, typesOf, intent, transactions, balanceOf, pass }
}

export type Till = Awaited<ReturnType<typeof openTill>>

/** A network that sets no accounts up: each payer is its own sequence source. */
export const withoutChannels = (network: Network): Network => ({ ...network, provision: null })
