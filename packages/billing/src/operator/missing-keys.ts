import {
  AccountId,
  Customer,
  type Environment,
  Intent,
  KeyRotationAction,
  Merchant,
  type RecordedEvent,
  Sealed,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { laterKeysOf } from '../features/outgoing/rotations.ts'
import type { Vault } from '../stores/vault/port.ts'
import { settlementKey } from '../stores/vault/vault-signer.ts'

/** Whoever knows which keys there are. */
export type NamedKeyHolder = Pick<Vault, 'keysNamed' | 'publicKey'>
type KeyHolder = NamedKeyHolder & Pick<Vault, 'knows' | 'unseal'>

/**
 * The streams of merchants, customers and rotations whose keys a vault lacks or has wrong: then it does not belong to the log.
 * Reads the log once, and unseals each customer's data once.
 */
export const missingKeys = async (
  log: Pick<EventStore, 'readAll'>,
  vault: KeyHolder,
): Promise<ReadonlyArray<string>> => {
  const missing = new Set<string>()
  const rotations = new Map<string, string>()
  const checked = new Set<string>()
  const prefixes = [Merchant, Customer, Intent].map(({ category }) => `${category}-`)
  for await (const event of log.readAll(0n, { streamPrefixes: prefixes })) {
    const { stream, data, metadata } = event
    // An earlier key of an account may be lost: the newest one has the weight.
    if (isRotation(event)) {
      const name = `${metadata.environment} ${data.source}`
      missing.delete(rotations.get(name) ?? '')
      rotations.set(name, stream)
    }
    const isCustomers = stream.startsWith(`${Customer.category}-`)
    const isThere = (isCustomers && checked.has(stream)) || (await hasKey(vault, event))
    if (isThere === null) continue
    if (isThere) checked.add(stream)
    else missing.add(stream)
  }
  return [...missing]
}

/** Null for an event that needs no key. */
const hasKey = async (vault: KeyHolder, event: RecordedEvent): Promise<boolean | null> => {
  const isOf = (category: string) => event.stream.startsWith(`${category}-`)
  if (isOf(Merchant.category)) return hasSettlementKey(vault, event)
  return isOf(Intent.category) ? await hasLaterKey(vault, event) : await hasCustomerKey(vault, event)
}

const isRotation = ({ type, data }: RecordedEvent): boolean =>
  type === 'IntentRecorded' && KeyRotationAction.is(data.action)

/** The key of a rotation is in the vault before the rotation is recorded. */
export const hasLaterKey = async (
  vault: NamedKeyHolder,
  { type, data, metadata }: RecordedEvent,
): Promise<boolean | null> => {
  if (type !== 'IntentRecorded' || !KeyRotationAction.is(data.action) || !AccountId.is(data.source)) return null
  return (await laterKeysOf(vault, metadata.environment, data.source)).includes(data.action.to)
}

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1)

/** Null for an event that needs no key. */
export const hasSettlementKey = async (
  vault: NamedKeyHolder,
  { stream, type, data }: RecordedEvent,
): Promise<boolean | null> => {
  if (type !== 'SettlementAccountSet' || data.custody === 'merchant') return null
  const environment: Environment = data.environment === 'mainnet' ? 'mainnet' : 'testnet'
  const name = settlementKey(environment, idIn(stream))
  return (await vault.publicKey(name)) === data.account
}

/** Null for an event without sealed data. */
const hasCustomerKey = async (vault: KeyHolder, { stream, data }: RecordedEvent): Promise<boolean | null> => {
  const { profile } = data
  if (!Sealed.is(profile)) return null
  const id = idIn(stream)
  if (!(await vault.knows(id))) return false
  try {
    await vault.unseal(id, profile)
    return true
  } catch {
    return false
  }
}
