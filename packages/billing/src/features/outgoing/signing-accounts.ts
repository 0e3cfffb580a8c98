import type { AccountId, Environment } from '@quittance/domain'
import { keyPairFromSeed, type Signer } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { deploymentTime } from '../../kernel/clock.ts'
import { platform } from '../../kernel/platform.ts'
import { processActor } from '../../kernel/step-context.ts'
import type { Network, ProvisionFailed, Services } from '../../services/services.ts'
import {
  channelKey,
  madeChannelKeys,
  madeOperatorKey,
  operatorKey,
  settlementKey,
  vaultSigner,
} from '../../stores/vault/vault-signer.ts'

/** How many channel accounts there are where the network sets accounts up by itself. */
const ownChannels = 2

type Keys = Pick<Services, 'vault' | 'clock'>

/** A key of the vault by its name, and the account that it signs for. */
export type OwnAccount = { readonly key: string; readonly signer: Signer }

/** An account whose sequence numbers transactions take. */
export type ChannelAccount = OwnAccount

/**
 * The channel accounts of an environment: those that an operator has made, and the network's own if it sets accounts up.
 * Not all of them need be on the ledger yet.
 */
export const channelAccounts = (
  { vault, clock }: Keys,
  { provision }: Network,
  environment: Environment,
): ReadonlyArray<ChannelAccount> => {
  const own = provision === null ? 0 : ownChannels
  const wanted = Array.from({ length: own }, (_, index) => channelKey(environment, index + 1))
  const keys = new Set([...wanted, ...madeChannelKeys(vault, environment)])
  return [...keys].filter(vault.mayMake).map((key) => ({ key, signer: vaultSigner(vault, clock, key, processActor) }))
}

/**
 * The account that charges on mandates: the one that an operator has made, or the network's own if it sets accounts up.
 * Null if there is none yet. It need not be on the ledger.
 */
export const operatorAccount = (
  { vault, clock }: Keys,
  { provision }: Network,
  environment: Environment,
): OwnAccount | null => {
  const key = provision === null ? madeOperatorKey(vault, environment) : operatorKey(environment)
  return key === null || !vault.mayMake(key) ? null : { key, signer: vaultSigner(vault, clock, key, processActor) }
}

/** Has the network set up an account of the service; false where an operator has to fund it. */
export const setUpAccount = async (
  { vault, clock }: Keys,
  { provision }: Network,
  { key, signer }: OwnAccount,
): Promise<E.Either<ProvisionFailed, boolean>> => {
  if (provision === null) return E.right(false)
  const account = signer.publicKey
  vault.signings.add({
    at: deploymentTime(clock),
    key,
    account,
    purpose: 'provision',
    digest: null,
    actor: processActor,
  })
  const provisioned = await provision(vault.withSeed(key, keyPairFromSeed).secret)()
  return E.isLeft(provisioned) ? provisioned : E.right(true)
}

/** The signer of an account that moves a merchant's money: a channel, the merchant's own or the charging account; else null. */
export const signerFor = (
  { vault, clock }: Keys,
  { merchantId, environment }: Scope,
  channels: ReadonlyArray<ChannelAccount>,
  account: AccountId,
): Signer | null => {
  const channel = channels.find(({ signer }) => signer.publicKey === account)
  if (channel !== undefined) return channel.signer
  const keys = [
    merchantId === platform ? null : settlementKey(environment, merchantId),
    madeOperatorKey(vault, environment),
  ]
  for (const key of keys) {
    const own = key === null || !vault.mayMake(key) ? null : vaultSigner(vault, clock, key, processActor)
    if (own?.publicKey === account) return own
  }
  return null
}
