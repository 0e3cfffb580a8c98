import type { Network, Services } from '@quittance/billing'
import { settlementKey, vaultSigner } from '@quittance/billing/testing/internals'
import { present } from '@quittance/billing/testing/outcomes'
import { type AccountId, accountSequence, LedgerTransaction, stroops, type TransactionHash } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { buildPayouts, readEnvelope, signEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

type Gateway = Network['gateway']

/** Acts once a submission's outcome is unknown. */
export const afterUnknown =
  (act: (services: Services, gateway: Gateway, hash: TransactionHash) => Promise<void>): PlantedBug =>
  (services) => {
    const { testnet } = services.networks
    if (testnet === null) return services
    const { gateway } = testnet
    const submit: Gateway['submit'] = (envelope) => async () => {
      const submitted = await gateway.submit(envelope)()
      const read = readEnvelope(envelope, gateway.networkPassphrase)
      if (E.isLeft(submitted) && submitted.left._tag === 'OutcomeUnknown' && E.isRight(read))
        await act(services, gateway, read.right.transactionHash)
      return submitted
    }
    return { ...services, networks: { ...services.networks, testnet: { ...testnet, gateway: { ...gateway, submit } } } }
  }

/** What a transaction of ours is to bring about. */
export const intentsOf = async ({ readModels: { ledgerTransactions, intents } }: Services, hash: TransactionHash) => {
  const transaction = await ledgerTransactions.withId(hash)
  const found = await Promise.all(transaction?.row.intents.map(intents.withId) ?? [])
  return found.filter((intent) => intent !== null)
}

/** Builds the same payment again with another account's sequence number, so with other bytes, and sends it too. */
const sendNewBytes = afterUnknown(async (services, gateway, hash) => {
  const intents = await intentsOf(services, hash)
  const [first] = intents
  const head = await gateway.latestLedger()()
  if (first === undefined || E.isLeft(head)) return
  const payer: AccountId = first.row.details.source
  const view = await gateway.accountView(payer, [])()
  if (E.isLeft(view) || view.right === null) return
  const built = buildPayouts({
    sourceAccount: payer,
    nextAccountSequence: accountSequence(view.right.accountSequence + 1n),
    payingAccount: payer,
    payouts: intents.flatMap(({ row: { details } }) => (details.action._tag === 'payment' ? [details.action] : [])),
    memoText: null,
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: 60_000,
    fee: stroops(10_000n),
    networkPassphrase: gateway.networkPassphrase,
  })
  const signer = present(
    await vaultSigner(services.vault, services.clock, settlementKey('testnet', first.merchantId), 'a bug'),
  )
  const signed = E.isLeft(built)
    ? built
    : await signEnvelope(built.right.envelopeXdr, [signer], gateway.networkPassphrase)()
  if (E.isRight(signed)) await gateway.submit(signed.right)()
})

/** Records the transaction as dead. */
const callDead = afterUnknown(async ({ store, freshId }, gateway, hash) => {
  const head = await gateway.latestLedger()()
  const stream = `${LedgerTransaction.category}-${hash}`
  const known = await store.readStream(stream)()
  if (E.isLeft(head) || E.isLeft(known)) return
  const last = known.right.events.at(-1)
  if (last?.type !== 'TransactionReleased') return
  const { previousHash: _, hash: __, ...context } = last.metadata
  const { sequence: ledger, closedAt } = head.right
  const died = LedgerTransaction.events.encodeEvent({ type: 'TransactionDied', data: { ledger, closedAt } })
  await store.append(stream, known.right.head, [
    { id: freshId(), ...died, context: { ...context, commandId: freshId() } },
  ])()
})

/** Sends a transaction as soon as it is prepared, before its sequence number and intents are claimed. */
const sendFirst: PlantedBug = (services) => {
  const { store, networks } = services
  const append: EventStore['append'] = (stream, head, events, alongside) => async () => {
    const outcome = await store.append(stream, head, events, alongside)()
    for (const { type, data } of events)
      if (type === 'TransactionPrepared' && E.isRight(outcome))
        await networks.testnet?.gateway.submit(String(data.envelopeXdr))()
    return outcome
  }
  return { ...services, store: { ...store, append } }
}

/** Bugs in sending money. */
export const sendingBugs: Readonly<Record<string, PlantedBug>> = {
  'a payment of unknown outcome is sent again with new bytes': sendNewBytes,
  'a time-out is taken for a failure': callDead,
  'a transaction is claimed after it was sent': sendFirst,
}
