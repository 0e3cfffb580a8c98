import type { Environment } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { traceSubmit } from '../kernel/tracing/submit-span.ts'
import type { Network, Services } from '../services/services.ts'

/**
 * Resubmits relayed transactions until a ledger holds them or their time bounds end: a node may drop a transaction
 * silently, and its signer has gone. Only ledgers tell the outcome; a node's answer does not.
 */
export const sendRelays = async (
  { relays }: Pick<Services, 'relays'>,
  { gateway }: Network,
  environment: Environment,
  ingested: LedgerHead,
): Promise<void> => {
  for (const relay of await relays.of(environment)) {
    if (ingested.closedAt > relay.maxTime) {
      await relays.remove(relay)
      continue
    }
    const found = await gateway.lookUp(relay.transactionHash)()
    if (E.isRight(found) && found.right._tag === 'Succeeded') await relays.remove(relay)
    else {
      const told = { hash: relay.transactionHash, kind: 'relay', afterLedger: ingested.sequence }
      await traceSubmit(told, gateway.submit(relay.envelopeXdr))
    }
  }
}
