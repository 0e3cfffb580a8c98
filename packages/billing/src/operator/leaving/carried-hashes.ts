import {
  type AccountId,
  ApiKey,
  asText,
  Customer,
  type KeyedHash,
  Merchant,
  Product,
  ProductId,
  type RecordedEvent,
  Reservation,
  Sealed,
  unixMs,
  Webhook,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { emailHash, phoneHash } from '../../features/customers/look-up.ts'
import { trialKinds, trialName } from '../../features/mandates/trials.ts'
import { newApiKey } from '../../features/merchants/api-keys.ts'
import { ownAccountReservation } from '../../features/own-account/own-account.ts'
import { webhookSecret } from '../../notify/webhooks/webhooks.ts'
import { openProfile } from '../../resources/profile.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { categoryOf, idOf } from './own-streams.ts'

/** A keyed hash of the source, by what it is of. */
export type CarriedHash = { readonly purpose: string; readonly text: string; readonly hash: KeyedHash }

/**
 * Collects the keyed hashes that are recorded in a merchant's streams, or that secrets derive from, with what they are of: another
 * vault would hash it otherwise. The vault's key itself stays, since all merchants share it.
 */
export const hashCollector = (vault: Vault, merchantId: string, reserved: ReadonlySet<string>) => {
  const found = new Map<string, CarriedHash>()
  const keep = async (purpose: string, text: string): Promise<KeyedHash> => {
    const hash = await vault.keyedHash(purpose, text)
    found.set(`${purpose}\n${text}`, { purpose, text, hash })
    return hash
  }
  const recording: Vault = { ...vault, keyedHash: keep }
  const lostKeys: Array<string> = []
  const products = new Set<ProductId>()
  const trialValues = new Set<string>()

  const ofKey = async (event: RecordedEvent): Promise<void> => {
    const key = ApiKey.decode(event.data)
    if (E.isLeft(key)) return
    const { commandId, merchantId: owner, environment, correlationId, causationId, actor } = event.metadata
    const at = unixMs(event.metadata.occurredAt)
    const context = { commandId, merchantId: owner, environment, correlationId, causationId, actor, at }
    const { keyHash, environment: of, scopes, keyId } = key.right
    if ((await newApiKey(vault, context, of, scopes)).key.keyHash !== keyHash) lostKeys.push(keyId)
    else await newApiKey(recording, context, of, scopes)
  }
  const ofAccount = async (environment: string, account: string): Promise<void> => {
    const isReserved = reserved.has(
      `${Reservation.category}-${await ownAccountReservation(vault, environment, account)}`,
    )
    if (isReserved) await ownAccountReservation(recording, environment, account)
  }
  const ofCustomer = async (event: RecordedEvent): Promise<void> => {
    const { profile, emailHash: hash, address } = event.data
    const id = idOf(event)
    trialValues.add(id)
    for (const value of [hash, address]) if (typeof value === 'string') trialValues.add(value)
    if (!Sealed.is(profile)) return
    const person = O.toNullable(await openProfile(vault, id, profile))
    const scope = { merchantId, environment: event.metadata.environment }
    if (person?.email != null) await emailHash(recording, scope, person.email)
    if (person?.phone != null) await phoneHash(recording, scope, person.phone)
  }
  return {
    take: async (event: RecordedEvent): Promise<void> => {
      const { type, data } = event
      switch (categoryOf(event)) {
        case Merchant.category:
          if (type === 'ApiKeyCreated') await ofKey(event)
          if (type === 'SettlementAccountSet' && data.custody === 'merchant')
            // The codec of the event has made sure of both.
            await ofAccount(String(data.environment), String(data.account))
          return
        case Customer.category:
          await ofCustomer(event)
          return
        case Webhook.category:
          if (typeof data.secretName === 'string') await webhookSecret(recording, asText(data.secretName))
          return
        case Product.category:
          if (ProductId.is(idOf(event))) products.add(idOf(event) as ProductId)
          return
      }
    },
    /** A wallet that may have had a trial. */
    wallet: (account: AccountId): void => void trialValues.add(account),
    end: async (): Promise<{
      readonly hashes: ReadonlyArray<CarriedHash>
      readonly lostKeys: ReadonlyArray<string>
    }> => {
      for (const productId of products)
        for (const value of trialValues)
          for (const kind of trialKinds) {
            const isTaken = reserved.has(`${Reservation.category}-${await trialName(vault, productId, kind, value)}`)
            if (isTaken) await trialName(recording, productId, kind, value)
          }
      return { hashes: [...found.values()], lostKeys }
    },
  }
}
