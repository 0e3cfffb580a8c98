import { ContractId, type RecordedEvent, Subscription, UnixMs, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** A contract that a mandate of a subscription names, or in which one was offered to a subscriber. */
export const MandateContractRow = t.strict({ contract: ContractId, since: UnixMs })
export type MandateContractRow = t.TypeOf<typeof MandateContractRow>

const decode = decodedBy(Subscription)

const naming: ReadonlySet<string> = new Set(['SubscriptionStarted', 'AuthorizationOffered', 'MandateReplaced'])

const contractIn = (recorded: RecordedEvent): ContractId | null => {
  if (!naming.has(recorded.type)) return null
  const { type, data } = decode(recorded)
  if (type === 'SubscriptionStarted') return data.details.mandate.contract
  if (type === 'AuthorizationOffered') return data.contract
  return type === 'MandateReplaced' ? data.mandate.contract : null
}

const fold = (row: O.Option<MandateContractRow>, recorded: RecordedEvent): O.Option<MandateContractRow> => {
  const contract = contractIn(recorded)
  if (O.isSome(row) || contract === null) return row
  return O.some({ contract, since: unixMs(recorded.metadata.occurredAt) })
}

/** A row for each contract in each environment, of whichever merchant was the first to use it. */
export const mandateContracts: ReadModel<MandateContractRow> = {
  name: 'mandate_contracts',
  version: 2,
  category: Subscription.category,
  row: MandateContractRow,
  rowOf: (recorded) => {
    const contract = contractIn(recorded)
    return contract === null ? null : `${contract} ${recorded.metadata.environment}`
  },
  fold,
  columns: () => ({}),
}
