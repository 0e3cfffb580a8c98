import { Customer, Payment, type RecordedEvent, Sealed } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { emailHash, phoneHash } from '../../features/customers/look-up.ts'
import { Profile } from '../../resources/profile.ts'
import { decrypt } from '../../stores/vault/cipher.ts'
import type { VaultKeys } from '../../stores/vault/read-vault.ts'
import { subjectPrefix } from '../../stores/vault/vault.ts'
import { type Finding, findingAt, type Place } from '../log-check.ts'
import type { KeyQuestion } from './key-question.ts'

/** Asks of each event with personal data whether it opens under its customer's key, and whether its hashes match it. */
export interface SealedData {
  readonly questions: (event: RecordedEvent) => ReadonlyArray<KeyQuestion>
  /** To be asked once the whole log is known. */
  readonly questionsAtEnd: () => ReadonlyArray<KeyQuestion>
}

type Owned = { readonly event: RecordedEvent; readonly customer: string; readonly sealed: Sealed }

export const sealedData = (): SealedData => {
  const customersOfPayments = new Map<string, string>()
  const deleted = new Set<string>()
  /** The first event with data of each customer. */
  const first = new Map<string, Place>()
  const idOf = ({ category }: { readonly category: string }, stream: string): string | null =>
    stream.startsWith(`${category}-`) ? stream.slice(category.length + 1) : null

  /** What an event holds sealed, and whose it is. */
  const ownedBy = (event: RecordedEvent): Owned | null => {
    const { stream, type, data } = event
    if (type === 'PaymentOpened' && typeof data.customerId === 'string')
      customersOfPayments.set(stream, data.customerId)
    const customer = idOf(Payment, stream) === null ? idOf(Customer, stream) : (customersOfPayments.get(stream) ?? null)
    if (type === 'PaymentConfirmed' || type === 'PaymentFailed') customersOfPayments.delete(stream)
    if (customer === null) return null
    if (type === 'CustomerDeleted') deleted.add(customer)
    const sealed = [data.profile, data.billingDetails, data.metadata].find(Sealed.is)
    const isSealed = type.startsWith('Customer') || type === 'WalletLinked' || type === 'PaymentConfirmed'
    return isSealed && sealed !== undefined ? { event, customer, sealed } : null
  }

  return {
    questions: (event) => {
      const owned = ownedBy(event)
      if (owned === null) return []
      const { customer } = owned
      if (!first.has(customer)) first.set(customer, { stream: event.stream, revision: event.revision })
      return [(keys) => openingOf(keys, owned)]
    },
    questionsAtEnd: () =>
      Array.from(
        first,
        ([customer, place]): KeyQuestion =>
          async ({ subjects, unreadable }) => {
            switch (subjects.get(customer)) {
              case undefined:
                return unreadable.includes(`${subjectPrefix}${customer}`)
                  ? null
                  : findingAt(place, withoutKey(customer))
              case 'erased':
                return deleted.has(customer)
                  ? null
                  : findingAt(place, `the key of ${customer} is destroyed, and the log records no erasure`)
              default:
                return deleted.has(customer)
                  ? findingAt(place, `${customer} was erased, and the vault has the key of the personal data still`)
                  : null
            }
          },
      ),
  }
}

const withoutKey = (customer: string): string =>
  `the vault has no key for the personal data of ${customer}, and records no erasure`

/** A key that is not there at all is named once, at the end. */
const openingOf = async (keys: VaultKeys, { event, customer, sealed }: Owned): Promise<Finding | null> => {
  const key = keys.subjects.get(customer)
  if (key === undefined || key === 'erased') return null
  const opened = E.tryCatch(
    (): unknown => JSON.parse(decrypt(key, customer, Buffer.from(sealed, 'base64')).toString('utf8')),
    () => null,
  )
  if (E.isLeft(opened)) return findingAt(event, `its personal data does not open under the key of ${customer}`)
  const profile = event.data.profile === sealed ? Profile.decode(opened.right) : E.left(null)
  return E.isLeft(profile) ? null : hashesOf(keys, event, profile.right)
}

/** Only an event that says both the profile and a hash of it can be compared. */
const hashesOf = async ({ keyedHash }: VaultKeys, event: RecordedEvent, profile: Profile): Promise<Finding | null> => {
  if (keyedHash === null) return null
  const vault = { keyedHash: async (purpose: string, text: string) => keyedHash(purpose, text) }
  const said = event.data
  const email = profile.email === null ? null : await emailHash(vault, event.metadata, profile.email)
  if (said.emailHash !== undefined && said.emailHash !== email)
    return findingAt(event, 'the hash of the email address is not that of the sealed address')
  const phone = profile.phone === null ? null : await phoneHash(vault, event.metadata, profile.phone)
  return said.phoneHash !== undefined && said.phoneHash !== phone
    ? findingAt(event, 'the hash of the phone number is not that of the sealed number')
    : null
}
