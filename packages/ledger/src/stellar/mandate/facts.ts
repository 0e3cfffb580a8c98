import { type ContractId, type LedgerSequence, type MandateId, OperationIndex, type UnixMs } from '@quittance/domain'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import * as t from 'io-ts'
import type { ChargedPayment, MandateFact } from '../../mandate.ts'
import { named } from '../../named.ts'
import { isIncomingKind } from '../incoming-payments/incoming-payments.ts'
import type { Part } from '../incoming-payments/part.ts'
import type { SettledOperation, SettledTransaction } from '../incoming-payments/settled-transaction.ts'
import { type AssetContracts, tokenParts } from '../incoming-payments/token-events.ts'
import { sha256 } from '../transaction-hash.ts'
import { type ChargedEvent, readEvent } from './events.ts'
import { Id, Moment, Reference, readValue } from './stored-values.ts'

/** The ledger of the facts, and the asset contracts of its network. */
type Context = { readonly sequence: LedgerSequence; readonly closedAt: UnixMs; readonly contracts: AssetContracts }

/** Contracts by their 32 bytes in hex, as events name them. */
type ContractsByHash = ReadonlyMap<string, ContractId>

type Fact = MandateFact extends infer Each
  ? Each extends MandateFact
    ? Omit<Each, 'transactionHash' | 'innerHash' | 'ledger' | 'closedAt'>
    : never
  : never

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * Whether the ledger's header covers events and return value: the result of a contract call is their SHA-256.
 * Source: `InvokeHostFunctionSuccessPreImage` in Stellar-ledger.x.
 */
const isBound = ({ result, returnValue, events }: SettledOperation): boolean => {
  if (result.type !== 'invokeHostFunction' || returnValue === null) return false
  const ended = result.invokeHostFunctionResult
  if (ended.type !== 'invokeHostFunctionSuccess') return false
  const told = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events: [...events] })
  return sha256(told.toXdr()).equals(ended.success.value)
}

/** The incoming payment of a charge among the gains before it: the last one, if it matches. */
const paymentOf = ({ customer, payee, amount }: ChargedEvent, gains: ReadonlyArray<Part>): ChargedPayment | null => {
  const ordinal = gains.length - 1
  const gain = gains[ordinal]
  if (gain === undefined || gain.delta !== amount || gain.holder.account !== payee) return null
  const { counterparty } = gain
  const from = counterparty?._tag === 'account' ? counterparty.account : null
  return from === customer ? { operationIndex: named(OperationIndex, 0), ordinal } : null
}

const eventFacts = (
  events: ReadonlyArray<xdr.ContractEvent>,
  byHash: ContractsByHash,
  contracts: AssetContracts,
): ReadonlyArray<Fact> => {
  const gains: Array<Part> = []
  let created: MandateId | null = null
  return events.flatMap((event): ReadonlyArray<Fact> => {
    const contract = event.contractId === null ? undefined : byHash.get(hexOf(event.contractId.value))
    if (contract === undefined) {
      gains.push(...tokenParts([event], contracts).filter(({ kind, delta }) => delta > 0n && isIncomingKind(kind)))
      return []
    }
    const told = readEvent(event.body.v0)
    if (told === null) return []
    if (told._tag === 'MandateCreated') created = told.mandate
    if (told._tag === 'MandateCancelled' && created !== null) return [{ ...told, contract, replacedBy: created }]
    if (told._tag === 'MandateCharged') return [{ ...told, contract, credit: paymentOf(told, gains) }]
    return [{ ...told, contract }]
  })
}

const Items = t.array(t.type({ amount: t.bigint, mandate: Id, period_start: Moment, reference: Reference }))
const Numbers = t.array(t.number)

/** The batch in a direct call of one of the contracts; one from within another contract returns to that contract. */
const batchOf = (
  { body }: SettledOperation,
  byHash: ContractsByHash,
): { contract: ContractId; charges: xdr.ScVal } | null => {
  if (body.type !== 'invokeHostFunction') return null
  const { hostFunction } = body.invokeHostFunctionOp
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return null
  const { contractAddress, functionName, args } = hostFunction.invokeContract
  if (contractAddress.type !== 'scAddressTypeContract' || functionName.toString() !== 'charge_many') return null
  const contract = byHash.get(hexOf(contractAddress.contractId.value))
  const [, charges] = args
  return contract === undefined || charges === undefined ? null : { contract, charges }
}

const answerFacts = (operation: SettledOperation, byHash: ContractsByHash): ReadonlyArray<Fact> => {
  const batch = batchOf(operation, byHash)
  if (batch === null || operation.returnValue === null) return []
  const items = readValue(Items, batch.charges)
  const numbers = readValue(Numbers, operation.returnValue)
  if (items === null || numbers === null) return []
  const answers = items.flatMap(({ period_start: periodStart, ...item }, index) => {
    const number = numbers[index]
    return number === undefined ? [] : [{ ...item, periodStart, number }]
  })
  return [{ _tag: 'ChargesAnswered', contract: batch.contract, answers }]
}

const isOfContract = (operation: SettledOperation, byHash: ContractsByHash): boolean =>
  operation.events.some(({ contractId }) => contractId !== null && byHash.has(hexOf(contractId.value))) ||
  batchOf(operation, byHash) !== null

/** The facts of successful transactions in these contracts, in order. Leaves out what the header does not cover. */
export const mandateFacts = (
  transactions: ReadonlyArray<SettledTransaction>,
  { sequence, closedAt, contracts }: Context,
  contractIds: ReadonlySet<ContractId>,
): ReadonlyArray<MandateFact> => {
  if (contractIds.size === 0) return []
  const byHash: ContractsByHash = new Map([...contractIds].map((id) => [hexOf(StrKey.decodeContract(id)), id]))
  return transactions.flatMap(({ operations, transactionHash, innerHash }) =>
    operations
      .filter((operation) => isOfContract(operation, byHash) && isBound(operation))
      .flatMap((operation) => [...eventFacts(operation.events, byHash, contracts), ...answerFacts(operation, byHash)])
      .map((fact) => ({ ...fact, transactionHash, innerHash, ledger: sequence, closedAt })),
  )
}
