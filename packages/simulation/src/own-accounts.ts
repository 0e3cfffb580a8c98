import { channelKey, operatorKey, rotatedKeys, settlementKey } from '@quittance/billing/testing/internals'
import { present } from '@quittance/billing/testing/outcomes'
import type { AccountId } from '@quittance/domain'
import { Keypair, StrKey, xdr } from '@stellar/stellar-sdk'
import type { Stage } from './stage.ts'

type World = Pick<Stage, 'fixture' | 'network' | 'faultFree'>

/** An account of the service: its address, and its keys in the vault, the oldest first. */
export type OwnAccount = { readonly account: AccountId; readonly keys: ReadonlyArray<string> }

/** The accounts whose keys are in the vault's file: merchants', the one that charges, and channels. */
export const ownAccountsIn = async ({ fixture, faultFree: { vault } }: World): Promise<ReadonlyArray<OwnAccount>> => {
  const keyOf = async (name: string): Promise<AccountId> => present(await vault.publicKey(name))
  const made = new Set(await vault.keysNamed(''))
  const names = [
    ...[fixture, fixture.neighbour].flatMap((each) => (each === null ? [] : settlementKey('testnet', each.merchantId))),
    operatorKey('testnet'),
    ...[1, 2].map((number) => channelKey('testnet', number)),
  ]
  const accounts = await Promise.all(names.filter((name) => made.has(name)).map(keyOf))
  return Promise.all(
    accounts.map(async (account) => {
      const rotated = await vault.keysNamed(rotatedKeys('testnet', account))
      return { account, keys: [account, ...(await Promise.all(rotated.map(keyOf)))] }
    }),
  )
}

/** The keys that have weight on the ledger now, and whether each alone may do everything; null without an account. */
export const weightsOn = (
  { network }: Pick<World, 'network'>,
  account: AccountId,
): ReadonlyMap<string, boolean> | null => {
  const accountId = Keypair.fromPublicKey(account).xdrAccountId()
  const entry = network.sandbox.read.findEntry(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })))
  if (entry?.data.type !== 'account') return null
  const { thresholds, signers } = entry.data.account
  const [own = 0, ...needed] = thresholds.value
  const added = signers.flatMap(
    ({ key, weight }): ReadonlyArray<readonly [string, number]> =>
      key.type === 'signerKeyTypeEd25519' ? [[StrKey.encodeEd25519PublicKey(key.ed25519.value), weight]] : [],
  )
  const weights = [[account, own] as const, ...added].filter(([, weight]) => weight > 0)
  return new Map(weights.map(([key, weight]) => [key, weight >= Math.max(1, ...needed)]))
}
